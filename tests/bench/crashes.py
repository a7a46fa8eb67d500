"""Kills a server again and again while clients write: `python -m tests.bench.crashes [--postgresql] [--times 100]`.

After each kill -9, at a random moment, the database must have every acknowledged write, and of a request without a
response everything or nothing. The server is started again on the same data each time. It ends with code 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx
from sqlalchemy import text
from starlette.applications import Starlette

from svc_tui.interface.directory.values import ENDED
from svc_tui.server.clock import SystemClock
from svc_tui.server.service import service_of
from svc_tui.server.settings import Settings
from svc_tui.server.store.database import Database
from tests.bench.server import database
from tests.bench.writers import Lost, Writer, synchronising, writers
from tests.support.process import ServerProcess, start
from tests.support.world import World

SETTINGS = "cheap_hashes = true\nbilling_sync_seconds = 0.2\n"
#: Longest time between the first acknowledged write and the kill, in seconds.
LONGEST = 1.0
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


async def write_until_killed(writer: Writer, first: asyncio.Event) -> None:
    """Write without a pause, until the server is gone. `first` is set when a request was answered."""
    try:
        while True:
            await writer.step()
            first.set()
    except httpx.TransportError:
        return


async def ended(database: Database) -> None:
    """Wait until PostgreSQL has ended the sessions of a killed server: it completes a COMMIT that it has received."""
    await database.engine.dispose()
    async with database.engine.connect() as connection:
        while connection.dialect.name == "postgresql" and (await connection.execute(text(_OTHERS))).scalar_one():
            await connection.rollback()
            await asyncio.sleep(0.05)


async def round_of(server: ServerProcess, clients: list[Writer], chance: random.Random) -> None:
    """Let the clients write, and kill the server at a random moment."""
    first = asyncio.Event()
    tasks = [asyncio.create_task(write_until_killed(each, first)) for each in clients]
    await first.wait()
    await asyncio.sleep(chance.uniform(0, LONGEST))
    server.process.kill()
    await asyncio.to_thread(server.process.wait)
    await asyncio.gather(*tasks)
    await ended(clients[0].world.service.database)
    for each in clients:
        await each.check()


async def settled(world: World) -> None:
    """Wait until no synchronisation and no import is in progress: none is forgotten."""
    async with asyncio.timeout(60):
        while True:
            async with world.service.database.unit() as store:
                reports = (await store.import_reports.find()).documents
                if not await synchronising(store) and not any(each["state"] not in ENDED for each in reports):
                    return
            await asyncio.sleep(0.1)


async def crash(url: str, folder: Path, times: int, seed: int) -> Counter[str]:
    """Kill a server this often. Returns what the clients were answered; Lost."""
    chance, config = random.Random(seed), folder / "server.toml"
    config.write_text(SETTINGS)
    service = service_of(Settings(database_url=url, data_dir=folder / "here", cheap_hashes=True))

    def begin() -> ServerProcess:
        return start(folder / "server.log", data_dir=folder / "data", database=url, config=config)

    server = begin()
    try:
        await service.tokens.keys.refresh()
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            clients = await writers(World(Starlette(), service, SystemClock(), http))
            await settled(clients[0].world)
            for number in range(times):
                await round_of(server, clients, chance)
                server = await asyncio.to_thread(begin)
                http.base_url = httpx.URL(server.url)
                if sys.stderr.isatty() or (number + 1) % 10 == 0:
                    print(f"{number + 1} kills", file=sys.stderr, flush=True)
            await settled(clients[0].world)
            for each in clients:
                await each.check()
        return sum((each.answers for each in clients), Counter())
    finally:
        server.process.kill()
        server.process.wait()
        await service.database.close()


def main() -> None:
    """Kill the server, and print the written records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgresql", action="store_true", help="PostgreSQL instead of SQLite")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    product, begin = "postgresql" if options.postgresql else "sqlite", time.monotonic()
    with tempfile.TemporaryDirectory() as name, database(product) as url:
        folder = Path(name)
        try:
            answers = asyncio.run(crash(url or f"sqlite:///{folder / 'svc.db'}", folder, options.times, options.seed))
        except Lost as lost:
            raise SystemExit(f"{product}: {lost}") from None
    print(f"{product}: {options.times} kills in {time.monotonic() - begin:.0f} s, load {os.getloadavg()[0]:.1f}")
    for kind, count in sorted(answers.items()):
        print(f"{count:8,} {kind}")


if __name__ == "__main__":
    main()
