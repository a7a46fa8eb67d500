"""A demo service, and folders with a stored session and cached records, for figures of the whole program."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from svc_tui.server.demo.repeatable import Scale
from tests.stories.driver import profile
from tests.support.process import serving
from tests.support.pty import Terminal

SVC_TUI = (sys.executable, "-m", "svc_tui")


@dataclass(frozen=True, slots=True)
class Prepared:
    """The environment of commands that are logged in."""

    variables: dict[str, str]

    def console(self, place: str, *, columns: int = 80, rows: int = 24) -> Terminal:
        """The console at a place, in its own terminal."""
        return Terminal([*SVC_TUI, "open", place], columns=columns, rows=rows, environment=self.variables)

    def visit(self, place: str) -> None:
        """Fill the cache with what a place shows."""
        with self.console(place) as terminal:
            terminal.wait_for(r"[●◐]", timeout=120)
            terminal.settle(1.0, timeout=60)


def _logged_in(folder: Path, url: str, login: str) -> Prepared:
    """An account that has logged in, with its own folders."""
    known = profile(url, login)
    folders = {f"SVC_TUI_{kind}_DIR": str(folder / login / kind.lower()) for kind in ("CONFIG", "CACHE", "DATA")}
    variables = {
        **folders,
        "COLORTERM": "truecolor",
        # Files are compiled with the first start, as they are where the program is installed.
        "PYTHONDONTWRITEBYTECODE": "",
        "SVC_TUI_BASE_URL": known.base_url,
        "SVC_TUI_APP_ID": known.app_id,
        "SVC_TUI_APP_SECRET": known.app_secret,
        "SVC_TUI_LOGIN": known.login,
    }
    subprocess.run(
        [*SVC_TUI, "login"],
        env={**variables, "SVC_TUI_PASSWORD": known.password, "PATH": "/usr/bin:/bin"},
        check=True,
        capture_output=True,
    )
    return Prepared(variables)


@contextmanager
def prepared(scale: Scale = "small", *logins: str) -> Iterator[list[Prepared]]:
    """A service with demo data, and accounts that are logged in; an administrator if none is named."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with serving(folder, demo_data=scale) as server:
            yield [_logged_in(folder, server.url, login) for login in logins or ("demo@demo.example",)]
