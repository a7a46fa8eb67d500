"""Measures how many requests a second the server answers: `python -m tests.bench.server [--database postgresql]`.

Each answer is compared with a bare ASGI application that sends the same bytes on uvicorn as it comes (asyncio, h11), in
turns within the same run. How many there are a second depends on what else runs on this machine: the load average is
printed with it. The processor time of the server for a request depends on that much less, and its ratio least of all.
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from svc_tui.client.client import Client
from svc_tui.client.login import login
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session
from tests.stories.driver import profile
from tests.support.postgres import running
from tests.support.process import ServerProcess, serving

CONNECTIONS = 16
ROUNDS = 5
#: The server of the comparison: sends its standard input, whatever is asked.
_BARE = """
import socket, sys, uvicorn
body = sys.stdin.buffer.read()
async def app(scope, receive, send):
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
# With its protocol named, answers are sent at once.
listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
listener.bind(("127.0.0.1", 0))
listener.listen(100)
print(listener.getsockname()[1], flush=True)
options = {"log_config": None, "access_log": False, "lifespan": "off", "http": "h11", "loop": "asyncio"}
uvicorn.Server(uvicorn.Config(app, **options)).run([listener])
"""


@dataclass(frozen=True)
class Target:
    """A request that is repeated: where it goes, what is sent, and the status that must come back."""

    name: str
    port: int
    process: int
    request: bytes
    status: int = 200


class Repeated(asyncio.Protocol):
    """One connection: the next request when the answer of the last one is complete."""

    def __init__(self, target: Target, ended: asyncio.Event) -> None:
        self._target, self._ended = target, ended
        self._missing, self._head = 0, b""
        self.sent = 0.0
        self.times: list[float] = []
        self.wrong = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._send()

    def _send(self) -> None:
        self.sent = time.perf_counter()
        self._transport.write(self._target.request)

    def data_received(self, data: bytes) -> None:
        if not self._missing:
            self._head += data
            head, found, rest = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            self.wrong += int(head.split(b" ", 2)[1]) != self._target.status
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            self._missing, self._head = int(length.split(b":")[1]) - len(rest), b""
        else:
            self._missing -= len(data)
        if not self._missing:
            self.times.append(time.perf_counter() - self.sent)
            if self._ended.is_set():
                self._transport.close()
            else:
                self._send()

    def connection_lost(self, error: Exception | None) -> None:
        self.wrong += not self._ended.is_set()


@dataclass(frozen=True)
class Load:
    """Requests a second, the milliseconds that 99 of 100 took at most, and processor time in microseconds for each."""

    rate: float
    slowest: float
    work: float


def worked(process: int) -> float:
    """The processor time of a process so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def load(target: Target, seconds: float, connections: int) -> Load:
    """Repeat a request on several connections."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    before = worked(target.process)
    begin = time.perf_counter()
    made = [
        (await loop.create_connection(lambda: Repeated(target, ended), "127.0.0.1", target.port))[1]
        for _ in range(connections)
    ]
    await asyncio.sleep(seconds)
    ended.set()
    times = sorted(each for one in made for each in one.times)
    elapsed = time.perf_counter() - begin
    await asyncio.sleep(0.2)
    if wrong := sum(one.wrong for one in made):
        raise SystemExit(f"{target.name}: {wrong} wrong answers")
    work = (worked(target.process) - before) / len(times) * 1e6
    return Load(len(times) / elapsed, times[int(len(times) * 0.99)] * 1000, work)


@contextmanager
def bare(body: bytes) -> Iterator[tuple[int, int]]:
    """The bare application; its port and its process."""
    process = subprocess.Popen([sys.executable, "-c", _BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(body)
    process.stdin.close()
    try:
        yield int(process.stdout.readline()), process.pid
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


@contextmanager
def json_server(program: str, listed: bytes) -> Iterator[list[Target]]:
    """json-server with the same list, and one of its records; nothing without the path of its program."""
    if not program:
        yield []
        return
    with tempfile.TemporaryDirectory() as name, socket.create_server(("127.0.0.1", 0)) as free:
        port, records = free.getsockname()[1], Path(name) / "db.json"
        data = json.loads(listed)["data"]
        records.write_text(json.dumps({"applications": data}))
        free.close()
        process = subprocess.Popen([program, "--quiet", "--host", "127.0.0.1", "--port", str(port), str(records)])
        try:
            address = f"http://127.0.0.1:{port}/applications"
            while not _answers(address):
                time.sleep(0.1)
            one = request_for(f"/applications/{data[0]['id']}", "")
            whole = request_for("/applications", "")
            yield [
                Target("json-server, the same list", port, process.pid, whole),
                Target("json-server, the same record", port, process.pid, one),
            ]
        finally:
            process.terminate()
            process.wait(10)


def _answers(address: str) -> bool:
    try:
        return httpx.get(address).status_code == 200
    except httpx.TransportError:
        return False


def request_for(path: str, token: str) -> bytes:
    """The bytes of a GET."""
    credentials = f"authorization: Bearer {token}\r\n" if token else ""
    return f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{credentials}accept: application/json\r\n\r\n".encode()


async def token_of(known: Profile) -> str:
    """A token of the account, by a login."""
    client = Client(known, Session(known))
    await login(client, known.login, known.password)
    await client.aclose()
    return client.session.token


def measure(server: ServerProcess, account: str, seconds: float, connections: int, program: str) -> None:
    """Measure and print one line for each kind of answer."""
    url = server.url
    own = (httpx.URL(url).port or 0, server.process.pid)
    known = profile(url, f"{account}@demo.example")
    token = asyncio.run(token_of(known))
    applications = "/api/svc/applications/v1.0/applications"
    with httpx.Client(base_url=url, headers={"authorization": f"Bearer {token}"}) as client:
        listed = f"{applications}?format=full&limit=100"
        whole = client.get(listed)
        one = client.get(f"{applications}/{whole.json()['data'][0]['id']}")
    with (
        bare(whole.content) as same_list,
        bare(one.content) as same_record,
        json_server(program, whole.content) as others,
    ):
        large = Target("bare, same bytes as the list", *same_list, request_for("/", ""))
        small = Target("bare, same bytes as a record", *same_record, request_for("/", ""))
        pairs = [
            (Target(f"list of 100, {len(whole.content):,} bytes", *own, request_for(listed, token)), large),
            (Target("list of 100, small format", *own, request_for(f"{applications}?limit=100", token)), large),
            (Target("one record", *own, request_for(str(one.url.raw_path, "ascii"), token)), small),
            (Target("refusal without credentials", *own, request_for(applications, ""), 401), small),
            *zip(others, (large, small), strict=False),
        ]
        targets = [*(target for target, _ in pairs), large, small]
        found: dict[str, list[Load]] = {target.name: [] for target in targets}
        for _ in range(ROUNDS):
            for target in targets:
                found[target.name].append(asyncio.run(load(target, seconds, connections)))
    print(f"\nLoad average of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{'':34}{'a second':>10}{'of bare':>9}{'p99 ms':>9}{'work us':>9}{'x bare':>8}")
    for target, beside in [*pairs, (large, large), (small, small)]:
        measured, other = best(found[target.name]), best(found[beside.name])
        share, times = measured.rate / other.rate, measured.work / other.work
        print(
            f"{target.name:34}{measured.rate:10.0f}{share:9.3f}{measured.slowest:9.1f}{measured.work:9.0f}{times:8.2f}"
        )


def best(loads: list[Load]) -> Load:
    """The best of each figure: what the machine did beside it only makes them worse."""
    return Load(max(each.rate for each in loads), min(each.slowest for each in loads), min(each.work for each in loads))


@contextmanager
def database(product: str) -> Iterator[str | None]:
    """The address of an empty database; None for an SQLite file of the server's own."""
    if product == "sqlite":
        yield None
        return
    with running() as postgres:
        asyncio.run(postgres.empty("bench"))
        yield postgres.url("bench")


def main() -> None:
    """Serve the demo data and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--scale", default="small", choices=("small", "large"))
    parser.add_argument("--account", default="superadmin")
    parser.add_argument("--database", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument(
        "--json-server", default="", help="path of the program json-server, which is measured beside it"
    )
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as name,
        database(options.database) as url,
        serving(Path(name), demo_data=options.scale, database=url) as server,
    ):
        measure(server, options.account, options.seconds, options.connections, options.json_server)


if __name__ == "__main__":
    main()
