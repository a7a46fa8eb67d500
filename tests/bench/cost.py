"""Measures lists with very many records and prints the figures: `python -m tests.bench.cost [--postgresql]`.

A million directory entries of one company, 100,000 recordings of one CloudPBX, 100,000 users, 20,000 applications;
`--share 100` makes a hundredth of them. For each list the milliseconds of a first page, one in the middle, a filter, a
text, the count, and the last page with its count; for the export the seconds, the megabytes and the memory that it
took on top.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import asyncpg
from pydantic_core import to_json

from svc_tui.server.store.conditions import AllOf, Contains, ContainsAny, Is, Not
from svc_tui.server.store.database import Database
from svc_tui.server.store.directory_tables import DIRECTORY_ENTRIES
from svc_tui.server.store.documents import DocumentCollection, Sort
from svc_tui.server.store.tables import APPLICATIONS, USERS, DocumentTable
from svc_tui.server.store.voice_tables import RECORDINGS
from svc_tui.server.store.walking import walked
from tests.support.postgres import running
from tests.support.postgres_copy import copy_rows

Document = dict[str, Any]
Counts = tuple[int, int, int, int]

_SYLLABLES = (
    "an",
    "bel",
    "cor",
    "dan",
    "el",
    "fir",
    "gan",
    "hol",
    "is",
    "jor",
    "kel",
    "lam",
    "mor",
    "nis",
    "ot",
    "pel",
)
_REPEATS = 7
#: Entries with a tag, as their list reads them.
_TAGGED = AllOf((Contains("search", "vip"), ContainsAny("tags", ("vip",))))
_OURS = AllOf((Is("directory", "d"), Is("type", "user")))
#: Users, as their list reads them.
_USERS = AllOf((ContainsAny("roles", ("user",)), Not(Is("isTerminated", True))))


def _name(chance: random.Random) -> str:
    return "".join(chance.choice(_SYLLABLES) for _ in range(4)).title()


def _entries(count: int) -> Iterator[Document]:
    chance = random.Random(1)
    for number in range(count):
        yield {
            "id": f"{number:024x}",
            "directory": "d",
            "companyId": "c",
            "type": "user",
            "firstName": _name(chance),
            "lastName": _name(chance),
            "eMail": f"{number}@directory.example",
            "workPhoneNumbers": [f"+331{number:08}"],
            "ldap_id": f"L{number}",
            "tags": ["vip"] if number % 1000 == 0 else [],
            "creationDate": "2026-01-01T00:00:00.000Z",
        }


def _recordings(count: int) -> Iterator[Document]:
    chance = random.Random(2)
    for number in range(count):
        yield {
            "id": f"{number:024x}",
            "systemId": "s",
            "companyId": "c",
            "date": f"2026-{1 + number % 12:02}-{1 + number % 28:02}T{number % 24:02}:00:{number % 60:02}.000Z",
            "duration": chance.randrange(3600),
            "size": chance.randrange(10**7),
            "direction": "incoming" if number % 2 else "outgoing",
            "recordedParty": {"phoneNumberId": f"p{number % 500}", "name": _name(chance), "number": f"{number % 500}"},
            "otherParty": {"number": f"+331{number:08}"},
        }


def _users(count: int) -> Iterator[Document]:
    chance = random.Random(4)
    for number in range(count):
        first, last = _name(chance), _name(chance)
        yield {
            "id": f"{number:024x}",
            "loginEmail": f"{number}@users.example",
            "companyId": f"c{number % 1500}",
            "companyName": f"Company {number % 1500}",
            "firstName": first,
            "lastName": last,
            "displayName": f"{first} {last}",
            "roles": ["user"],
            "isActive": True,
            "isTerminated": False,
            "creationDate": f"2026-01-{1 + number % 28:02}T00:00:00.000Z",
            # As many as the other fields of a user have.
            "settings": "x" * 1500,
        }


def _applications(count: int) -> Iterator[Document]:
    chance = random.Random(3)
    for number in range(count):
        yield {
            "id": f"{number:024x}",
            "name": f"{_name(chance)} {number}",
            "ownerId": f"u{number % 200}",
            "state": "active" if number % 5 else "stopped",
            "env": "deployed",
            "type": "web",
            "dateOfCreation": f"2026-01-{1 + number % 28:02}T00:00:00.000Z",
        }


async def _milliseconds(work: Callable[[], Awaitable[object]]) -> float:
    times = []
    for _ in range(_REPEATS):
        begin = time.perf_counter()
        await work()
        times.append((time.perf_counter() - begin) * 1000)
    return sorted(times)[_REPEATS // 2]


def _fill(connection: sqlite3.Connection, kind: DocumentTable, documents: Iterator[Document]) -> None:
    """Insert with the driver alone, many rows at a time."""
    names = [column.name for column in kind.table.c]
    statement = f"INSERT INTO {kind.name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    rows = (kind.row(document) | {"document": to_json(document).decode()} for document in documents)
    connection.executemany(statement, ([row[name] for name in names] for row in rows))


async def _measure_lists(database: Database, counts: Counts) -> None:
    titles = ("first", "middle", "backwards", "filter", "text", "rare text", "count", "last")
    print(f"{'milliseconds':28}" + "".join(f"{title:>11}" for title in titles))
    for name, field, count, ours, where, text in (
        (
            "directory_entries",
            "lastName",
            counts[0],
            _OURS,
            _TAGGED,
            "search",
        ),
        ("recordings", "date", counts[1], Is("systemId", "s"), Is("phoneNumberId", "p7"), "otherNumber"),
        ("users", "displayName", counts[2], _USERS, Is("companyId", "c7"), "loginEmail"),
        ("applications", "name", counts[3], Is("env", "deployed"), Is("state", "stopped"), "name"),
    ):
        common, rare = Contains(text, "1"), Contains(text, "nowhere")

        def page(*more: Any, descending: bool = False, at: int = 0) -> Callable[[], Awaitable[object]]:
            async def read() -> object:
                async with database.unit() as store:
                    collection: DocumentCollection = getattr(store, name)  # noqa: B023
                    # Without the total, which is measured by itself.
                    ids = await collection._ids((ours, *more), Sort(field, descending), 100, at)  # noqa: B023
                    return await collection.of(ids)

            return read

        async def counted() -> object:
            async with database.unit() as store:
                return await getattr(store, name).count(ours)  # noqa: B023

        async def last() -> object:
            async with database.unit() as store:
                collection: DocumentCollection = getattr(store, name)  # noqa: B023
                return await collection._window((ours,), Sort(field), 100, count - 100)  # noqa: B023

        pages = (page(), page(at=count // 2), page(descending=True), page(where), page(common), page(rare))
        works = (*pages, counted, last)
        found = [await _milliseconds(work) for work in works]
        print(f"{count:>9,} {name:18}" + "".join(f"{each:11.1f}" for each in found))


async def _measure_export(database: Database) -> None:
    before, begin = _memory(), time.perf_counter()
    most, entries, size = before, 0, 0
    async for texts in walked(database, DIRECTORY_ENTRIES, _OURS):
        entries, size, most = entries + len(texts), size + sum(len(text) for text in texts), max(most, _memory())
    seconds = time.perf_counter() - begin
    grown = f"{most - before:.1f} MB of memory"
    print(f"export of {entries:,} entries: {seconds:.1f} s, {size / 2**20:.0f} MB, {grown}")


def _memory() -> float:
    """The megabytes of this process alone, without the pages of files: SQLite maps a part of the database, whose pages
    the system takes back when it needs them."""
    [own] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("RssAnon:")]
    return int(own.split()[1]) / 1024


async def _filled(path: Path, counts: Counts) -> str:
    """The address of an SQLite database with this many records; its indexes are made at the end."""
    url = f"sqlite:///{path}"
    database = Database(url)
    await database.upgrade()
    await database.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-500000")
        made = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        indexes = connection.execute(made).fetchall()
        for name, _ in indexes:
            connection.execute(f"DROP INDEX {name}")
        _fill(connection, DIRECTORY_ENTRIES, _entries(counts[0]))
        _fill(connection, RECORDINGS, _recordings(counts[1]))
        _fill(connection, USERS, _users(counts[2]))
        _fill(connection, APPLICATIONS, _applications(counts[3]))
        for _, statement in indexes:
            connection.execute(statement)
        connection.commit()
    return url


@asynccontextmanager
async def _opened(url: str | None) -> AsyncIterator[str]:
    """The address of an empty PostgreSQL database: the one that is given, or one on its own server."""
    if url:
        yield url
        return
    with running() as server:
        await server.empty("cost")
        yield server.url("cost")


async def _analyze(url: str) -> None:
    """Statistics, which PostgreSQL also makes by itself some minutes later."""
    connection = await asyncpg.connect(url)
    await connection.execute("ANALYZE")
    await connection.close()


async def _measure(database: Database, counts: Counts) -> None:
    await _measure_lists(database, counts)
    await _measure_export(database)
    await database.close()


async def measure(share: int, *, postgresql: bool, url: str | None) -> None:
    """Fill a database, then print the figures."""
    counts = (1_000_000 // share, 100_000 // share, 100_000 // share, 20_000 // share)
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        path = Path(folder) / "svc.db"
        filled = await _filled(path, counts)
        print(f"{sum(counts):,} records, {path.stat().st_size >> 20} MB, in {time.perf_counter() - begin:.0f} s")
        if not postgresql:
            await _measure(Database(filled), counts)
            return
        async with _opened(url) as address:
            begin = time.perf_counter()
            await copy_rows(path, address)
            await _analyze(address)
            print(f"copied to PostgreSQL in {time.perf_counter() - begin:.0f} s")
            await _measure(Database(address), counts)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--postgresql", action="store_true", help="with a PostgreSQL server of its own")
    parser.add_argument("--share", type=int, default=1, help="a part of the records, such as 100 for a hundredth")
    parser.add_argument("--url", help="an empty database of a PostgreSQL server on this machine, with pg_trgm")
    options = parser.parse_args()
    asyncio.run(measure(options.share, postgresql=options.postgresql or bool(options.url), url=options.url))


if __name__ == "__main__":
    main()
