"""The client: sends the operations of the interface with the credentials, patience and words of one profile."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from svc_tui.client import credentials, responses, retry
from svc_tui.client.brand import Brand
from svc_tui.client.call_log import CallLog, LoggedCall
from svc_tui.client.content import Sink, Stream
from svc_tui.client.credentials import Signer
from svc_tui.client.declared import record_in
from svc_tui.client.errors import (
    InvalidResponse,
    OutcomeUnknown,
    ReadOnlyError,
    ServiceError,
    SessionEnded,
    Unreachable,
)
from svc_tui.client.masking import API_KEY, PASSWORD, SECRET
from svc_tui.client.paging import follow
from svc_tui.client.profile import Profile
from svc_tui.client.requests import Body, Request, Values, build
from svc_tui.client.retry import Retries
from svc_tui.client.session import Session
from svc_tui.client.timeouts import Timeouts
from svc_tui.interface.authentication import renew_token, verify_mfa
from svc_tui.interface.authentication.proof import REQUEST_ID
from svc_tui.interface.envelopes import ListQuery, Page
from svc_tui.interface.operations import AnyOperation, B, Credentials, Operation, Q, R
from svc_tui.interface.problems import problems_from

if TYPE_CHECKING:
    from svc_tui.client.transport import Reply, Transport

T = TypeVar("T")

_NO_PATH: Mapping[str, str] = MappingProxyType({})
_TIMEOUTS = Timeouts()
_RETRIES = Retries()

#: Logging in, staying so and logging out change nothing that read-only protects.
_ALWAYS = frozenset({Credentials.LOGIN, Credentials.TOKEN, Credentials.BACKCHANNEL})
#: Operations that name their own credentials, or none.
_OPEN = frozenset({Credentials.NONE, Credentials.BROWSER, Credentials.BACKCHANNEL})
#: How often one request may meet the end of a session before it gives up.
_MOST_LOGINS = 3


@dataclass(frozen=True)
class Response:
    """One answer. `body` is JSON in the interface's own words, or bytes where the operation `gives` something else.

    `headers` have small names, `elapsed` is seconds.
    """

    status: int
    body: Any
    headers: Mapping[str, str]
    request_id: str
    elapsed: float
    exchange: LoggedCall


class Client:
    """Calls operations. Everything raised is a ServiceError; ValueError only when a path parameter is missing.

    `transport` replaces the network (an httpx.AsyncBaseTransport), for tests. `read_only` may be switched at any
    time. Nothing is opened before the first request.
    """

    def __init__(
        self,
        profile: Profile,
        session: Session,
        *,
        log: CallLog | None = None,
        transport: object | None = None,
        timeout: Timeouts = _TIMEOUTS,
        retries: Retries = _RETRIES,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.profile = profile
        self.session = session
        self.log = log if log is not None else CallLog()
        self.read_only = profile.read_only
        self.brand = Brand(profile)
        self._beneath, self._timeout, self._retries, self._sleep = transport, timeout, retries, sleep
        self._transport: Transport | None = None
        self._opening = asyncio.Lock()
        session.renewer = self._renewed
        self._conceal()

    def _conceal(self) -> None:
        profile = self.profile
        self.log.conceal(profile.app_secret, SECRET)
        self.log.conceal(profile.password, PASSWORD)
        self.log.conceal(profile.api_key, API_KEY)
        self.log.conceal(profile.app_token, API_KEY)

    async def send(
        self,
        operation: AnyOperation,
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: Values = None,
        body: Body = None,
        sign: Signer | None = None,
        sink: Sink | None = None,
    ) -> Response:
        """Perform an operation and give its answer, whatever JSON it is.

        `path`, `query` and `body` go by wire names; a body that is no JSON is a Content. `sign` replaces the
        credentials that the operation asks for. `sink` takes the body of a good answer as it came; the answer's own is
        empty then.
        Raises ReadOnlyError, Refused (LoginRefused, SessionEnded), Unreachable (NotTrusted), OutcomeUnknown,
        InvalidResponse.
        """
        self._check_read_only(operation)
        request = replace(build(self.profile, self.brand, operation, path, query, body), sink=sink)
        if sign is None and operation.credentials is Credentials.LOGIN:
            sign = credentials.login(self.profile, self.profile.login, self.profile.password)
        if sign is None and operation.credentials in _OPEN:
            sign = credentials.none
        return await (self._as_caller(request) if sign is None else self._repeat(request, sign))

    async def call(
        self,
        operation: Operation[R, Q, B],
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: Q | None = None,
        body: B | None = None,
        sign: Signer | None = None,
    ) -> R:
        """Perform an operation and give its typed result. Raises as `send` does."""
        answer = await self.send(operation, path=path, query=query, body=body, sign=sign)
        return typed(operation, answer.body)

    def pages(
        self,
        operation: Operation[Page[T], Q, B],
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: Q | None = None,
    ) -> AsyncIterator[Page[T]]:
        """The pages of a list, from the query's offset to its end. Raises as `send` does."""
        asked = query if query is not None else operation.query()

        async def fetch(offset: int) -> Page[T]:
            return await self.call(operation, path=path, query=asked.model_copy(update={"offset": offset}))

        given = asked if isinstance(asked, ListQuery) else ListQuery()
        return follow(fetch, given.offset, given.limit)

    async def aclose(self) -> None:
        """Close the connections and stop renewing."""
        await self.session.aclose()
        if self._transport is not None:
            await self._transport.aclose()
            self._transport = None

    def _check_read_only(self, operation: AnyOperation) -> None:
        if not self.read_only or operation.reads or operation.credentials in _ALWAYS:
            return
        if operation.id == verify_mfa.id and self.session.state == "limited":
            return
        raise ReadOnlyError(f"Read-only: {operation.id} is not known to change nothing, so it was not sent.")

    async def _as_caller(self, request: Request) -> Response:
        """Send with the session's credentials; when the session ends, wait for the next login and go on."""
        ended = SessionEnded()
        person = self.session.user_id
        for _ in range(_MOST_LOGINS):
            used = ""
            try:
                sign, used = await self._credentials(request.operation)
                return await self._repeat(request, sign)
            except SessionEnded as error:
                ended = error
                if self.session.key or (used and self.session.state == "limited"):
                    raise
            await self.session.recover(used, ended, person)
        raise ended

    async def _credentials(self, operation: AnyOperation) -> tuple[Signer, str]:
        """How to sign, and with which token (empty for an API key)."""
        session = self.session
        if session.key:
            if operation.credentials is Credentials.TOKEN:
                raise SessionEnded(f"{operation.id} needs a login with a password; an API key has no such session.")
            return credentials.api_key(self.profile, session.key), ""
        if operation.credentials is Credentials.LIMITED and session.state == "limited":
            return credentials.bearer(session.token), session.token
        token = await session.valid_token()
        return credentials.bearer(token), token

    async def _renewed(self, token: str) -> dict[str, Any]:
        """Renew a token; the raw login answer."""
        answer = await self.send(renew_token, sign=credentials.bearer(token))
        return login_answer(answer.body)

    async def _repeat(self, request: Request, sign: Signer) -> Response:
        """Attempt after attempt, as far as it is safe and sensible."""
        again = retry.repeatable(request.operation)
        for repetition in range(self._retries.attempts):
            last = repetition + 1 >= self._retries.attempts
            pause = retry.pause_before(repetition + 1, self._retries, random.random())
            try:
                reply, exchange = await self._attempt(request, sign, repetition)
            except Unreachable as error:
                if error.sent and not again:
                    raise _outcome_unknown(request, error) from error
                if last or not error.passing:
                    raise
            else:
                asked = retry.asked_pause(reply.headers, datetime.now(UTC))
                passing = again and reply.status in retry.PASSING and not last
                if not passing or (asked or 0) > self._retries.longest_wait:
                    return self._answer(request, reply, exchange, asked)
                pause = pause if asked is None else asked
            await self._sleep(pause)
        raise Unreachable(f"{self.profile.host} was not asked: the number of attempts is zero.", passing=False)

    async def _attempt(self, request: Request, sign: Signer, repetition: int) -> tuple[Reply, LoggedCall]:
        headers = {**request.headers, **self.brand.outward_headers(sign())}
        said = request.content.decode() if request.content and request.raw is None else ""
        exchange = self.log.begin(
            request.operation.id,
            request.operation.method,
            request.url,
            headers,
            said,
            retry=repetition,
            secrets=request.secrets,
            raw=request.raw,
            streamed=request.sink is not None or isinstance(request.raw, Stream),
        )
        started = time.perf_counter()
        try:
            transport = await self._wire()
            method = request.operation.method
            content = request.raw if isinstance(request.raw, Stream) else request.content
            reply = await transport.exchange(method, request.url, headers, content, request.sink)
        except BaseException as error:
            sentence = error.sentence if isinstance(error, ServiceError) else "Given up before the answer came."
            self.log.fail(exchange, sentence, time.perf_counter() - started)
            raise
        inward = replace(reply, headers=self.brand.inward_headers(reply.headers))
        self.log.end(
            exchange,
            reply.status,
            reply.headers,
            reply.body,
            time.perf_counter() - started,
            inward.headers.get(REQUEST_ID, ""),
            secrets=request.secrets,
            poured=reply.poured,
        )
        return inward, exchange

    def _answer(self, request: Request, reply: Reply, exchange: LoggedCall, asked: float | None) -> Response:
        operation = request.operation
        request_id = reply.headers.get(REQUEST_ID, "")
        fine = 200 <= reply.status < 300
        responses.check_place(self.profile.host, reply.status, reply.headers)
        if fine and operation.gives:
            size = len(reply.body) if reply.poured is None else reply.poured
            responses.check_type(self.profile.host, operation, reply.headers, size)
            return Response(reply.status, reply.body, reply.headers, request_id, exchange.elapsed, exchange)
        try:
            body = responses.decode(self.profile.host, reply.headers, reply.body)
        except InvalidResponse as error:
            exchange.error = error.sentence
            if fine:
                raise (error if retry.repeatable(operation) else _outcome_unknown(request, error)) from error
            body = {}
        if not fine:
            # Something between us and the service gave up waiting: the service may still have done it.
            if reply.status in (502, 504) and not retry.repeatable(operation):
                raise _outcome_unknown(request, f"The service did not answer in time (status {reply.status})")
            raise responses.refusal(operation, reply.status, self.brand.inward_values(body, None), request_id, asked)
        body = self.brand.inward_values(body, record_in(operation.result))
        return Response(reply.status, body, reply.headers, request_id, exchange.elapsed, exchange)

    async def _wire(self) -> Transport:
        """The transport; loading it and the authorities it believes takes long enough to do it in a thread."""
        async with self._opening:
            if self._transport is None:
                self._transport = await asyncio.to_thread(_open, self.profile, self._timeout, self._beneath)
            return self._transport


