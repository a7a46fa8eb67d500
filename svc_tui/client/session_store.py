"""The session on disk: the token and the password for events, never that of the login.

One file for each profile, shared by its consoles.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import math
import os
import re
import tempfile
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from svc_tui.client import masking

if TYPE_CHECKING:
    from svc_tui.client.profile import Profile

#: Longest wait for the renewal of another console, in seconds.
LOCK_SECONDS = 15.0
_RETRY_SECONDS = 0.05
#: What can be sent in a header.
_TOKEN = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A stored session. `received` is in epoch seconds of this machine.

    The token is for `base_url` and `app_id`: a profile with other values does not get it. `profile_login` is the login
    of the profile; the user can be another one, if another login was typed. `messaging_password` is the
    `jid_password` of the login response: no request reads it later, and each renewal of the token returns it anyway.
    """

    token: str = field(repr=False)
    received: float
    base_url: str
    app_id: str
    user: dict[str, Any] = field(default_factory=dict)
    application: dict[str, Any] | None = None
    logout_url: str = ""
    profile_login: str = ""
    messaging_password: str = field(default="", repr=False)

    def is_of(self, profile: Profile) -> bool:
        """Whether it is for the service and the application of a profile, and for its login, if it has one."""
        logins = ("", self.profile_login.casefold(), str(self.user.get("loginEmail") or "").casefold())
        same_service = (self.base_url, self.app_id) == (profile.base_url, profile.app_id)
        return same_service and profile.login.casefold() in logins


class SessionStore:
    """One file `<folder>/<profile>.json`, mode 0600, replaced as a whole."""

    def __init__(self, folder: Path, profile: str) -> None:
        self._file = folder / f"{quote(profile, safe=' ')}.json"

    def read(self) -> StoredSession | None:
        """The stored session. None without a usable one."""
        try:
            values = json.loads(self._file.read_text("utf-8"))
            session = StoredSession(**values)
        except (OSError, ValueError, TypeError):
            return None
        return session if _usable(session) else None

    def write(self, session: StoredSession) -> None:
        """Replace the stored session. OSError when the folder cannot be written."""
        values = asdict(session) | {"user": _without_secrets(session.user)}
        self._folder()
        handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=".session-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(values, file)
            Path(name).replace(self._file)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def clear(self) -> None:
        """Forget the session."""
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)

    @contextlib.asynccontextmanager
    async def locked(self, patience: float = LOCK_SECONDS) -> AsyncIterator[bool]:
        """Hold the lock that the consoles of this profile share. False when it was not free in time."""
        try:
            self._folder()
            handle = os.open(self._file.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            # A folder that cannot be written has no session to share.
            yield True
            return
        try:
            yield await _acquire(handle, patience)
        finally:
            # Closing the file releases the lock, as does the end of the process.
            os.close(handle)

    def _folder(self) -> None:
        self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def _usable(session: StoredSession) -> bool:
    """Whether every value is of its type: the file can be damaged."""
    texts = (session.base_url, session.app_id, session.logout_url, session.profile_login, session.messaging_password)
    return (
        isinstance(session.token, str)
        and bool(_TOKEN.fullmatch(session.token))
        and all(isinstance(text, str) for text in texts)
        and isinstance(session.user, dict)
        and isinstance(session.application, dict | None)
        and isinstance(session.received, (int, float))
        and math.isfinite(session.received)
    )


async def _acquire(handle: int, patience: float) -> bool:
    until = asyncio.get_running_loop().time() + patience
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if asyncio.get_running_loop().time() >= until:
                return False
            await asyncio.sleep(_RETRY_SECONDS)
        else:
            return True


def _without_secrets(user: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in user.items() if masking.placeholder(name) is None}
