"""Long checks of files: logins continue, a user has few at once, and they end with their caller and with the server."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from svc_tui.server.http.health import READY
from tests.server.directory.support import CSV, IMPORTS
from tests.support.process import ServerProcess, serving_demo

CHECK = IMPORTS + "/personal/check"
#: Rows with faults, which take longer to check than this test takes.
LONG = b"lastName;workPhoneNumber0\n" + b"Smith;none\n" * 800_000
LOGIN = "/api/svc/authentication/v1.0/login"


async def login(http: httpx.AsyncClient, name: str = "user") -> dict[str, str]:
    headers = {
        "authorization": basic(f"{name}@demo.example", PASSWORD),
        APP_AUTH: app_auth(APP_ID, APP_SECRET, PASSWORD),
    }
    answer = await http.get(LOGIN, headers=headers)
    assert answer.status_code == 200, answer.text
    return {"authorization": f"Bearer {answer.json()['token']}", **CSV}


@pytest.fixture
def server(tmp_path: Path) -> AsyncIterator[ServerProcess]:
    config = tmp_path / "server.toml"
    config.write_text("drain_seconds = 600\n")
    with serving_demo(tmp_path, config=config) as served:
        yield served
        # Its time for load balancers is longer than a test.
        served.process.kill()


async def long_check(http: httpx.AsyncClient, bearer: dict[str, str]) -> httpx.Response:
    """A check that takes long; sent again while there are too many."""
    while (answer := await http.post(CHECK, content=LONG, headers=bearer)).status_code == 429:
        continue
    return answer


async def short_check(http: httpx.AsyncClient, bearer: dict[str, str]) -> httpx.Response:
    return await http.post(CHECK, content=b"lastName\nSmith\n", headers=bearer)


async def until_full(
    http: httpx.AsyncClient, bearer: dict[str, str], checks: list[asyncio.Task[httpx.Response]]
) -> httpx.Response:
    """The refusal of another check, once as many as allowed have begun."""
    while (answer := await short_check(http, bearer)).status_code != 429:
        assert not any(check.done() for check in checks)
    return answer


def working(server: ServerProcess) -> list[int]:
    """The processes of long work."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    return [int(child) for child in children if "long_process" in command_of(child)]


def command_of(process: int | str) -> str:
    """The command line of a process; empty when it has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


async def until(condition: Callable[[], bool]) -> None:
    # The start and the end of a process are not reported.
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0)


async def test_long_checks_of_one_user_hold_up_nothing_and_end_with_their_callers(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        bearer = await login(http)
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as hasty:
            checks = [asyncio.create_task(long_check(hasty, bearer)) for _ in range(3)]
            refused = await until_full(http, bearer, checks)
            assert refused.json()["errorDetailsCode"] == 429000
            assert int(refused.headers["retry-after"]) > 0
            other = await login(http, "company_admin")
            assert (await short_check(http, other)).json()["data"]["okCount"] == 1
            assert not any(check.done() for check in checks)
            for check in checks:
                check.cancel()
            await asyncio.wait(checks)
        while (answer := await short_check(http, bearer)).status_code == 429:
            continue
        assert answer.json()["data"]["okCount"] == 1
        await until(lambda: not working(server))
        checks = [asyncio.create_task(long_check(http, bearer)) for _ in range(3)]
        await until(lambda: len(working(server)) == 3)
        # Until load balancers have seen that it stops, it answers as before. A second signal ends that time.
        server.process.terminate()
        while (await http.get(READY)).status_code == 200:
            continue
        assert (await short_check(http, other)).json()["data"]["okCount"] == 1
        assert not any(check.done() for check in checks)
        assert await asyncio.to_thread(server.end) == 0
        assert [(await check).json()["errorDetailsCode"] for check in checks] == [503001] * 3
    assert "Traceback" not in server.log
    assert "Cancel" not in server.log


async def test_a_long_check_is_a_process_that_ends_with_its_caller_and_with_a_killed_server(
    server: ServerProcess,
) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        bearer = await login(http)
        assert (await short_check(http, bearer)).status_code == 200
        assert not working(server)
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as hasty:
            check = asyncio.create_task(long_check(hasty, bearer))
            await until(lambda: bool(working(server)))
            check.cancel()
            await asyncio.wait([check])
        await until(lambda: not working(server))
        check = asyncio.create_task(long_check(http, bearer))
        await until(lambda: bool(working(server)))
        [process] = working(server)
        server.process.kill()
        server.process.wait()
        await asyncio.wait([check])
        await until(lambda: not command_of(process))


async def test_a_check_whose_process_is_killed_is_refused_and_an_import_fails_as_a_whole(server: ServerProcess) -> None:
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        bearer = await login(http)
        for path in (CHECK, IMPORTS + "/personal"):
            sent = asyncio.create_task(http.post(path, content=LONG, headers=bearer))
            while not sent.done():
                for process in working(server):
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                await asyncio.sleep(0)
            answer = await sent
            assert answer.json()["errorDetailsCode"] == 503001
            assert "Send the file again" in answer.json()["errorDetails"]
    assert "Traceback" not in server.log
