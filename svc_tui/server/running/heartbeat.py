"""The heartbeat of this process, by which other machines see that its work continues."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext, suppress
from datetime import timedelta
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from svc_tui.server.running.background import Sleep, in_background, run_repeatedly
from svc_tui.server.service import Service
from svc_tui.server.store.store import Store

#: Seconds between two beats, and the silence after which a process of another machine is gone.
BEAT_SECONDS, SILENCE = 15.0, timedelta(minutes=2)
#: The processes of the services that run here: a test has several.
_HERE: set[str] = set()


def _machine() -> str:
    """The name of this machine. Containers can share a name, but then have their own processes."""
    try:
        return f"{socket.gethostname()}-{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return socket.gethostname()


_MACHINE = _machine()


def _began(number: int) -> str:
    """When a process of this machine began, so that another one with its number is not taken for it; empty where that
    cannot be asked."""
    with suppress(OSError, IndexError):
        # The name of the program, in brackets, can have spaces.
        return Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    return ""


class Heartbeat:
    """The process of a service."""

    def __init__(self, service: Service, machine: str = _MACHINE) -> None:
        self.process = f"{machine}:{os.getpid()}:{_began(os.getpid())}-{secrets.token_hex(8)}"
        self._machine = machine
        self._database, self._clock = service.database, service.clock

    async def record_heartbeat(self) -> None:
        """Note that this process is alive."""
        now = self._clock.now()
        async with self._database.unit() as store:
            await store.processes.seen(self.process, now=now)
            await store.processes.remove_silent(since=now - SILENCE)

    async def is_process_alive(self, store: Store, process: str) -> bool:
        """Whether a process is alive. On this machine that is certain, on others by its heartbeat."""
        machine, number, token = process.split(":", 2)
        if machine != self._machine:
            return await store.processes.is_alive(process, since=self._clock.now() - SILENCE)
        if int(number) == os.getpid():
            return process in _HERE
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        # Earlier versions did not say when they began.
        began, found = token.rpartition("-")[0], _began(int(number))
        return not (began and found and began != found)

    @asynccontextmanager
    async def running(self, sleep: Sleep = asyncio.sleep) -> AsyncIterator[None]:
        """Beat for the length of a block. The first beat is before it begins."""
        _HERE.add(self.process)
        try:
            # No other machine has the same SQLite file.
            async with nullcontext() if self._database.engine.dialect.name == "sqlite" else self._beating(sleep):
                yield
        finally:
            _HERE.discard(self.process)

    @asynccontextmanager
    async def _beating(self, sleep: Sleep) -> AsyncIterator[None]:
        await self.record_heartbeat()
        beats = run_repeatedly(self.record_heartbeat, BEAT_SECONDS, "the heartbeat could not be stored", sleep=sleep)
        try:
            async with in_background(beats):
                yield
        finally:
            with suppress(SQLAlchemyError, OSError):
                async with self._database.unit() as store:
                    await store.processes.remove(self.process)
