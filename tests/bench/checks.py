"""Requests beside long checks: `python -m tests.bench.checks [--files 8] [--megabytes 20] [--faults]`.

Files are checked over and over by users of several companies, at most three of each user. Beside them, one client asks
for the version of a module, one request after the other, and another one logs in. Only this machine is addressed.
"""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

import httpx

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from tests.bench.server import worked
from tests.support.process import ServerProcess, serving

PING, LOGIN = "/api/svc/directory/v1.0/about", "/api/svc/authentication/v1.0/login"
CHECK = "/api/svc/massprovisioning/v1.0/directories/imports/personal/check"
USERS = ("user", "company_admin", "superadmin", "support")
ROW = b"Ann;Miller;Company;+33123456789;ann.miller@company.example;Lyon;accounts\n"
FAULTY = b"Ann;Miller;Company;none;ann.miller@company.example;Lyon;accounts\n"
HEAD = b"firstName;lastName;companyName;workPhoneNumber0;eMail;city;tag0\n"


async def logged_in(http: httpx.AsyncClient, name: str) -> dict[str, str]:
    """The headers of a session."""
    headers = {
        "authorization": basic(f"{name}@demo.example", PASSWORD),
        APP_AUTH: app_auth(APP_ID, APP_SECRET, PASSWORD),
    }
    answer = await http.get(LOGIN, headers=headers)
    answer.raise_for_status()
    return {"authorization": f"Bearer {answer.json()['token']}", "content-type": "text/csv; charset=utf-8"}


async def checks(http: httpx.AsyncClient, headers: dict[str, str], content: bytes, done: list[int]) -> None:
    """Checks of one file without end."""
    while True:
        answer = await http.post(CHECK, content=content, headers=headers)
        answer.raise_for_status()
        done.append(answer.json()["data"]["okCount"])


async def measure(server: ServerProcess, files: int, content: bytes, seconds: float) -> None:
    """Measure, and print the figures."""
    async with httpx.AsyncClient(base_url=server.url, timeout=600) as http:
        sessions = [await logged_in(http, name) for name in USERS]
        done: list[int] = []
        running = [
            asyncio.create_task(checks(http, sessions[number % len(sessions)], content, done))
            for number in range(files)
        ]
        await asyncio.sleep(1)
        pings: list[float] = []
        logins: list[float] = []
        before, begin = worked(server.process.pid), time.perf_counter()
        logging_in = asyncio.create_task(_logins(http, logins))
        while time.perf_counter() - begin < seconds:
            sent = time.perf_counter()
            (await http.get(PING)).raise_for_status()
            pings.append(time.perf_counter() - sent)
        elapsed, work = time.perf_counter() - begin, worked(server.process.pid) - before
        for task in (*running, logging_in):
            task.cancel()
        results = await asyncio.gather(*running, return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in results), results
    print(f"\nLoad average of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{files} files of {len(content) >> 20} MB at a time: {len(done)} checks in {elapsed:.1f} s")
    print(f"processor of the server {work / elapsed:.0%}")
    for name, times in (("pings", sorted(pings)), ("logins", sorted(logins))):
        shown = [times[int(len(times) * share)] * 1000 for share in (0.5, 0.99)]
        print(f"{name:8}{len(times) / elapsed:8.1f} a second, p50 {shown[0]:.1f} ms, p99 {shown[1]:.1f} ms")


async def _logins(http: httpx.AsyncClient, times: list[float]) -> None:
    while True:
        begin = time.perf_counter()
        await logged_in(http, "bp_admin")
        times.append(time.perf_counter() - begin)
        await asyncio.sleep(1.2)


def main() -> None:
    """Serve the demo data and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=8)
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--faults", action="store_true", help="every row has a fault, which takes longer")
    parser.add_argument("--seconds", type=float, default=15.0)
    options = parser.parse_args()
    row = FAULTY if options.faults else ROW
    content = HEAD + row * ((options.megabytes << 20) // len(row))
    with tempfile.TemporaryDirectory() as name, serving(Path(name), demo_data="small") as server:
        asyncio.run(measure(server, options.files, content, min(options.seconds, 60.0)))


if __name__ == "__main__":
    main()
