"""Sends made-up requests for every operation as each of three roles and without one, in this process, on demo data.

`python -m tests.bench.generated [--requests N] [--as ROLE]`: N requests for each role. It ends with code 1 at a server
error or an answer that the OpenAPI document does not describe.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from svc_tui.interface.catalogue import operations
from tests.conftest import world_at
from tests.server.access.estates import COMPANIES, Copies, sources
from tests.server.access.requests import parameter
from tests.server.generated import Generated
from tests.support.clock import SetClock
from tests.support.databases import demo
from tests.support.kept import keep_in
from tests.support.world import World

ROLES = ("superadmin", "company_admin", "user", "")


def faults(world: World, runner: asyncio.Runner, role: str, each: int) -> Iterator[str]:
    """The operations that answered wrongly, each with its first wrong answer."""
    known, token = runner.run(_prepared(world, role))
    generated = Generated(runner, world.http, token)
    for operation in operations():
        generated.known = {name: known.get(parameter(operation.id, name), "0" * 24) for name in operation.parameters}
        try:
            generated.check(operation, each)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            yield f"{role or 'anonymous'} {operation.id}: {error!r} {getattr(error, 'exceptions', '')!r}"[:2000]
    counts = ", ".join(f"{status}: {count}" for status, count in sorted(generated.statuses.items()))
    errors = ", ".join(f"{name}: {count}" for name, count in sorted(generated.server_errors.items()))
    print(f"{role or 'anonymous'}: {sum(generated.statuses.values())} requests ({counts}; {errors})", flush=True)


async def _prepared(world: World, role: str) -> tuple[dict[str, str], str]:
    """The identifiers of one company with everything, and the token of a caller of it."""
    copies = Copies(world, await sources(world), frozenset())
    estates = {place: await copies.company(place) for place in COMPANIES}
    async with world.service.database.unit() as store:
        console = next(e for e in (await store.applications.find()).documents if e["name"] == "Svc Console")
    if not role:
        return estates["home"].ids, ""
    user, _ = await copies.user(role, estates["home"])
    return estates["home"].ids, world.token(user, str(console["id"]), exp=2**40)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--as", dest="role", choices=["superadmin", "company_admin", "user", "anonymous"])
    chosen = parser.parse_args()
    roles = ROLES if chosen.role is None else ("" if chosen.role == "anonymous" else chosen.role,)
    wrong = 0
    for role in roles:
        with tempfile.TemporaryDirectory() as folder, asyncio.Runner() as runner:
            keep_in(Path(folder) / "kept")
            clock = SetClock()
            opened = world_at(demo(clock.now().date()).copy(Path(folder) / "svc.db"), Path(folder), clock)
            world = runner.run(opened.__aenter__())
            for fault in faults(world, runner, role, -(-chosen.requests // len(operations()))):
                wrong += 1
                print(fault, flush=True)
            runner.run(opened.__aexit__(None, None, None))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
