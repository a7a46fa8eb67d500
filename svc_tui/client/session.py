"""The session, shared by all requests: its login, its renewal, and a new login when it ends."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from svc_tui.client.credentials import DecodedToken, decode_token
from svc_tui.client.errors import LoginRefused, ServiceError, SessionEnded
from svc_tui.client.profile import Profile
from svc_tui.client.renewal import Renewal, SharedTask
from svc_tui.client.session_store import SessionStore, StoredSession
from svc_tui.interface import errors
from svc_tui.language import _

SessionState = Literal["none", "limited", "full"]

#: Added to the reason when a session ended before its token expired.
EARLY = _("The session was ended elsewhere, for example by a logout.")

#: The field of the user record with the password for events.
_PASSWORD = "jid_password"

#: Renews a token and returns the login response (section 2.4).
Renewer = Callable[[str], Awaitable[dict[str, Any]]]


class Session:
    """The session of a profile.

    `user` is loggedInUser under its wire names, `application` loggedInApplication. `open_login` opens a login dialog:
    it logs in through this session and returns True, or False when the user cancelled. `error_message` is a sentence
    when the session could not be stored on disk. `renewer` is set by the client. `refused` is the refusal of the login
    and the password of the profile, which are not sent again: each attempt counts, and the account would be locked.
    """

    def __init__(
        self,
        profile: Profile,
        store: SessionStore | None = None,
        *,
        clock: Callable[[], float] = time.time,
        chance: Callable[[], float] = random.random,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.profile = profile
        self.user: dict[str, Any] | None = None
        self.application: dict[str, Any] | None = None
        self.open_login: Callable[[SessionEnded], Awaitable[bool]] | None = None
        self.renewer: Renewer | None = None
        self.refused: LoginRefused | None = None
        self.logout_url = ""
        self.error_message = ""
        # A session by API key needs no storage: it ends with the key.
        self._store = None if profile.method == "api_key" else store
        self._clock = clock
        self._key = profile.api_key if profile.method == "api_key" else ""
        self._token = ""
        self._claims = DecodedToken()
        self._received = 0.0
        self._ended = SessionEnded()
        self._lost = self._given_up = ""
        #: Whether the session on disk is this one.
        self._stored = False
        self._renewal = Renewal(self._renew, clock, chance, sleep)
        self._login_task = SharedTask(self._ask)
        self._callbacks: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return _("<Session {name} {state}>").format(name=self.profile.name, state=self.state)

    @property
    def state(self) -> SessionState:
        """none; limited: the second factor is missing; full."""
        if self._key:
            return "full"
        if not self._token:
            return "none"
        return "limited" if self._claims.limited else "full"

    @property
    def token(self) -> str:
        """The token of the user. Empty without a login and with an API key."""
        return self._token

    @property
    def key(self) -> str:
        """The API key in use. Empty with other logins."""
        return self._key

    @property
    def claims(self) -> DecodedToken:
        """The claims of the token."""
        return self._claims

    @property
    def user_id(self) -> str:
        """The id of the user. Empty when it is unknown."""
        return str((self.user or {}).get("id") or "") or self._claims.user_id

    def left(self) -> float | None:
        """Seconds until a new login is needed, renewals included. None without a token or without an expiry."""
        if not self._token or not self._claims.expires:
            return None
        renewals = self._claims.renewals_left if self._renewal.allowed else 0
        return max(0.0, self._renewal.ends - self._clock()) + renewals * self._claims.lifetime

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back when the login changes. The result ends the subscription."""
        self._callbacks.append(callback)

        def unsubscribe() -> None:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

        return unsubscribe

    def accept(self, answer: dict[str, Any], *, logout_url: str = "") -> None:
        """Accept a login response (section 2.4): from now on requests use its token."""
        self._key = ""
        self.logout_url = logout_url
        self._take(answer["token"], self._clock(), answer.get("loggedInUser"), answer.get("loggedInApplication"))
        if self.state == "full":
            self._keep_on_disk()
        self._changed()

    def accept_key(self, key: str, user: dict[str, Any]) -> None:
        """Accept an API key of this user."""
        self._drop()
        self._key, self.user, self.application, self.logout_url = key, user, None, ""
        self._changed()

    def restore(self) -> bool:
        """Continue the session on disk. False without a valid one."""
        if self._key or not self._adopt(self._token):
            return False
        self._changed()
        return True

    def end(self) -> None:
        """Forget the session, also on disk."""
        stored = self._store.read() if self._store else None
        if self._store and stored and (not self.user_id or _owner(stored) == self.user_id):
            self._store.clear()
        self._drop()
        self.user = self.application = None
        self.logout_url = ""
        self._changed()

    @property
    def ended_elsewhere(self) -> bool:
        """Whether another program of this machine has ended the session: it is no longer on disk."""
        return self.state == "full" and self._stored and self._store is not None and self._store.read() is None

    def _drop(self) -> None:
        self._key = self._token = ""
        self._stored = False
        self._claims = DecodedToken()
        self._renewal.allowed = False

    def _take(self, token: str, received: float, user: Any, application: Any) -> None:
        self._token, self._received, self._claims = token, received, decode_token(token)
        if isinstance(user, dict) and user:
            self.user = user
        elif self.user and self._claims.user_id not in ("", self.user.get("id")):
            self.user = None
        self.application = application if isinstance(application, dict) else self.application
        self._renewal.schedule(self._claims, received)

    def _changed(self) -> None:
        for callback in tuple(self._callbacks):
            callback()

    def _keep_on_disk(self) -> None:
        if self._store is None:
            return
        try:
            self._store.write(
                StoredSession(
                    token=self._token,
                    received=self._received,
                    base_url=self.profile.base_url,
                    app_id=self.profile.app_id,
                    user=self.user or {},
                    application=self.application,
                    logout_url=self.logout_url,
                    profile_login=self.profile.login,
                    messaging_password=str((self.user or {}).get(_PASSWORD) or ""),
                )
            )
            self.error_message = ""
            self._stored = True
        except OSError as error:
            self.error_message = _(
                "The session cannot be stored on disk ({reason}). The next console needs a login."
            ).format(reason=error.strerror)

    def _adopt(self, instead_of: str) -> bool:
        """Take the session on disk, if it is this user's and valid, and is neither `instead_of` nor the refused one."""
        stored = self._store.read() if self._store else None
        if stored is None or stored.token in (instead_of, self._lost) or not self._is_for_us(stored):
            return False
        claims = decode_token(stored.token)
        over = claims.lifetime > 0 and stored.received + claims.lifetime <= self._clock()
        if claims.limited or over:
            return False
        self.logout_url = stored.logout_url
        self._stored = True
        secret = {_PASSWORD: stored.messaging_password} if stored.messaging_password else {}
        self._take(stored.token, stored.received, {**stored.user, **secret}, stored.application)
        return True

    def _is_for_us(self, stored: StoredSession) -> bool:
        """Whether it is for this service and application and, after a login, for the same user."""
        return stored.is_of(self.profile) and (not self.user_id or _owner(stored) == self.user_id)

    async def valid_token(self) -> str:
        """The token for a request, renewed first when that is due. SessionEnded without a login."""
        if self.state != "full" or self._key:
            raise SessionEnded()
        if self._renewal.due:
            # After a failure the current token is still valid for some time.
            with contextlib.suppress(ServiceError):
                await self._renewal.now()
        self._renewal.ensure_running()
        return self._token

    async def renew(self) -> None:
        """Renew the token now, once for concurrent callers. ServiceError when that fails."""
        await self._renewal.now()

    async def _renew(self) -> None:
        if self._store is None:
            await self._renew_here()
            return
        async with self._store.locked() as locked:
            stored = self._store.read()
            if stored and stored.received > self._received and self._adopt(self._token):
                self._changed()
            elif locked:
                await self._renew_here()
                if stored and self._is_for_us(stored):
                    self._keep_on_disk()

    async def _renew_here(self) -> None:
        token = self._token
        if self.renewer is None or not self._renewal.allowed:
            return
        answer = await self.renewer(token)
        # After another login or a logout this response is outdated.
        if self._token == token:
            self._take(answer["token"], self._clock(), answer.get("loggedInUser"), answer.get("loggedInApplication"))
            self._changed()

    async def recover(self, used: str, ended: SessionEnded, user_id: str = "") -> None:
        """After the token `used` (empty: none) was refused: return when the request can continue, otherwise raise.

        A newer session of another console is taken; otherwise `open_login` is called once for all waiting requests. A
        request continues only for its own `user_id` (empty: any).
        """
        if self._key:
            raise ended
        if self.state != "full" or self._token == used:
            await self._log_in_again(used, ended)
        if user_id and self.user_id != user_id:
            raise SessionEnded(_("Another user logged in. The request of the first user was not sent."))

    async def _log_in_again(self, used: str, ended: SessionEnded) -> None:
        # A late response to a request from before the login dialog was closed must not open it again.
        if used and used == self._given_up:
            raise ended
        if not self._login_task.running:
            if self.state == "limited":
                raise ended
            left = self.left()
            self._lost = self._token or self._lost
            self._drop()
            if self._adopt(used):
                self._changed()
                return
            self._clear_refused()
            early = used and ended.message != errors.JWT_EXPIRED and left is not None and left > 0
            self._ended = SessionEnded(f"{ended.sentence} {EARLY}", code=ended.code) if early else ended
            self._changed()
        if self.open_login is None:
            raise ended
        try:
            again = await self._login_task.join()
        except RuntimeError:
            again = False
        if not again:
            raise ended

    def _clear_refused(self) -> None:
        """Remove the session from the disk, if it is the one that the service refused."""
        stored = self._store.read() if self._store else None
        if self._store and stored and stored.token == self._lost:
            self._store.clear()

    async def _ask(self) -> bool:
        if self.open_login is None:
            return False
        again = await self.open_login(self._ended) and self.state == "full"
        if not again:
            self._given_up = self._lost
        return again

    async def aclose(self) -> None:
        """Stop the background tasks. The session on disk stays."""
        await self._renewal.aclose()
        await self._login_task.aclose()


def _owner(stored: StoredSession) -> str:
    return str(stored.user.get("id") or "") or decode_token(stored.token).user_id
