"""Two servers on one PostgreSQL behind HAProxy, under load: `python -m tests.bench.balanced [--seconds 60]`.

HAProxy runs with `docs/operating/haproxy.cfg`, in which only addresses and the number of connections are replaced. One
server is stopped and started again, which no client may notice, then it is killed and started again. Afterwards every
acknowledged write is there, of requests without a response everything or nothing, and every synchronisation was done
once. Otherwise it ends with code 1.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import trustme
from starlette.applications import Starlette

from svc_tui.server.clock import SystemClock
from svc_tui.server.service import service_of
from svc_tui.server.settings import Settings
from tests.bench.crashes import settled
from tests.bench.server import database
from tests.bench.writers import APPLICATIONS, Lost, Writer, failure, writers
from tests.repository.files import ROOT
from tests.server.test_machines import JOBS, all_done, order
from tests.server.voice.world import member
from tests.support.process import ServerProcess, start
from tests.support.world import World

SHIPPED = ROOT / "docs" / "operating" / "haproxy.cfg"
SETTINGS = 'cheap_hashes = true\nbilling_sync_seconds = 0.2\ndrain_seconds = 5\ntrusted_proxies = ["127.0.0.1"]\n'
READERS, MOST_SECONDS = 8, 60.0


def free_port() -> int:
    """A port that no program listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Balancer:
    """HAProxy in front of the ports of two servers, with TLS."""

    def __init__(self, folder: Path, ports: tuple[int, int]) -> None:
        authority, self.port = trustme.CA(), free_port()
        authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(str(folder / "svc.pem"))
        self.trust = ssl.create_default_context()
        authority.configure_trust(self.trust)
        self._socket, self._log = folder / "admin.sock", folder / "haproxy.log"
        text = SHIPPED.read_text(encoding="utf-8")
        for shipped, here in (
            ("global\n", "global\n    log stderr format raw local0\n"),
            ("defaults\n", "defaults\n    log global\n    option httplog\n"),
            # More than a test needs, and more than every shell allows.
            ("maxconn 4000", "maxconn 400"),
            (":443 ssl", f"127.0.0.1:{self.port} ssl"),
            ("/etc/haproxy/svc.pem", str(folder / "svc.pem")),
            ("/run/haproxy/admin.sock", str(self._socket)),
            ("192.0.2.11:8080", f"127.0.0.1:{ports[0]}"),
            ("192.0.2.12:8080", f"127.0.0.1:{ports[1]}"),
        ):
            assert shipped in text, shipped
            text = text.replace(shipped, here)
        (folder / "haproxy.cfg").write_text(text)
        self._command = [shutil.which("haproxy") or "/usr/sbin/haproxy", "-db", "-f", str(folder / "haproxy.cfg")]

    @contextmanager
    def running(self) -> Iterator[Balancer]:
        """HAProxy for the length of a block."""
        checked = subprocess.run([*self._command, "-c"], capture_output=True, text=True)
        assert checked.returncode == 0, checked.stderr
        with self._log.open("wb") as log:
            process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=log)
        try:
            while process.poll() is None and not self._socket.exists():
                time.sleep(0.05)
            assert process.poll() is None, "HAProxy did not start"
            yield self
        finally:
            process.terminate()
            process.wait(10)

    def remarks(self) -> list[str]:
        """What it logged of servers, and of responses that clients take for errors."""
        lines = self._log.read_text(errors="replace").splitlines()
        return [line for line in lines if re.search(r"(?: 5\d\d \d+ - - )|Server servers/|no server", line)]

    async def sees(self, up: set[str]) -> None:
        """Wait until a health check found exactly these servers ready. New servers count as ready before the first."""
        async with asyncio.timeout(60):
            while True:
                reader, writer = await asyncio.open_unix_connection(self._socket)
                writer.write(b"show stat\n")
                lines = [line.split(",") for line in (await reader.read()).decode().splitlines() if line]
                writer.close()
                place, checked = lines[0].index("status"), lines[0].index("check_status")
                servers = {line[1]: line for line in lines if line[0] == "servers" and line[1] in ("one", "two")}
                # An asterisk marks a check that runs at the moment.
                ready = {name for name, line in servers.items() if line[place] == "UP" and line[checked].endswith("OK")}
                if ready == up:
                    return
                await asyncio.sleep(0.1)


