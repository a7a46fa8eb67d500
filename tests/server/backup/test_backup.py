"""Backups: one state of all tables in one file, restored completely or not at all, on and between both databases."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from svc_tui.server.backup.backup_file import Contents
from svc_tui.server.backup.restoring import contents_of, restore_backup
from svc_tui.server.backup.writing import RUNNING, present_tables, write_backup
from svc_tui.server.clock import SystemClock
from svc_tui.server.running.heartbeat import Heartbeat
from svc_tui.server.serve import FAILED, ServerCommandError, serve
from svc_tui.server.service import service_of
from svc_tui.server.settings import Settings
from svc_tui.server.store.coordination import PROCESSES
from svc_tui.server.store.creation import newest_version
from svc_tui.server.store.database import Database
from svc_tui.server.store.sqlite_lock import using_database
from svc_tui.server.store.tables import EVENT_LOG, OUTBOX, metadata
from tests.commands.conftest import Shell
from tests.support.databases import TABLES, Template
from tests.support.postgres import Postgres
from tests.support.process import serving_demo
from tests.support.versions import DOCUMENT, become_later, older, row_of

Rows = dict[str, list[dict[str, Any]]]
Document = dict[str, Any]
#: Bytes that are no text, and texts that are difficult to write.
CONTENT = bytes(range(256))
NAME = 'Æ\n\t"\\ \U0001f600 \u2028'


async def _fill(database: Database) -> None:
    """One record in each table; no process is alive."""
    await database.upgrade()
    async with database.engine.begin() as connection:
        for table in set(metadata.sorted_tables) - {PROCESSES}:
            row = row_of(table)
            row |= {name: CONTENT for name in row if isinstance(table.columns[name].type, sa.LargeBinary)}
            if "document" in row:
                row["document"] = {**row["document"], "displayName": NAME, "amount": 12.5}
            await connection.execute(table.insert().values(**row))


FILLED = Template("one_of_each", _fill)


async def _nothing(_database: Database) -> None:
    """A database without tables."""


def _settings(url: str, folder: Path) -> Settings:
    return Settings(database_url=url, data_dir=folder / "data")


async def _backup(url: str, file: Path, progress: Callable[[int, int], None] = lambda rows, total: None) -> Contents:
    return await asyncio.to_thread(write_backup, _settings(url, file.parent), file, progress)


async def _restore(url: str, file: Path, *, replace: bool = False) -> None:
    await asyncio.to_thread(restore_backup, _settings(url, file.parent), file, replace=replace)


async def _rows(url: str) -> Rows:
    """All rows of a database, by table."""
    database = Database(url)
    async with database.engine.connect() as connection:
        rows = {
            name: [dict(row) for row in (await connection.execute(sa.select(table))).mappings()]
            for name, table in (await connection.run_sync(present_tables)).items()
        }
    await database.close()
    return rows


def _kept(rows: Rows) -> Rows:
    return {name: found for name, found in rows.items() if name not in RUNNING}


@pytest.fixture
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Awaitable[str]]:
    """Makes databases of a product from a template; by default without tables."""

    numbers = count()

    async def make(product: str, template: Template | None = None) -> str:
        if product == "postgresql":
            postgres: Postgres = request.getfixturevalue("postgres")
            return await postgres.fresh(template or Template("empty", _nothing))
        path = tmp_path / f"{next(numbers)}.db"
        return template.copy(path) if template else f"sqlite:///{path}"

    return make


New = Callable[..., Awaitable[str]]
both = pytest.mark.parametrize("product", ["sqlite", "postgresql"])


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
@pytest.mark.parametrize("source", ["sqlite", "postgresql"])
async def test_a_backup_of_either_database_is_restored_into_either(
    new_database: New, tmp_path: Path, source: str, target: str
) -> None:
    before, after = await new_database(source, FILLED), await new_database(target)
    file = tmp_path / "svc.backup"
    contents = await _backup(before, file)
    assert file.stat().st_mode & 0o777 == 0o600
    await _restore(after, file)
    found = await _rows(after)
    assert _kept(found) == _kept(await _rows(before))
    assert found["images"][0]["content"] == CONTENT
    assert not any(found[name] for name in RUNNING)
    assert contents.rows == contents_of(file).rows == sum(map(len, _kept(found).values())) - 1


@both
async def test_a_backup_has_one_state_whatever_is_written_at_the_same_time(
    new_database: New, tmp_path: Path, product: str
) -> None:
    url, other, file = await new_database(product, FILLED), await new_database("sqlite"), tmp_path / "svc.backup"

    async def change() -> None:
        database = Database(url)
        async with database.unit() as store:
            await store.applications.add({"id": "new", "name": "Written first"})
            await store.users.add({"id": "new", "loginEmail": "new@example.com"})
        await database.close()

    totals: list[int] = []

    def change_once(rows: int, total: int) -> None:
        if rows and not totals:
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, change()).result(10)
        totals.append(total)

    before = await _rows(url)
    written = await _backup(url, file, change_once)
    assert set(totals) == {written.rows}
    assert len((await _rows(url))["users"]) == 2
    await _restore(other, file)
    assert _kept(await _rows(other)) == _kept(before)


@both
async def test_records_are_replaced_only_on_request_and_numbers_continue(
    new_database: New, tmp_path: Path, product: str
) -> None:
    source, target, file = await new_database("sqlite", FILLED), await new_database(product, TABLES), tmp_path / "b"
    await _backup(source, file)
    await _restore(target, file)
    database = Database(target)
    async with database.engine.begin() as connection:
        for table in (EVENT_LOG, OUTBOX):
            more = {key: value for key, value in row_of(table).items() if key != "number"}
            await connection.execute(table.insert().values(**more))
    changed = await _rows(target)
    assert [row["number"] for row in changed["event_log"]] == [1, 2]
    await database.close()
    with pytest.raises(ServerCommandError, match="has records"):
        await _restore(target, file)
    assert await _rows(target) == changed
    await _restore(target, file, replace=True)
    assert _kept(await _rows(target)) == _kept(await _rows(source))


@both
async def test_a_backup_of_an_earlier_version_is_upgraded(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, product: str
) -> None:
    source, target, file = await new_database("sqlite"), await new_database(product), tmp_path / "svc.backup"
    version = newest_version()
    database = Database(source)
    async with database.engine.begin() as connection:
        await connection.run_sync(older, version)
    await database.close()
    assert (await _backup(source, file)).revision == version
    become_later(monkeypatch, tmp_path / "migrations")
    await _restore(target, file)
    database = Database(target)
    await database.upgrade()
    async with database.unit() as store:
        assert await store.users.get("r1") == DOCUMENT
        assert await store.companies.get("r1") == {**DOCUMENT, "upgrades": 1}
    await database.close()


def _lines(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def _cut(content: bytes, _lines: list[bytes]) -> bytes:
    return content[: len(content) // 2]


def _without_last_line(_content: bytes, lines: list[bytes]) -> bytes:
    return gzip.compress(b"".join(lines[:-1]))


def _changed_value(_content: bytes, lines: list[bytes]) -> bytes:
    return gzip.compress(b"".join(lines).replace(b'"r1"', b'"r2"', 1))


def _missing_row(_content: bytes, lines: list[bytes]) -> bytes:
    return gzip.compress(b"".join(lines[:2] + lines[3:]))


def _flipped_bit(content: bytes, _lines: list[bytes]) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


def _something_else(_content: bytes, _lines: list[bytes]) -> bytes:
    return b"SQLite format 3\0"


def _no_object(_content: bytes, _lines: list[bytes]) -> bytes:
    return gzip.compress(b"[1, 2]\n")


def _more_after_the_end(_content: bytes, lines: list[bytes]) -> bytes:
    return gzip.compress(b"".join(lines) + lines[1])


FAULTS = (
    _cut,
    _without_last_line,
    _changed_value,
    _missing_row,
    _flipped_bit,
    _something_else,
    _no_object,
    _more_after_the_end,
)


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_cut_or_changed_file_is_refused_before_anything_changes(
    new_database: New, tmp_path: Path, fault: Callable[[bytes, list[bytes]], bytes]
) -> None:
    url, file = await new_database("sqlite", FILLED), tmp_path / "svc.backup"
    await _backup(url, file)
    file.write_bytes(fault(file.read_bytes(), _lines(file)))
    before = await _rows(url)
    with pytest.raises(ServerCommandError, match=r"svc\.backup is .*nothing was changed"):
        await _restore(url, file, replace=True)
    assert await _rows(url) == before


@both
async def test_a_failed_restore_does_not_change_the_database(
    new_database: New, tmp_path: Path, product: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, file = await new_database(product, FILLED), tmp_path / "svc.backup"
    await _backup(url, file)
    lines = _lines(file)
    contents = contents_of(file)
    # Changed between the check and the restore.
    file.write_bytes(gzip.compress(b"".join(lines[:-1])))
    monkeypatch.setattr("svc_tui.server.backup.restoring.contents_of", lambda _: contents)
    before = await _rows(url)
    with pytest.raises(ServerCommandError, match="cut: its end is missing; nothing was changed"):
        await _restore(url, file, replace=True)
    assert await _rows(url) == before


def _signed(*lines: object) -> bytes:
    """A file with these lines, whose last line fits them."""
    content = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    rows = sum(isinstance(line, list) for line in lines)
    return gzip.compress(content + json.dumps({"rows": rows, "sha256": sha256(content).hexdigest()}).encode() + b"\n")


def _begin(revision: object = newest_version()) -> Document:
    return {"svc-tui backup": 1, "revision": revision, "created": "2026-11-27T10:00:00.000Z"}


def _table(name: object, *columns: object, binary: Sequence[object] = ()) -> Document:
    return {"table": name, "columns": columns, "binary": binary}


CRAFTED = {
    "an empty version": (_begin(""),),
    "a version by its place": (_begin("head"),),
    "a version before another one": (_begin("0005:0008"),),
    "a version that is no text": (_begin(["0001"]),),
    "the version in a table": (_begin(), _table("alembic_version", "version_num"), ["0001"]),
    "a table that no backup has": (_begin(), _table("processes", "id"), ["p"]),
    "a table without columns": (_begin(), _table("users"), []),
    "a column twice": (_begin(), _table("users", "id", "id"), ["u", "u"]),
    "a table without a name": (_begin(), _table(["users"], "id"), ["u"]),
    "a column without a name": (_begin(), _table("users", ["id"]), ["u"]),
    "bytes in an unknown column": (_begin(), _table("users", "id", binary=["x"]), ["u"]),
    "a number for all bytes": (_begin(), _table("event_log", "number"), [2**70]),
    "a record that is none": (_begin(), _table("companies", "id", "document"), ["c", [1]]),
}


@pytest.mark.parametrize(
    ("product", "name"),
    [*(("sqlite", name) for name in CRAFTED), *(("postgresql", name) for name in list(CRAFTED)[-2:])],
)
async def test_a_crafted_file_is_refused_with_a_reason(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, product: str, name: str
) -> None:
    url, file = await new_database(product, FILLED), tmp_path / "svc.backup"
    become_later(monkeypatch, tmp_path / "migrations")
    file.write_bytes(_signed(*CRAFTED[name]))
    before = await _rows(url)
    with pytest.raises(ServerCommandError, match="nothing was changed"):
        await _restore(url, file, replace=True)
    assert await _rows(url) == before


@pytest.mark.parametrize(
    ("version", "refusal"),
    [
        ("9999", "newer version of svc-tui"),
        ("0026", "version before the first release of svc-tui, which alone can restore it"),
    ],
)
async def test_a_backup_of_an_unknown_version_is_refused(
    new_database: New, tmp_path: Path, version: str, refusal: str
) -> None:
    url, file = await new_database("sqlite", FILLED), tmp_path / "svc.backup"
    database = Database(url)
    async with database.engine.begin() as connection:
        await connection.execute(sa.text(f"UPDATE alembic_version SET version_num = '{version}'"))
    await database.close()
    assert (await _backup(url, file)).revision == version
    before = await _rows(url)
    with pytest.raises(ServerCommandError, match=f"{refusal}; nothing was changed"):
        await _restore(url, file, replace=True)
    assert await _rows(url) == before


@both
async def test_a_database_that_a_server_uses_is_not_restored(new_database: New, tmp_path: Path, product: str) -> None:
    url, file = await new_database(product, FILLED), tmp_path / "svc.backup"
    await _backup(url, file)
    service = service_of(_settings(url, tmp_path), clock=SystemClock())
    try:
        async with Heartbeat(service).running(), service.database.unit() as store:
            assert await store.users.count() == 1
            with pytest.raises(ServerCommandError, match="stop all servers first"):
                await _restore(url, file, replace=True)
    finally:
        await service.database.close()
    await _restore(url, file, replace=True)


async def test_a_server_that_starts_during_a_restore_waits_for_another_start(new_database: New, tmp_path: Path) -> None:
    url, file = await new_database("sqlite", FILLED), tmp_path / "svc.backup"
    await _backup(url, file)
    taken: list[int] = []

    def start_a_server(_rows: int) -> None:
        taken.append(taken[0] if taken else serve(port=0, database=url, data_dir=tmp_path / "data"))

    await asyncio.to_thread(restore_backup, _settings(url, tmp_path), file, replace=True, progress=start_a_server)
    assert set(taken) == {FAILED}
    with using_database(url), using_database(url), pytest.raises(ServerCommandError, match="stop all servers first"):
        await _restore(url, file, replace=True)


async def test_tables_of_other_programs_are_neither_saved_nor_removed(new_database: New, tmp_path: Path) -> None:
    url, file = await new_database("postgresql", FILLED), tmp_path / "svc.backup"
    database = Database(url)
    async with database.engine.begin() as connection:
        await connection.execute(sa.text("CREATE TABLE of_others (name TEXT)"))
        await connection.execute(sa.text("INSERT INTO of_others VALUES ('kept')"))
    await _backup(url, file)
    assert not any(b"of_others" in line for line in _lines(file))
    await _restore(url, file, replace=True)
    async with database.engine.connect() as connection:
        assert (await connection.execute(sa.text("SELECT name FROM of_others"))).scalars().all() == ["kept"]
    await database.close()


async def test_a_line_without_end_is_not_read_into_memory(
    new_database: New, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, file = await new_database("sqlite", FILLED), tmp_path / "svc.backup"
    await _backup(url, file)
    longest = max(map(len, _lines(file)))
    monkeypatch.setattr("svc_tui.server.backup.backup_file._LONGEST_LINE", longest)
    with pytest.raises(ServerCommandError, match="a line is too long"):
        contents_of(file)
    monkeypatch.setattr("svc_tui.server.backup.backup_file._LONGEST_LINE", longest + 1)
    contents_of(file)


async def test_a_backup_that_fails_leaves_no_file(new_database: New, tmp_path: Path) -> None:
    url, folder = await new_database("sqlite", FILLED), tmp_path / "backups"
    folder.mkdir()

    def fail(_rows: int, _total: int) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await _backup(url, folder / "svc.backup", fail)
    assert not list(folder.glob("*svc*"))
    (folder / "kept").touch()
    with pytest.raises(ServerCommandError, match="exists already"):
        await _backup(url, folder / "kept")
    with pytest.raises(ServerCommandError, match="exists already"):
        await _backup(url, folder / "late", lambda rows, total: (folder / "late").touch())
    assert (folder / "late").stat().st_size == 0
    with pytest.raises(ServerCommandError, match="there is no database"):
        await _backup(f"sqlite:///{tmp_path / 'missing.db'}", folder / "svc.backup")
    with pytest.raises(ServerCommandError, match="the database does not respond"):
        await _backup("postgresql://svc@127.0.0.1:1/svc", folder / "svc.backup")
    with pytest.raises(ServerCommandError, match="has no tables of a service"):
        (tmp_path / "empty.db").touch()
        await _backup(f"sqlite:///{tmp_path / 'empty.db'}", folder / "svc.backup")
    assert not list(folder.glob("*svc*")) and not (tmp_path / "missing.db").exists()


def test_the_commands_back_up_a_running_service_and_restore_it_elsewhere(tmp_path: Path) -> None:
    shell, file, data = Shell(tmp_path), tmp_path / "svc.backup", str(tmp_path / "data")
    with serving_demo(tmp_path):
        done = shell.run("server", "backup", str(file), "--data-dir", data, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["records"] > 4000 and found["bytes"] == file.stat().st_size
    unconfirmed = shell.run("server", "restore", str(file), "--data-dir", data, "--replace")
    assert unconfirmed.returncode == 2 and "--yes" in unconfirmed.stderr
    restored = shell.run("server", "restore", str(file), "--data-dir", str(tmp_path / "other"))
    assert restored.returncode == 0 and f"{found['records']}" in restored.stdout
    with closing(sqlite3.connect(tmp_path / "other" / "svc.db")) as database:
        secrets = [json.loads(row[0]) for row in database.execute("SELECT document FROM user_secrets")]
    printed = "".join(each.stdout + each.stderr for each in (done, unconfirmed, restored))
    values = {value for secret in secrets for value in secret.values() if isinstance(value, str)}
    assert values and not any(value in printed for value in values)
