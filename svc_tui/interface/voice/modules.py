"""Expansion modules of desk phones: which a model takes, and which keys there are on them (4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.interface.problems import Problem
from svc_tui.interface.voice.devices import MODULE_KEYS


def module_problems(model: Mapping[str, Any], module: Mapping[str, Any]) -> list[Problem]:
    """What is wrong with a module for a device of this model: the model does not take it, it has fewer keys, or a key
    is named twice. Empty when nothing is; a value that was not given yet is not wrong.

    `model` is as the list of models has it, `module` the body that adds one.
    """
    found: list[Problem] = []
    type = module.get("type")
    taken = model.get("expansionModules") or ()
    if type and type not in taken:
        takes = f"takes {' or '.join(taken)} only" if taken else "takes no expansion module"
        found.append(Problem("type", f"does not fit: {model.get('model')} {takes}", type))
    positions = [key["position"] for key in module.get("keys") or () if isinstance(key.get("position"), int)]
    there = MODULE_KEYS.get(str(type), max(MODULE_KEYS.values()))
    if positions and max(positions) > there:
        found.append(Problem("keys", f"has key {max(positions)}, and {type} has {there}", max(positions)))
    if len(set(positions)) < len(positions):
        found.append(Problem("keys", "names a key twice"))
    return found
