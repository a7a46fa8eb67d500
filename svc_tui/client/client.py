"""The client: sends operations with the credentials, timeouts and words of one profile."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Hashable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Self, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from svc_tui.client import credentials, responses, retry
from svc_tui.client.brand import Brand
from svc_tui.client.call_log import CallLog, LoggedCall
from svc_tui.client.content import Content, FileSink, Sink, Stream
from svc_tui.client.credentials import Signer
from svc_tui.client.errors import (
    InvalidResponse,
    ReadOnlyError,
    ServiceError,
    SessionEnded,
    Unreachable,
)
from svc_tui.client.in_flight import Timeouts
from svc_tui.client.masking import API_KEY, PASSWORD, SECRET
from svc_tui.client.profile import Profile
from svc_tui.client.requests import Body, Request, RequestValues, build, follow
from svc_tui.client.retry import Retries
from svc_tui.client.session import Session
from svc_tui.interface.authentication.mfa import verify_mfa
from svc_tui.interface.authentication.proof import REQUEST_ID
from svc_tui.interface.authentication.sessions import renew_token
from svc_tui.interface.envelopes import ListQuery, Page
from svc_tui.interface.field_specs import record_in
from svc_tui.interface.operations import AnyOperation, B, Credentials, Operation, Q, R
from svc_tui.interface.problems import problems_from
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.client import transport
    from svc_tui.client.in_flight import RawResponse
    from svc_tui.client.transport import Transport
else:
    transport = lazy_import("svc_tui.client.transport")

T = TypeVar("T")

_NO_PATH: Mapping[str, str] = MappingProxyType({})
_NO_HEADERS: Mapping[str, str] = MappingProxyType({})
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_TIMEOUTS = Timeouts()
_RETRIES = Retries()

#: Credentials of login, renewal and logout, which are allowed in read-only mode.
_ALWAYS_ALLOWED = frozenset({Credentials.LOGIN, Credentials.TOKEN, Credentials.BACKCHANNEL})
#: Operations without the credentials of the session.
_OPEN = frozenset({Credentials.NONE, Credentials.BROWSER, Credentials.BACKCHANNEL})
#: New logins for one request: the session can end again while the request waits.
_MOST_LOGINS = 2


@dataclass(frozen=True)
class Response:
    """A response. `body` is JSON in the words of the interface, or bytes where the operation `gives` another type.

    `headers` have names in lower case, `elapsed` is in seconds.
    """

    status: int
    body: Any
    headers: Mapping[str, str]
    request_id: str
    elapsed: float
    exchange: LoggedCall


class Client:
    """Sends operations. All errors are ServiceErrors, but for a ValueError without a path parameter.

    `transport` replaces the network (an httpx.AsyncBaseTransport), for tests. `read_only` can be switched at any
    time. `most_logins` is how often the session may be replaced for one request. `headers` are sent with each request,
    but replace no credentials. Connections are opened with the first request.
    """

    def __init__(
        self,
        profile: Profile,
        session: Session,
        *,
        log: CallLog | None = None,
        transport: object | None = None,
        timeout: Timeouts | float = _TIMEOUTS,
        retries: Retries | int = _RETRIES,
        headers: Mapping[str, str] = _NO_HEADERS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.profile = profile
        self.session = session
        self.log = log if log is not None else CallLog()
        self.read_only = profile.read_only
        self.most_logins = _MOST_LOGINS
        self.brand = Brand(profile)
        self._timeout, self._retries, self._sleep = Timeouts.of(timeout), Retries.of(retries), sleep
        self._connection = _Connection(profile, transport, self._timeout)
        self._headers = sendable(headers)
        session.renewer = self._renewed
        self._mask_secrets()

    def _mask_secrets(self) -> None:
        profile = self.profile
        self.log.mask(profile.app_secret, SECRET)
        self.log.mask(profile.password, PASSWORD)
        self.log.mask(profile.api_key, API_KEY)
        self.log.mask(profile.app_token, API_KEY)

    async def send(
        self,
        operation: AnyOperation,
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: RequestValues = None,
        body: Body = None,
        sign: Signer | None = None,
        sink: Sink | None = None,
    ) -> Response:
        """Send an operation and return its response, with any JSON.

        `path`, `query` and `body` have wire names; a body that is not JSON is a Content. `sign` replaces the
        credentials of the operation. `sink` takes the raw body of a successful response, whose own body is empty.
        Raises ReadOnlyError, Refused (LoginRefused, SessionEnded), Unreachable (NotTrusted), OutcomeUnknown,
        InvalidResponse.
        """
        self._check_read_only(operation)
        request = replace(build(self.profile, self.brand, operation, path, query, body), sink=sink)
        if sign is None and operation.credentials is Credentials.LOGIN:
            sign = credentials.login(self.profile, self.profile.login, self.profile.password)
        if sign is None and operation.credentials is Credentials.APPLICATION:
            sign = credentials.application(self.profile)
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
        """Send an operation and return its typed result. Raises as `send` does."""
        answer = await self.send(operation, path=path, query=query, body=body, sign=sign)
        return declared_result(operation, answer.body)

    def pages(
        self,
        operation: Operation[Page[T], Q, B],
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: Q | None = None,
    ) -> AsyncIterator[Page[T]]:
        """The pages of a list, from the offset of the query to its end. Raises as `send` does."""
        asked = query if query is not None else operation.query()

        async def fetch(offset: int) -> Page[T]:
            return await self.call(operation, path=path, query=asked.model_copy(update={"offset": offset}))

        given = asked if isinstance(asked, ListQuery) else ListQuery()
        return follow(fetch, given.offset, given.limit)

    async def records(
        self,
        operation: Operation[Page[T], Q, B],
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: Q | None = None,
    ) -> AsyncGenerator[T, None]:
        """The records of a list one by one, read page by page, from the offset of the query to its end. Raises as
        `send` does."""
        async for page in self.pages(operation, path=path, query=query):
            for record in page.data:
                yield record

    async def upload(
        self,
        operation: Operation[R, Q, B],
        content: Content | Stream,
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: Q | None = None,
    ) -> R:
        """Send bytes or a stream to an operation that `takes` its type, and return its typed result. Raises as `send`
        does, and ValueError for an operation that takes JSON."""
        answer = await self.send(operation, path=path, query=query, body=content)
        return declared_result(operation, answer.body)

    async def download(
        self,
        operation: Operation[bytes, Q, B],
        file: IO[bytes],
        *,
        path: Mapping[str, str] = _NO_PATH,
        query: Q | None = None,
    ) -> int:
        """Write the bytes that an operation `gives` to a file while they arrive. Returns their number. Raises as `send`
        does, and OSError when the file cannot be written; it may then be incomplete."""
        sink = FileSink(file)
        await self.send(operation, path=path, query=query, sink=sink)
        return sink.received

    async def aclose(self) -> None:
        """Close the connections and stop renewing."""
        await self.session.aclose()
        await self._connection.aclose()

    def with_options(
        self,
        *,
        timeouts: Timeouts | float | None = None,
        retries: Retries | int | None = None,
        headers: Mapping[str, str] = _NO_HEADERS,
    ) -> Self:
        """This client with other limits and more headers, for some requests.

        `timeouts` is in seconds, `retries` the repetitions after the first attempt. The session and the connections are
        the same, and close with the first client. ValueError for a value that cannot be used.
        """
        other = copy(self)
        other._timeout = self._timeout if timeouts is None else Timeouts.of(timeouts)
        other._retries = self._retries if retries is None else Retries.of(retries)
        other._headers = {**self._headers, **sendable(headers)}
        return other

    def _check_read_only(self, operation: AnyOperation) -> None:
        if not self.read_only or operation.reads or operation.credentials in _ALWAYS_ALLOWED:
            return
        if operation.id == verify_mfa.id and self.session.state == "limited":
            return
        raise ReadOnlyError(_("Read-only mode: {id} was not sent because it can change data.").format(id=operation.id))

    async def _as_caller(self, request: Request) -> Response:
        """Send with the credentials of the session. When the session ends, wait for the next login and continue."""
        user_id, logins = self.session.user_id, 0
        while True:
            used = ""
            try:
                sign, used = await self._credentials(request.operation)
                return await self._repeat(request, sign)
            except SessionEnded as error:
                ended = error
                if self.session.key or (used and self.session.state == "limited") or logins >= self.most_logins:
                    raise
            logins += 1
            await self.session.recover(used, ended, user_id)

    async def _credentials(self, operation: AnyOperation) -> tuple[Signer, str]:
        """The credentials, and their token (empty for an API key)."""
        session = self.session
        if session.key:
            if operation.credentials is Credentials.TOKEN:
                raise SessionEnded(_("{id} needs a login. An API key has no session.").format(id=operation.id))
            return credentials.api_key(self.profile, session.key), ""
        if operation.credentials is Credentials.LIMITED and session.state == "limited":
            return credentials.bearer(session.token), session.token
        token = await session.valid_token()
        return credentials.bearer(token), token

    async def _renewed(self, token: str) -> dict[str, Any]:
        """Renew a token. Returns the raw login response."""
        answer = await self.send(renew_token, sign=credentials.bearer(token))
        return login_answer(answer.body)

    async def _repeat(self, request: Request, sign: Signer) -> Response:
        """Attempts of a request, as long as a retry is safe and useful."""
        again = retry.repeatable(request.operation)
        for repetition in range(self._retries.attempts):
            last = repetition + 1 >= self._retries.attempts
            pause = retry.pause_before(repetition + 1, self._retries, random.random())
            try:
                reply, exchange = await self._attempt(request, sign, repetition)
            except Unreachable as error:
                if error.sent and not again:
                    raise responses.outcome_unknown(request.operation, error) from error
                if last or not error.temporary:
                    raise
            else:
                asked = retry.asked_pause(reply.headers, datetime.now(UTC))
                # 429: the service did not even begin, so that a change can be sent again.
                temporary = (again or reply.status == retry.TOO_MANY) and reply.status in retry.TEMPORARY and not last
                if not temporary or (asked or 0) > self._retries.longest_wait:
                    return self._answer(request, reply, exchange, asked)
                pause = pause if asked is None else asked
            await self._sleep(pause)
        raise Unreachable(
            _("No request was sent to {host}: the number of attempts is zero.").format(host=self.profile.host),
            temporary=False,
        )

    async def _attempt(self, request: Request, sign: Signer, repetition: int) -> tuple[RawResponse, LoggedCall]:
        headers = {**request.headers, **self._headers, **self.brand.deployment_headers(sign())}
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
            reply = await self._exchange(request, headers)
        except BaseException as error:
            sentence = (
                error.sentence if isinstance(error, ServiceError) else _("Cancelled before the response arrived.")
            )
            self.log.fail(exchange, sentence, time.perf_counter() - started)
            raise
        to_interface = replace(reply, headers=self.brand.interface_headers(reply.headers))
        self.log.end(
            exchange,
            reply.status,
            reply.headers,
            reply.body,
            time.perf_counter() - started,
            to_interface.headers.get(REQUEST_ID, ""),
            secrets=request.secrets,
            poured=reply.poured,
        )
        return to_interface, exchange

    async def _exchange(self, request: Request, headers: Mapping[str, str]) -> RawResponse:
        wire = await self._connection.open()
        content = request.raw if isinstance(request.raw, Stream) else request.content
        return await wire.exchange(
            request.operation.method, request.url, headers, content, request.sink, timeouts=self._timeout
        )

    def _answer(self, request: Request, reply: RawResponse, exchange: LoggedCall, asked: float | None) -> Response:
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
                raise (error if retry.repeatable(operation) else responses.outcome_unknown(operation, error)) from error
            body = {}
        if not fine:
            # A gateway stopped waiting; the service may still have performed the operation.
            if reply.status in (502, 504) and not retry.repeatable(operation):
                late = _("The service did not respond in time (status {status})").format(status=reply.status)
                raise responses.outcome_unknown(operation, late)
            raise responses.refusal(operation, reply.status, self.brand.interface_values(body, None), request_id, asked)
        body = self.brand.interface_values(body, record_in(operation.result))
        return Response(reply.status, body, reply.headers, request_id, exchange.elapsed, exchange)


class _Connection:
    """The transport of a client and of its copies with other options, opened with the first request."""

    def __init__(self, profile: Profile, beneath: object | None, timeouts: Timeouts) -> None:
        self._profile, self._beneath, self._timeouts = profile, beneath, timeouts
        self._transport: Transport | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> Transport:
        """The transport. Loading it and its certificate authorities is slow, so it happens in a thread."""
        async with self._opening:
            if self._transport is None:
                self._transport = await asyncio.to_thread(self._make)
            return self._transport

    def _make(self) -> Transport:
        return transport.Transport(self._profile, self._timeouts, self._beneath)

    async def aclose(self) -> None:
        if self._transport is not None:
            await self._transport.aclose()
            self._transport = None


def sendable(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers with names in lower case, as all others have them. ValueError for one that cannot be sent."""
    for name, value in headers.items():
        if not (_HEADER_NAME.fullmatch(name) and value.isascii() and value.isprintable() and value == value.strip()):
            raise ValueError(_("The header {name!r} has characters that cannot be sent.").format(name=name))
    return {name.lower(): value for name, value in headers.items()}


def declared_result(operation: Operation[R, Q, B], body: Any) -> R:
    """A response body as the declared result. InvalidResponse when it does not match the declaration."""
    try:
        return cast("R", _adapter(cast("Hashable", operation.result)).validate_python(body))
    except ValidationError as error:
        first = problems_from(error)[0]
        raise InvalidResponse(
            _("The response of {id} does not match the interface: {param} {msg}.").format(
                id=operation.id, param=first.param, msg=first.msg
            )
        ) from error


@cache
def _adapter(result: Hashable) -> TypeAdapter[Any]:
    return TypeAdapter(cast("Any", result))


def login_answer(body: Any) -> dict[str, Any]:
    """A login response (section 2.4), bare or in `data`. InvalidResponse without a token."""
    for found in (body, body.get("data") if isinstance(body, dict) else None):
        if isinstance(found, dict) and isinstance(found.get("token"), str) and found["token"]:
            return found
    raise InvalidResponse(_("The login response has no token. Check base_url."))
