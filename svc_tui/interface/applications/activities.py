"""Economic activities by their letters (ISIC sections), for lists too: imports nothing but texts."""

from __future__ import annotations

from svc_tui.language import _

ACTIVITIES = {
    "A": _("agriculture, forestry, fishing"),
    "B": "mining",
    "C": "manufacturing",
    "D": _("electricity, gas, steam"),
    "E": _("water, waste"),
    "F": "construction",
    "G": _("trade, vehicle repair"),
    "H": _("transport, storage"),
    "I": _("accommodation, food"),
    "J": _("information, communication"),
    "K": _("finance, insurance"),
    "L": _("real estate"),
    "M": _("professional, scientific, technical"),
    "N": _("administrative, support"),
    "O": _("public administration, defence"),
    "P": "education",
    "Q": _("health, social work"),
    "R": _("arts, entertainment"),
    "S": _("other services"),
    "T": _("households as employers"),
    "U": _("extraterritorial bodies"),
}
