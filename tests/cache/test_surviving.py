"""What the cache survives: other versions, damage, full disks, other consoles. It never raises."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from svc_tui.cache.database import VERSION
from svc_tui.cache.store import Cache
from tests.cache.conftest import LIST, SERVICE, applications, keep


@pytest.mark.parametrize("version", [VERSION + 1, VERSION + 99])
async def test_a_file_of_another_version_is_set_aside(opened: Callable[..., Cache], file: Path, version: int) -> None:
    file.parent.mkdir(parents=True)
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE other (x)")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    cache = opened()
    assert cache.read_list_now(LIST, [0]).total is None
    await keep(cache, applications(1))
    assert cache.read_list_now(LIST, [0]).total == 1
    assert file.with_name("user.db.aside").exists() and cache.error_message == ""


@pytest.mark.parametrize("content", [b"", b"this is no database at all", b"SQLite format 3\x00" + b"\xff" * 5000])
async def test_a_file_that_is_not_a_database_is_set_aside(
    opened: Callable[..., Cache], file: Path, content: bytes
) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    cache = opened()
    await keep(cache, applications(2))
    assert cache.read_list_now(LIST, [0]).total == 2
    assert cache.error_message == ""


async def test_damage_of_an_open_file_starts_a_new_file(opened: Callable[..., Cache], file: Path) -> None:
    first = opened()
    await keep(first, applications(500, note="x" * 200))
    first.close()
    content = bytearray(file.read_bytes())
    # Only what is read later: it opens well.
    content[50_000:] = b"\xa5" * (len(content) - 50_000)
    file.write_bytes(content)
    cache = opened()
    assert cache.read_list_now(LIST, []).total == 500
    assert (await cache.read_list(LIST, range(5))).pages == {}
    await keep(cache, applications(2))
    assert (await cache.read_list(LIST, [0])).total == 2
    assert cache.error_message == "" and file.with_name("user.db.aside").exists()


async def test_records_of_another_service_are_not_shown(opened: Callable[..., Cache]) -> None:
    await keep(opened(), applications(2))
    assert opened(service="https://elsewhere.example").read_list_now(LIST, [0]).total is None


async def test_without_a_folder_the_cache_reports_an_error_and_works_in_memory(
    opened: Callable[..., Cache], tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("a file")
    said: list[str] = []
    cache = opened(path=tmp_path / "taken" / "profile" / "user.db")
    cache.on_error = said.append
    await keep(cache, applications(2))
    await keep(cache, applications(2), at=2000.0)
    assert (await cache.read_list(LIST, [0])).total == 2
    assert said == [cache.error_message]
    assert cache.error_message.endswith("The console continues without it.") and "\n" not in cache.error_message


FULL = """
    import asyncio, json, resource, sys
    from pathlib import Path
    from svc_tui.cache.store import Cache
    from tests.cache.conftest import LIST, SERVICE, applications, keep

    async def main():
        cache = Cache(Path(sys.argv[1]), service=SERVICE)
        await keep(cache, applications(100), total=100_000)
        said = []
        cache.on_error = said.append
        fill()
        for page in range(1, 40):
            await keep(cache, applications(100, page * 100, note="x" * 400), page=page, total=100_000)
        pages = await cache.read_list(LIST, range(40))
        await cache.remove_record("applications", "a3")
        after = await cache.read_list(LIST, [0, 39])
        print(json.dumps({"error_message": cache.error_message, "said": said, "pages": sorted(pages.pages),
                          "rows": pages.pages[0].rows[0], "last": len(after.pages[39].rows)}))
        cache.close()
"""
LIMITED = """
    def fill():
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
"""
TMPFS = """
    def fill():
        with open(Path(sys.argv[1]).parent / "ballast", "wb", buffering=0) as ballast:
            try:
                while ballast.write(b"x" * 4096):
                    pass
            except OSError:
                pass
"""


def _full(folder: Path, how: str) -> dict[str, object]:
    script = textwrap.dedent(FULL) + textwrap.dedent(how) + "\nasyncio.run(main())"
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder / "cache" / "user.db")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def _goes_on_from_memory(found: dict[str, object]) -> None:
    assert found["said"] == [found["error_message"]]
    assert str(found["error_message"]).startswith("The cache cannot be written (")
    assert found["pages"] == list(range(40)), "what was on disk and what came later can both be read"
    assert found["rows"] == {"id": "a0", "name": "App 0"}
    assert found["last"] == 100


def test_a_file_that_cannot_grow_leaves_the_console_working(tmp_path: Path) -> None:
    _goes_on_from_memory(_full(tmp_path, LIMITED))


def test_a_full_disk_leaves_the_console_working(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("a small disk needs the right to mount one")
    try:
        _goes_on_from_memory(_full(folder, TMPFS))
    finally:
        subprocess.run(["umount", str(folder)], check=True)


SEVERAL = """
    import asyncio, sys
    from pathlib import Path
    from svc_tui.cache.store import Cache
    from tests.cache.conftest import LIST, SERVICE, applications, keep

    async def main():
        me = int(sys.argv[2])
        cache = Cache(Path(sys.argv[1]), service=SERVICE, limit_bytes=2_000_000)
        for turn in range(40):
            await keep(cache, applications(100, me * 100), page=me, total=400, at=1000.0 + turn)
            await cache.store_record("applications", f"mine-{me}-{turn}", {"id": turn}, operation_id="get_application",
                                    fetched=1000.0)
            await cache.read_list(LIST, range(4))
        print(cache.error_message)
        cache.close()

    asyncio.run(main())
"""


async def test_several_consoles_write_into_one_cache(opened: Callable[..., Cache], file: Path) -> None:
    """Four processes begin at the same moment, none with a file to begin with."""
    command = [sys.executable, "-c", textwrap.dedent(SEVERAL), str(file)]
    running = [
        subprocess.Popen([*command, str(me)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for me in range(4)
    ]
    ended = [process.communicate(timeout=60) for process in running]
    assert [out.strip() + err for out, err in ended] == [""] * 4
    cache = opened()
    kept = await cache.read_list(LIST, range(4))
    assert {page: one.fetched for page, one in kept.pages.items()} == dict.fromkeys(range(4), 1039.0)
    records = [await cache.read_record("applications", f"mine-{me}-{turn}") for me in range(4) for turn in range(40)]
    assert None not in records
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
    assert not file.with_name("user.db.aside").exists()


FIRST_SCREEN = """
    import sys, time
    from pathlib import Path
    from svc_tui.cache.store import Cache

    cache = Cache(Path(sys.argv[1]), service=SERVICE)
    assert len(cache.read_list_now(LIST, [3]).pages[3].rows) == 100
    loaded = {name.split(".")[0] for name in sys.modules}
    print(sorted(loaded & {"pydantic", "httpx", "sqlalchemy", "textual", "platformdirs"}),
          [name for name in sys.modules if name == "svc_tui.interface.records"])
"""


async def test_the_first_screen_loads_no_models_and_no_network(cache: Cache, file: Path) -> None:
    await keep(cache, applications(1000))
    script = f"LIST, SERVICE = {LIST!r}, {SERVICE!r}" + textwrap.dedent(FIRST_SCREEN)
    done = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] []"