@dataclass
class Load:
    """Clients of the balancer; `phase` is what happens at the moment."""

    clients: list[Writer]
    phase: str = ""
    answered: Counter[str] = field(default_factory=Counter)
    #: Phase, method, and status or kind of the error -> requests.
    failed: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    #: Lines of the balancer's log.
    remarks: list[str] = field(default_factory=list)

    async def write(self, client: Writer) -> None:
        """Write without a pause. After a failure, continue from what is stored; Lost."""
        while True:
            try:
                await client.step()
                self.answered[self.phase] += 1
            except httpx.TransportError as error:
                self.failed[(self.phase, "write", str(error) or type(error).__name__)] += 1
                # The database may still be at the last statement of a killed server.
                await asyncio.sleep(1)
                await client.check()

    async def read(self, client: Writer) -> None:
        """Read a list without a pause."""
        while True:
            try:
                answer = await client.world.send("GET", f"{APPLICATIONS}?limit=5", by=client.by)
                if answer.status_code == 200:
                    self.answered[self.phase] += 1
                else:
                    self.failed[(self.phase, "read", failure(answer))] += 1
            except httpx.TransportError as error:
                self.failed[(self.phase, "read", str(error) or type(error).__name__)] += 1


async def balance(url: str, folder: Path, seconds: float) -> Load:
    """Stop and kill a server under load. Returns what the clients saw; Lost."""
    config = folder / "server.toml"
    config.write_text(SETTINGS)
    service = service_of(Settings(database_url=url, data_dir=folder / "here", cheap_hashes=True))
    ports = free_port(), free_port()

    def begin(name: str, port: int) -> ServerProcess:
        return start(folder / f"{name}.log", data_dir=folder / name, database=url, config=config, port=port)

    one = begin("one", ports[0])
    two = begin("two", ports[1])
    try:
        await service.tokens.keys.refresh()
        balancer = Balancer(folder, ports)
        with balancer.running():
            options = {"base_url": f"https://127.0.0.1:{balancer.port}", "verify": balancer.trust, "timeout": 60}
            async with httpx.AsyncClient(**options) as http:  # type: ignore[arg-type]
                await balancer.sees({"one", "two"})
                world = World(Starlette(), service, SystemClock(), http)
                load = Load(await writers(world), "both")
                administrator = await member(world, "company_admin")
                tasks = [asyncio.create_task(load.write(each)) for each in load.clients]
                tasks += [asyncio.create_task(load.read(load.clients[0])) for _ in range(READERS)]
                await asyncio.sleep(seconds / 6)
                load.phase = "stopped"
                ordered = await order(service.database)
                await asyncio.to_thread(one.end, 60)
                await asyncio.sleep(seconds / 6)
                load.phase = "started"
                one = await asyncio.to_thread(begin, "one", ports[0])
                await balancer.sees({"one", "two"})
                await asyncio.sleep(seconds / 6)
                load.phase = "killed"
                ordered |= await order(service.database, JOBS)
                await asyncio.sleep(4)
                one.process.kill()
                await asyncio.to_thread(one.process.wait)
                await asyncio.sleep(seconds / 6)
                load.phase = "started again"
                one = await asyncio.to_thread(begin, "one", ports[0])
                await balancer.sees({"one", "two"})
                await asyncio.sleep(seconds / 6)
                done = await all_done(service.database, ordered, administrator["id"])
                for task in tasks:
                    if task.done():
                        task.result()
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await settled(world)
                for each in load.clients:
                    await each.check()
                counted = Counter(each for each in done if each in ordered)
                load.remarks = balancer.remarks()
                if counted != dict.fromkeys(ordered, 1):
                    raise Lost(f"synchronisations that were not done once: {counted}")
        return load
    finally:
        for server in (one, two):
            server.process.kill()
            server.process.wait()
        await service.database.close()


def main() -> None:
    """Run it, and print what the clients saw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=30.0, help="without the starts; 60 at most")
    seconds, begin = min(parser.parse_args().seconds, MOST_SECONDS), time.monotonic()
    with tempfile.TemporaryDirectory() as name, database("postgresql") as url:
        try:
            load = asyncio.run(balance(str(url), Path(name), seconds))
        except Lost as lost:
            raise SystemExit(str(lost)) from None
    print(f"{time.monotonic() - begin:.0f} s, load {os.getloadavg()[0]:.1f}")
    for phase, count in load.answered.items():
        failed = {f"{method} {reason}": n for (when, method, reason), n in load.failed.items() if when == phase}
        print(f"{phase:15}{count:8,} answered   {failed or 'no failures'}")
    print(*load.remarks, sep="\n")
    if any(phase not in ("killed", "started again") for phase, _, _ in load.failed):
        raise SystemExit("clients saw failures though no server was killed")


if __name__ == "__main__":
    main()
