"""The private service behind `svc-tui demo`: a child process on loopback, gone with everything it made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from svc_tui.commands.exits import OutOfReach
from svc_tui.commands.signals import ending_tidily

if TYPE_CHECKING:
    from svc_tui.client.profile import Profile

Scale = Literal["small", "large"]
#: Seconds that the child has for its own end before it is ended.
PATIENCE = 5.0
_ANNOUNCEMENT = "listening on "


@dataclass(slots=True)
class DemoService:
    """A running demo service. `address` is its base URL, `accounts` what `demo-accounts --json` tells.

    `folder` (0700) holds everything: the database, and the console's own configuration, cache and
    data, so that a demo neither sees nor changes those of the person who gives it.
    """

    folder: Path
    scale: Scale
    accounts: dict[str, Any]
    address: str = ""
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)
    #: What the service writes to standard error; a file without a name, so that it outlives the folder.
    _log: IO[bytes] = field(default_factory=tempfile.TemporaryFile, repr=False)

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Process id of the service; None before it was started."""
        return None if self._process is None else self._process.pid

    def profile(self, login: str, *, read_only: bool = False) -> Profile:
        """The connection profile of one demo account, its password included."""
        from svc_tui.client.profile import Profile

        account = next(one for one in self.accounts["accounts"] if one["login"] == login)
        return Profile(
            name="demo",
            base_url=self.address,
            app_id=self.accounts["appId"],
            app_secret=self.accounts["appSecret"],
            login=login,
            password=account["password"],
            read_only=read_only,
        )

    def start(self) -> None:
        """Start the child; `wait` tells when it is there."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "svc_tui.commands.private_service", str(self.folder), self.scale],
            # The child watches this pipe: when we are gone, however that came about, it goes too.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            # Ctrl+C is for the console; the service is ended by us.
            start_new_session=True,
        )

    def wait(self) -> None:
        """Wait until the service accepts requests. OutOfReach, with its own last words, when it never does."""
        assert self._process is not None and self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(_ANNOUNCEMENT):
                self.address = line.removeprefix(_ANNOUNCEMENT).strip()
                return
        raise OutOfReach(f"The demo service did not start: {self._last_words()}")

    def stop(self) -> None:
        """End the child and remove everything that it made."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1].removeprefix("svc-tui: ") if lines else "it said nothing."


@contextmanager
def demo_service(scale: Scale) -> Iterator[DemoService]:
    """A demo service that is being started. It is removed at the end, also when a signal ends us."""
    from svc_tui.server.demo.accounts import accounts
    from svc_tui.workspace.core.crash import CRASH_FOLDER
    from svc_tui.workspace.core.folders import folders

    service = DemoService(Path(tempfile.mkdtemp(prefix="svc-tui-demo-")), scale, accounts())
    before = dict(os.environ)
    with ending_tidily():
        try:
            os.environ.setdefault(CRASH_FOLDER, str(folders().data))
            for kind in ("config", "cache", "data"):
                os.environ[f"SVC_TUI_{kind.upper()}_DIR"] = str(service.folder / kind)
            service.start()
            yield service
        finally:
            # What is written from here on, such as the log of a fault, belongs to the person.
            os.environ.clear()
            os.environ.update(before)
            service.stop()
