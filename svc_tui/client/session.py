"""One login, shared by all requests: what it is, renewing it ahead of time, and asking again when it has ended."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from svc_tui.client.errors import ServiceError, SessionEnded
from svc_tui.client.profile import Profile
from svc_tui.client.renewal import Renewal, Shared
from svc_tui.client.session_store import SessionStore, StoredSession
from svc_tui.client.tokens import DecodedToken, decode_token

State = Literal["none", "limited", "full"]

#: Sends the renewal of a token and gives the login answer (section 2.4) back.
Renewer = Callable[[str], Awaitable[dict[str, Any]]]


class Session:
    """The present login of a profile.

    `user` is loggedInUser under its wire names, `application` loggedInApplication. `asks` is set by whoever can
    open a login box: it logs in through this same session and says True, or False when the person gave up.
    `trouble` is a sentence when the session could not be kept on disk. `renewer` is set by the client.
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
        self.asks: Callable[[SessionEnded], Awaitable[bool]] | None = None
        self.renewer: Renewer | None = None
        self.logout_url = ""
        self.trouble = ""
        # A session by API key ends when the key does; there is nothing to keep.
        self._store = None if profile.method == "api_key" else store
        self._clock = clock
        self._key = profile.api_key if profile.method == "api_key" else ""
        self._token = ""
        self._claims = DecodedToken()
        self._received = 0.0
        self._ended = SessionEnded()
        self._lost = self._given_up = ""
        self._renewal = Renewal(self._renew, clock, chance, sleep)
        self._question = Shared(self._ask)
        self._callbacks: list[Callable[[], None]] = []

    def __repr__(self) -> str:
        return f"<Session {self.profile.name} {self.state}>"

    @property
    def state(self) -> State:
        """none; limited: the second factor is awaited; full."""
        if self._key:
            return "full"
        if not self._token:
            return "none"
        return "limited" if self._claims.limited else "full"

    @property
    def token(self) -> str:
        """The user's token; empty without a login and with an API key."""
        return self._token

    @property
    def key(self) -> str:
        """The API key in use; empty with other logins."""
        return self._key

    @property
    def claims(self) -> DecodedToken:
        """What the token says of itself."""
        return self._claims

    @property
    def user_id(self) -> str:
        """Who is logged in; empty when that is not known."""
        return str((self.user or {}).get("id") or "") or self._claims.user_id

    def left(self) -> float | None:
        """Seconds until a new login is needed, renewals included; None when there is no token or no known end."""
        if not self._token or not self._claims.expires:
            return None
        renewals = self._claims.renewals_left if self._renewal.allowed else 0
        return max(0.0, self._renewal.ends - self._clock()) + renewals * self._claims.lifetime

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back whenever the login changes; the result ends the subscription."""
        self._callbacks.append(callback)

        def unsubscribe() -> None:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

        return unsubscribe

    def accept(self, answer: dict[str, Any], *, logout_url: str = "") -> None:
        """Take a login answer (section 2.4): from now on requests carry its token."""
        self._key = ""
        self.logout_url = logout_url
        self._take(answer["token"], self._clock(), answer.get("loggedInUser"), answer.get("loggedInApplication"))
        if self.state == "full":
            self._keep_on_disk()
        self._changed()

    def accept_key(self, key: str, user: dict[str, Any]) -> None:
        """Take an API key that was found to be this user's."""
        self._drop()
        self._key, self.user, self.application, self.logout_url = key, user, None, ""
        self._changed()

    def restore(self) -> bool:
        """Go on with the session on disk; False when there is none that is still valid."""
        if self._key or not self._adopt(self._token):
            return False
        self._changed()
        return True

    def end(self) -> None:
        """Forget the login, here and on disk."""
        stored = self._store.read() if self._store else None
        if self._store and stored and (not self.user_id or _owner(stored) == self.user_id):
            self._store.clear()
        self._drop()
        self.user = self.application = None
        self.logout_url = ""
        self._changed()

    def _drop(self) -> None:
        self._key = self._token = ""
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
                )
            )
            self.trouble = ""
        except OSError as error:
            self.trouble = f"The session cannot be kept on disk ({error.strerror}): the next console asks for a login."

    def _adopt(self, instead_of: str) -> bool:
        """Take the session on disk when it is this user's, not over, and neither `instead_of` nor one refused here."""
        stored = self._store.read() if self._store else None
        if stored is None or stored.token in (instead_of, self._lost) or not self._is_for_us(stored):
            return False
        claims = decode_token(stored.token)
        over = claims.lifetime > 0 and stored.received + claims.lifetime <= self._clock()
        if claims.limited or over:
            return False
        self.logout_url = stored.logout_url
        self._take(stored.token, stored.received, stored.user, stored.application)
        return True

    def _is_for_us(self, stored: StoredSession) -> bool:
        """For this service and application and, once somebody is logged in here, for the same person."""
        place = (stored.base_url, stored.app_id) == (self.profile.base_url, self.profile.app_id)
        return place and (not self.user_id or _owner(stored) == self.user_id)

    async def valid_token(self) -> str:
        """The token for a request, renewed first when it is time. SessionEnded when nobody is logged in."""
        if self.state != "full" or self._key:
            raise SessionEnded()
        if self._renewal.due:
            # When it fails the present token still works for a while; the service has the last word.
            with contextlib.suppress(ServiceError):
                await self._renewal.now()
        self._renewal.keep_up()
        return self._token

    async def renew(self) -> None:
        """Renew the token now, once for all that ask at the same time. ServiceError when that fails."""
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
        # Somebody may have logged in or out meanwhile: then this answer is of yesterday.
        if self._token == token:
            self._take(answer["token"], self._clock(), answer.get("loggedInUser"), answer.get("loggedInApplication"))
            self._changed()

    async def recover(self, used: str, ended: SessionEnded, person: str = "") -> None:
        """After the token `used` (empty: none) was refused: return when the request may go on, else raise.

        Another console's newer session is taken; otherwise `asks` is called once for all requests that wait. A
        request goes on only for the `person` (user id, empty: nobody yet) for whom it was made.
        """
        if self._key:
            raise ended
        if self.state != "full" or self._token == used:
            await self._log_in_again(used, ended)
        if person and self.user_id != person:
            raise SessionEnded("Another user logged in; what the first one had asked for was not done.")

    async def _log_in_again(self, used: str, ended: SessionEnded) -> None:
        # An answer that is late, to a request from before the login box was closed, must not open it again.
        if used and used == self._given_up:
            raise ended
        if not self._question.under_way:
            if self.state == "limited":
                raise ended
            self._lost = self._token or self._lost
            self._drop()
            if self._adopt(used):
                self._changed()
                return
            self._ended = ended
            self._changed()
        if self.asks is None:
            raise ended
        try:
            again = await self._question.join()
        except RuntimeError:
            again = False
        if not again:
            raise ended

    async def _ask(self) -> bool:
        if self.asks is None:
            return False
        again = await self.asks(self._ended) and self.state == "full"
        if not again:
            self._given_up = self._lost
        return again

    async def aclose(self) -> None:
        """Stop what runs in the background; the session on disk stays."""
        await self._renewal.aclose()
        await self._question.aclose()


def _owner(stored: StoredSession) -> str:
    return str(stored.user.get("id") or "") or decode_token(stored.token).user_id
