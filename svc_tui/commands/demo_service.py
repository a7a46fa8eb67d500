"""The private service behind `svc-tui demo`: a child process on the loopback interface, removed with all its files."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from svc_tui.client.profile import Profile
from svc_tui.commands.demo_server import PREPARED, RESET
from svc_tui.commands.event_loop import exit_on_signals
from svc_tui.commands.exits import ServiceUnreachable
from svc_tui.language import _
from svc_tui.server.demo.accounts import accounts
from svc_tui.server.demo.repeatable import Scale
from svc_tui.workspace.core.crash import CRASH_FOLDER
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles import running_demo

#: Seconds until a child that does not end by itself is killed.
SHUTDOWN_SECONDS = 5.0
_ANNOUNCEMENT = "listening on "


@dataclass(slots=True)
class DemoService:
    """A demo service. `address` is its base URL, which is known before it responds; `accounts` the document of
    `demo-accounts --json`.

    `folder` (mode 0700) holds everything: the database, and the configuration, cache and data of the
    console, so that a demo neither reads nor changes the user's own.
    """

    folder: Path
    scale: Scale
    accounts: dict[str, Any]
    address: str = ""
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)
    #: Keeps the folder from being removed as that of a demo that was killed.
    _hold: int = field(default=-1, repr=False)
    #: Standard error of the service; a file without a name, so that it outlives the folder.
    _log: IO[bytes] = field(default_factory=tempfile.TemporaryFile, repr=False)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Process ID of the service; None before the start."""
        return None if self._process is None else self._process.pid

    def profile(self, login: str, *, read_only: bool = False) -> Profile:
        """The connection profile of a demo account, with its password."""
        account = next(one for one in self.accounts["accounts"] if one["login"] == login)
        return Profile(
            name=running_demo.NAME,
            base_url=self.address,
            app_id=self.accounts["appId"],
            app_secret=self.accounts["appSecret"],
            login=login,
            password=account["password"],
            read_only=read_only,
        )

    def start(self) -> None:
        """Start the child; `wait` returns when it is ready."""
        self._hold = running_demo.hold(self.folder)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            number = listener.fileno()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "svc_tui.commands.demo_server", str(self.folder), self.scale, str(number)],
                # The child watches this pipe: when this process ends, for whatever reason, the child ends too.
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
                pass_fds=[number, self._hold],
                # Ctrl+C is for the console; `stop` ends the service.
                start_new_session=True,
            )

    def wait(self, report: Callable[[int], None] = lambda _: None) -> None:
        """Wait until the service accepts requests; `report` is called with the percentage of the data that is prepared.

        ServiceUnreachable, with the last line of its log, if it ends.
        """
        assert self._process is not None and self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(_ANNOUNCEMENT):
                return
            if line.startswith(PREPARED):
                report(int(line.removeprefix(PREPARED)))
        raise ServiceUnreachable(_("The demo service did not start: {line}").format(line=self._last_line()))

    def reset(self) -> str:
        """Put the data of the running service back; returns the error, empty when it is done."""
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(f"{self.address}\n")
            self._process.stdin.flush()
        except OSError:
            return _("The demo service has ended.")
        for line in self._process.stdout:
            if line.startswith(RESET):
                error_message = line.removeprefix(RESET).strip()
                return (
                    _("The demo data could not be reset: {reason}.").format(reason=error_message)
                    if error_message
                    else ""
                )
        return _("The demo service has ended.")

    def stop(self) -> None:
        """End the child and remove its files."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            try:
                self._process.wait(SHUTDOWN_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._hold >= 0:
            os.close(self._hold)

    def _last_line(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1].removeprefix("svc-tui: ") if lines else _("its log is empty.")


@contextmanager
def demo_service(scale: Scale) -> Iterator[DemoService]:
    """A demo service that is starting. It is removed at the end, also when a signal ends this process."""
    service = DemoService(Path(tempfile.mkdtemp(prefix=running_demo.PREFIX)), scale, accounts())
    environment = dict(os.environ)
    with exit_on_signals():
        try:
            os.environ.setdefault(CRASH_FOLDER, str(folders().data))
            os.environ.update(running_demo.variables(service.folder))
            service.start()
            yield service
        finally:
            # Files written from here on, for example a crash log, belong to the user's own folders.
            os.environ.clear()
            os.environ.update(environment)
            service.stop()
