"""One form for a CloudPBX: its settings, and the parts that have their own operations (4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.flat import flat, flattened, folded
from svc_tui.interface.records import Record
from svc_tui.interface.voice.cloudpbx import CliOptionsUpdate, CloudPbxUpdate
from svc_tui.interface.voice.cloudpbx_operations import ProhibitedNumbers
from svc_tui.interface.voice.numbering import with_digits
from svc_tui.interface.voice.recordings import AnnouncementBody
from svc_tui.language import _

#: The name of the custom list of prohibited numbers beside the settings.
PROHIBITED = "prohibitedNumbers"


@dataclass(frozen=True, slots=True)
class Part:
    """Fields of one operation. `under` is the object that holds them, `read` the operation that reads them again."""

    operation: str
    body: type[Record]
    under: str
    group: str
    read: str = "get_cloudpbx"

    @property
    def prefix(self) -> str:
        return f"{self.under}." if self.under else ""


PARTS: tuple[Part, ...] = (
    Part("update_cloudpbx", CloudPbxUpdate, "", _("Identity")),
    Part("update_cloudpbx_cli_options", CliOptionsUpdate, "cliOptions", _("Rights"), "get_cloudpbx_cli_options"),
    Part(
        "replace_cloudpbx_custom_numbers_restriction",
        ProhibitedNumbers,
        PROHIBITED,
        _("Rights"),
        "get_cloudpbx_custom_numbers_restriction",
    ),
    Part("set_recording_announcement_profile", AnnouncementBody, "", _("Calls")),
)
#: All fields as one record, with dots in the names of fields inside objects.
EDITED: type[Record] = flat(*((part.body, part.prefix, part.group) for part in PARTS))
_PART_OF = {wire: part for part in PARTS for wire in field_by_wire(flat((part.body, part.prefix, part.group)))}


def part_of(wire: str) -> Part:
    """The part of a field."""
    return _PART_OF[wire]


def values_of(settings: Mapping[str, Any], prohibited: object) -> dict[str, Any]:
    """The current values: from the fields of a CloudPBX, and its custom list of prohibited numbers."""
    return flattened({**settings, PROHIBITED: {"patterns": prohibited}}, EDITED)


def settings_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The `cloudpbx` object of edited values."""
    return {wire: value for wire, value in folded(values).items() if wire not in (PROHIBITED, "name")}


def bodies(changed: Mapping[str, Any], values: Mapping[str, Any]) -> list[tuple[Part, dict[str, Any]]]:
    """Each part with changed values, and the body of its operation. `values` are all values after the change."""
    found = []
    sent = with_digits(changed, values)
    for part in PARTS:
        own = {wire.removeprefix(part.prefix): value for wire, value in sent.items() if part_of(wire) is part}
        if own:
            found.append((part, folded(own)))
    return found


def wire_of(part: Part, param: str) -> str:
    """The edited field of a refusal: for `numberingPlan.0.prefix` the numbering plan; empty for none."""
    names = f"{part.prefix}{param}".split(".")
    tried = (".".join(names[:end]) for end in range(len(names), 0, -1))
    return next((wire for wire in tried if wire in _PART_OF), "")
