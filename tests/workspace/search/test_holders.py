"""Who has a value that was refused: named after the refusal, within the requests of a search."""

from __future__ import annotations

import pytest

from svc_tui.client.errors import Conflict
from svc_tui.workspace.search import scopes
from tests.support.world import World
from tests.workspace.conftest import Desk, Desks
from tests.workspace.search.test_search import many_exchanges, superadmin

FIRST, LAST = f"e{0:023x}", f"e{49:023x}"
MODEL = "d1" * 12


async def refusal(desk: Desk, operation_id: str, **body: str) -> str:
    """The sentence of a refused creation in the first CloudPBX."""
    with pytest.raises(Conflict) as refused:
        await desk.workspace.perform(operation_id, path={"systemId": FIRST}, body=body)
    assert str(refused.value) == refused.value.sentence
    return refused.value.sentence


async def _with_device(desks: Desks, world: World, system: str) -> Desk:
    await many_exchanges(world)
    device = {"id": "5d" * 12, "systemId": system, "macAddress": "02:cc:00:00:00:01", "description": "Door phone"}
    async with world.service.database.unit() as store:
        await store.devices.put({**device, "shortNumber": "4949", "deviceType": {"id": MODEL, "model": "M110 desk"}})
    return await superadmin(desks, world)


async def test_a_number_of_another_cloudpbx_names_its_holder_and_the_next_one_asks_there_first(
    desks: Desks, world: World
) -> None:
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    sentence = await refusal(desk, "create_ddi_number", number="210 990 049")
    assert "It is in Exchange 49 of Firm 49: free. `:find +351210990049` leads there." in sentence
    assert 6 + scopes.AT_A_TIME < len(desk.line.requests) <= 150
    desk.line.requests.clear()
    assert "Exchange 49" in await refusal(desk, "create_ddi_number", number="+351210990049")
    assert len(desk.line.requests) <= 6 + scopes.AT_A_TIME


@pytest.mark.parametrize(("system", "name"), [(LAST, "Exchange 49 of Firm 49"), (FIRST, "Exchange 00 of Firm 00")])
async def test_a_mac_address_names_the_device_that_has_it(desks: Desks, world: World, system: str, name: str) -> None:
    desk = await _with_device(desks, world, system)
    sentence = await refusal(desk, "create_sip_device", deviceTypeId=MODEL, macAddress="02-CC-00-00-00-01")
    assert f"It is in {name}: Door phone, 4949. `:find" in sentence


async def test_a_holder_is_looked_for_in_few_cloudpbxs_after_one_that_was_not_found(
    desks: Desks, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("svc_tui.workspace.search.search.MOST_BY_ITSELF", 30)
    desk = await _with_device(desks, world, LAST)
    for _each in range(2):
        desk.line.requests.clear()
        sentence = await refusal(desk, "create_sip_device", deviceTypeId=MODEL, macAddress="02cc00000001")
        assert "It is not in 20 of 50 CloudPBXs. `:find 02cc00000001` asks the others." in sentence
        assert len(desk.line.requests) <= 30
