"""Expansion modules (4.7): the modules that a model supports, and their keys."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.voice.expansion_modules import module_problems

BIG = {"model": "Big", "expansionModules": ["EM_20", "EM_200"]}
SMALL = {"model": "Small", "expansionModules": ["EM_20"]}
PLAIN = {"model": "Plain", "expansionModules": []}


def _keys(*positions: int) -> list[dict[str, Any]]:
    return [{"position": position} for position in positions]


@pytest.mark.parametrize(
    ("model", "module"),
    [
        (SMALL, {"type": "EM_20"}),
        (SMALL, {"type": "EM_20", "keys": _keys(1, 20)}),
        (BIG, {"type": "EM_200", "keys": _keys(200)}),
        (BIG, {}),
    ],
)
def test_supported_modules(model: dict[str, Any], module: dict[str, Any]) -> None:
    assert module_problems(model, module) == []


@pytest.mark.parametrize(
    ("model", "module", "param", "sentence"),
    [
        (SMALL, {"type": "EM_200"}, "type", "does not fit: Small supports only EM_20"),
        (PLAIN, {"type": "EM_20"}, "type", "does not fit: Plain supports no expansion module"),
        (SMALL, {"type": "EM_20", "keys": _keys(21)}, "keys", "has key 21, but EM_20 has only 20"),
        (BIG, {"type": "EM_200", "keys": _keys(201)}, "keys", "has key 201, but EM_200 has only 200"),
        (BIG, {"type": "EM_20", "keys": _keys(3, 3)}, "keys", "names a key twice"),
    ],
)
def test_unsupported_modules_and_keys(model: dict[str, Any], module: dict[str, Any], param: str, sentence: str) -> None:
    assert [(each.param, each.msg) for each in module_problems(model, module)] == [(param, sentence)]
