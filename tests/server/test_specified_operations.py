"""Each operation of the specification is declared and served, by the own list of the specification (section 4)."""

from __future__ import annotations

import re

import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.server.http.application import load_rules
from svc_tui.server.rules import rules
from tests.interface.specification_operations import specified
from tests.support.world import World

ID = "0d" * 12


def test_each_operation_of_the_specification_is_declared_with_its_address() -> None:
    assert len(specified()) == 208
    declared = {each.id: (each.method, each.path.replace(":path}", "}")) for each in operations()}
    assert {name: declared.get(name) for name, *_ in specified()} == {
        name: (method, path) for name, method, path in specified()
    }


def test_each_operation_of_the_specification_has_a_rule() -> None:
    load_rules()
    ruled = {operation.id for operation, _ in rules()}
    assert [name for name, *_ in specified() if name not in ruled] == []


@pytest.mark.parametrize("area", sorted({path.split("/")[3] for *_, path in specified()}))
async def test_each_operation_of_the_specification_is_answered(world: World, area: str) -> None:
    """Without credentials: some refuse, some redirect, none is unknown or fails."""
    for name, method, path in specified():
        if path.split("/")[3] != area:
            continue
        answer = await world.http.request(method, re.sub(r"\{\w+\}", ID, path))
        assert answer.status_code not in (405, 500, 501), (name, answer.text)
        assert "There is no operation at this address" not in answer.text, name
