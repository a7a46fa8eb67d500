"""Expansion modules (4.7): which a model takes, and which keys there are on them."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.voice.modules import module_problems

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
def test_what_a_model_takes(model: dict[str, Any], module: dict[str, Any]) -> None:
    assert module_problems(model, module) == []


@pytest.mark.parametrize(
    ("model", "module", "param", "sentence"),
    [
        (SMALL, {"type": "EM_200"}, "type", "does not fit: Small takes EM_20 only"),
        (PLAIN, {"type": "EM_20"}, "type", "does not fit: Plain takes no expansion module"),
        (SMALL, {"type": "EM_20", "keys": _keys(21)}, "keys", "has key 21, and EM_20 has 20"),
        (BIG, {"type": "EM_200", "keys": _keys(201)}, "keys", "has key 201, and EM_200 has 200"),
        (BIG, {"type": "EM_20", "keys": _keys(3, 3)}, "keys", "names a key twice"),
    ],
)
def test_what_it_does_not(model: dict[str, Any], module: dict[str, Any], param: str, sentence: str) -> None:
    assert [(each.param, each.msg) for each in module_problems(model, module)] == [(param, sentence)]