def _open(profile: Profile, timeout: Timeouts, beneath: object | None) -> Transport:
    from svc_tui.client.transport import Transport

    return Transport(profile, timeout, beneath)


def _outcome_unknown(request: Request, why: ServiceError | str) -> OutcomeUnknown:
    said = str(why).rstrip(".")
    what = request.operation.summary.partition(":")[0]
    return OutcomeUnknown(f"“{what}” was sent, but its outcome is unknown. Check before you try again. {said}.")


def typed(operation: Operation[R, Q, B], body: Any) -> R:
    """An answer's body as the declared result; InvalidResponse when it is not what the interface says."""
    try:
        return cast(R, _adapter(cast(Hashable, operation.result)).validate_python(body))
    except ValidationError as error:
        first = problems_from(error)[0]
        raise InvalidResponse(
            f"The answer to {operation.id} is not what the interface says: {first.param} {first.msg}."
        ) from error


@cache
def _adapter(result: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, result))


def login_answer(body: Any) -> dict[str, Any]:
    """A login answer (section 2.4), bare or in `data`; InvalidResponse when it holds no token."""
    inner = body.get("data") if isinstance(body, dict) and isinstance(body.get("data"), dict) else body
    if not isinstance(inner, dict) or not isinstance(inner.get("token"), str) or not inner["token"]:
        raise InvalidResponse("The answer to the login holds no token: check base_url.")
    return inner
