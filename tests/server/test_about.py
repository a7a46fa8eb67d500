"""Each module names itself and its version, without credentials."""

from __future__ import annotations

from svc_tui import __version__
from svc_tui.interface.catalogue import operations
from svc_tui.server.http.about import PORTALS
from tests.support.world import World, granted

#: The modules of all operations: the word behind /api/svc/ of paths with a version.
MODULES = {operation.path.split("/")[3] for operation in operations() if "/v1.0/" in operation.path}


async def test_every_module_has_its_about_without_credentials(world: World) -> None:
    assert set(PORTALS) == MODULES
    said = {module: granted(await world.get(f"/api/svc/{module}/v1.0/about")) for module in MODULES}
    assert all(each.keys() == {"version", "description"} and each["version"] == __version__ for each in said.values())
    assert len({each["description"] for each in said.values()}) == len(MODULES)


async def test_the_about_of_a_module_can_only_be_read_and_no_other_module_has_one(world: World) -> None:
    assert (await world.post("/api/svc/metrics/v1.0/about")).status_code == 405
    assert (await world.get("/api/svc/nothing/v1.0/about")).status_code == 404
