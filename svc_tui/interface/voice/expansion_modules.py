"""Expansion modules of desk phones: the modules that a model supports, and their keys (4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.interface.problems import Problem
from svc_tui.language import _

#: Keys of a module.
MODULE_KEYS: dict[str, int] = {"EM_20": 20, "EM_200": 200}


def module_problems(model: Mapping[str, Any], module: Mapping[str, Any]) -> list[Problem]:
    """The problems of a module for a device of this model: an unsupported type, a missing key, a key named twice.

    Missing values are no problem. `model` is an entry of the list of models, `module` the body that adds one.
    """
    found: list[Problem] = []
    type = module.get("type")
    supported = model.get("expansionModules") or ()
    if type and type not in supported:
        supports = (
            _("supports only {supported}").format(supported=_(" or ").join(supported))
            if supported
            else _("supports no expansion module")
        )
        found.append(
            Problem(
                "type", _("does not fit: {model} {supports}").format(model=model.get("model"), supports=supports), type
            )
        )
    positions = [key["position"] for key in module.get("keys") or () if isinstance(key.get("position"), int)]
    most = MODULE_KEYS.get(str(type), max(MODULE_KEYS.values()))
    if positions and max(positions) > most:
        found.append(
            Problem(
                "keys",
                _("has key {positions}, but {type} has only {most}").format(
                    positions=max(positions), type=type, most=most
                ),
                max(positions),
            )
        )
    if len(set(positions)) < len(positions):
        found.append(Problem("keys", _("names a key twice")))
    return found
