"""Many clients at once: `python -m tests.bench.mix [--database postgresql] [--rate 710] [--seconds 60]`.

Of the requests 60 % read a list of 20 applications, 30 % read one application and 10 % change one. Each client sends at
its own fixed times, as users do who do not wait for each other; a time is counted from when its request was due, so a
server that falls behind is seen. `--rate 0` sends the next request when the last one is answered. Only this machine is
addressed, for a minute at most.

It ends with 1 when a request is not answered with 200, or when one percent of them wait longer than `--bound`.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import httpx

from tests.bench.server import database, request_for, token_of, worked
from tests.stories.driver import profile
from tests.support.process import ServerProcess, serving

CLIENTS, MOST_SECONDS = 200, 60.0
APPLICATIONS = "/api/svc/applications/v1.0/applications"


@dataclass(frozen=True)
class Requests:
    """The requests that clients choose from."""

    port: int
    lists: list[bytes]
    records: list[bytes]
    changes: list[bytes]

    def one(self, chance: random.Random) -> tuple[str, bytes]:
        """The kind of the next request, and its bytes."""
        kind = chance.choices(("list", "record", "change"), (60, 30, 10))[0]
        requests = {"list": self.lists, "record": self.records, "change": self.changes}
        return kind, chance.choice(requests[kind])


def requests_of(url: str, token: str) -> Requests:
    """Requests of a superadmin for the first hundred applications."""
    headers = {"authorization": f"Bearer {token}"}
    found = httpx.get(f"{url}{APPLICATIONS}?limit=100&sortField=id", headers=headers).json()["data"]
    addresses = [f"{APPLICATIONS}/{each['id']}" for each in found]
    return Requests(
        httpx.URL(url).port or 0,
        [request_for(f"{APPLICATIONS}?limit=20&offset={20 * page}", token) for page in range(5)],
        [request_for(address, token) for address in addresses],
        [_change(address, token, number) for number, address in enumerate(addresses)],
    )


def _change(address: str, token: str, number: int) -> bytes:
    body = json.dumps({"description": f"Measured {number}"}).encode()
    head = request_for(address, token).replace(b"GET ", b"PUT ", 1).removesuffix(b"\r\n")
    return head + b"content-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body


class Measured:
    """The seconds that requests took, by kind, and how many had which status."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {"list": [], "record": [], "change": []}
        self.statuses: Counter[int] = Counter()
        self.lost = 0


async def client(requests: Requests, number: int, rate: float, end: float, measured: Measured) -> None:
    """One client with its own connection, until the end. One that loses it is counted."""
    try:
        await requests_of_client(requests, number, rate, end, measured)
    except (OSError, asyncio.IncompleteReadError):
        measured.lost += 1


async def requests_of_client(requests: Requests, number: int, rate: float, end: float, measured: Measured) -> None:
    """The requests of one client."""
    chance = random.Random(number)
    reader, writer = await asyncio.open_connection("127.0.0.1", requests.port)
    pause = CLIENTS / rate if rate else 0.0
    due = time.perf_counter() + pause * chance.random()
    while due < end:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        kind, request = requests.one(chance)
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        now = time.perf_counter()
        measured.times[kind].append(now - due)
        measured.statuses[int(head.split(b" ", 2)[1])] += 1
        due = due + pause if pause else now
    writer.close()


async def load(requests: Requests, rate: float, seconds: float) -> Measured:
    """All clients at once."""
    measured, end = Measured(), time.perf_counter() + seconds
    await asyncio.gather(*(client(requests, number, rate, end, measured) for number in range(CLIENTS)))
    return measured


def memory_of(process: int) -> float:
    """The resident memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure(server: ServerProcess, rate: float, seconds: float, bound: float) -> list[str]:
    """Measure, and print one line for each kind of request. Returns what is wrong with the answers."""
    token = asyncio.run(token_of(profile(server.url, "superadmin@demo.example")))
    requests, own = requests_of(server.url, token), server.process.pid
    asyncio.run(load(requests, rate, 1.0))
    memory, before, begin = memory_of(own), worked(own), time.perf_counter()
    measured = asyncio.run(load(requests, rate, seconds))
    elapsed, work = time.perf_counter() - begin, worked(own) - before
    everything = [each for times in measured.times.values() for each in times]
    print(f"\nLoad average of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{CLIENTS} clients, statuses {dict(measured.statuses)}; processor of the server {work / elapsed:.0%}")
    print(f"memory of the server {memory:.0f} MB after a second, {memory_of(own):.0f} MB at the end")
    print(f"{'':10}{'a second':>10}{'p50 ms':>9}{'p99 ms':>9}{'longest':>9}")
    for name, times in (*measured.times.items(), ("all", everything)):
        ordered = sorted(times)
        shown = [ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99)]
        print(f"{name:10}{len(ordered) / elapsed:10.0f}{shown[0]:9.1f}{shown[1]:9.1f}{ordered[-1] * 1000:9.1f}")
    return faults(measured, bound)


def faults(measured: Measured, bound: float) -> list[str]:
    """Answers that are errors, requests without an answer, and waits beyond the bound in seconds; 0 is no bound."""
    everything = sorted(each for times in measured.times.values() for each in times)
    found = [f"{count} answers with {status}" for status, count in measured.statuses.items() if status != 200]
    if measured.lost:
        found.append(f"{measured.lost} connections ended without an answer")
    if not everything:
        found.append("no answer at all")
    elif bound and (longest := everything[int(len(everything) * 0.99)]) > bound:
        found.append(f"p99 is {longest:.3f} s, its bound {bound} s")
    return found


def main() -> int:
    """Serve the demo data and measure. The exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument(
        "--rate", type=float, default=710.0, help="requests a second of all clients; 0 as many as possible"
    )
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--bound", type=float, default=1.0, help="seconds of p99; 0 without a bound")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        database(options.database) as url,
        serving(Path(name), demo_data="small", database=url, workers=options.workers) as server,
    ):
        found = measure(server, options.rate, min(options.seconds, MOST_SECONDS), options.bound)
    for fault in found:
        print(f"FAULT: {fault}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
