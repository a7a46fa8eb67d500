"""HTTP transport: the only module that uses httpx. It is loaded with the first request."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator, Mapping
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urlsplit

import httpx

from svc_tui.client.content import Sink, Stream
from svc_tui.client.errors import InvalidResponse, NotTrusted, Unreachable, too_late
from svc_tui.client.in_flight import MOST_BYTES, InFlight, PendingRequest, RawResponse, Timeouts
from svc_tui.client.profile import Profile
from svc_tui.client.proxies import Proxy, proxy_for
from svc_tui.client.trust import trust
from svc_tui.language import _

#: Seconds that the service may take to check a streamed body before its response begins.
_LONGEST_CHECK = 900.0
_CONNECTIONS = 8
#: Connections that requests of cancelled callers may occupy.
_ABANDONED = 4
#: Servers close idle connections after 5 seconds and more. A request that meets the closing has an unknown outcome.
_IDLE_SECONDS = 4.0

#: The status with which a proxy asks for a login, and those after which another attempt can succeed.
_PROXY_LOGIN = 407
_TEMPORARY = ("502", "503", "504")

#: Errors before a request has left this machine.
_NOT_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)


class Transport:
    """HTTP/1.1 with keep-alive to one service. Raises Unreachable, NotTrusted and InvalidResponse, nothing of httpx."""

    def __init__(self, profile: Profile, timeouts: Timeouts, beneath: object | None = None) -> None:
        if beneath is not None and not isinstance(beneath, httpx.AsyncBaseTransport):
            raise TypeError("transport must be an httpx.AsyncBaseTransport")
        self._host = profile.host
        self._name = urlsplit(profile.base_url).hostname or ""
        self._timeouts = timeouts
        self._in_flight = InFlight(_ABANDONED, pooled=beneath is None)
        limits = httpx.Limits(
            max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS, keepalive_expiry=_IDLE_SECONDS
        )
        trusted = trust(profile)
        self._proxy = proxy_for(profile.base_url) if beneath is None else None
        self._http = httpx.AsyncClient(
            transport=beneath,
            verify=trusted,
            proxy=httpx.Proxy(self._proxy.url, ssl_context=_context_of(self._proxy, trusted)) if self._proxy else None,
            trust_env=False,
            limits=limits,
            follow_redirects=False,
        )
        # The interface is stateless; a cookie would only identify the user.
        self._http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    async def exchange(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: bytes | Stream | None,
        sink: Sink | None = None,
        *,
        timeouts: Timeouts | None = None,
    ) -> RawResponse:
        """Send one request and read the whole response. Redirects are not followed. `timeouts` replaces the usual ones.

        The body of a successful response goes into a `sink`. Streamed bodies have no limit of size or time. When the
        caller is cancelled, the request may complete in the background, but for sinks and streamed bodies.
        """
        streamed = isinstance(content, Stream)
        timeouts = timeouts or self._timeouts
        most = timeouts.whole(0 if isinstance(content, Stream) else len(content or b""))
        body = content.pieces() if isinstance(content, Stream) else content
        # The service checks a streamed body before its response begins.
        patience = httpx.Timeout(
            _LONGEST_CHECK if streamed else timeouts.read, connect=timeouts.connect, pool=timeouts.total
        )

        async def work(exchange: PendingRequest) -> RawResponse:
            async with self._http.stream(
                method,
                url,
                headers=dict(headers),
                content=body,
                timeout=patience,
                extensions={"trace": exchange.trace},
            ) as response:
                if sink is not None and response.is_success:
                    poured = await _pour(response, sink)
                    return RawResponse(response.status_code, dict(response.headers), b"", poured)
                return RawResponse(response.status_code, dict(response.headers), await self._body(response))

        endless = sink is not None or streamed
        try:
            response = await self._in_flight.run(work, seconds=None if endless else most, completes=not endless)
        except TimeoutError as error:
            raise Unreachable(too_late(self._host, most), sent=True, temporary=False) from error
        except httpx.DecodingError as error:
            raise InvalidResponse(
                _("The response of {host} could not be decompressed.").format(host=self._host)
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreachable(error, timeouts) from error
        if self._proxy and response.status == _PROXY_LOGIN:
            raise _refused_by_proxy(self._proxy, self._host, str(_PROXY_LOGIN))
        return response

    async def _body(self, response: httpx.Response) -> bytes:
        body = bytearray()
        async for chunk in response.aiter_bytes():
            body += chunk
            if len(body) > MOST_BYTES:
                raise InvalidResponse(
                    _("The response of {host} is longer than {most_bytes} MiB.").format(
                        host=self._host, most_bytes=MOST_BYTES // 2**20
                    )
                )
        return bytes(body)

    async def aclose(self) -> None:
        await self._in_flight.aclose()
        await self._http.aclose()

    def _unreachable(self, error: Exception, timeouts: Timeouts) -> Unreachable:
        causes = list(_causes(error))
        encrypted = self._proxy is not None and self._proxy.url.startswith("https:")
        host = (
            _("{host} or of the proxy {proxy}").format(host=self._host, proxy=self._proxy) if encrypted else self._host
        )
        for cause in causes:
            if isinstance(cause, ssl.SSLCertVerificationError):
                return NotTrusted(_not_trusted(host, cause))
        for cause in causes:
            if isinstance(cause, ssl.SSLError) and isinstance(error, _NOT_SENT):
                return _no_tls(host, cause, encrypted)
        if self._proxy is not None and isinstance(error, _NOT_SENT) and not isinstance(error, httpx.PoolTimeout):
            return self._without_proxy(self._proxy, error, causes, timeouts)
        for cause in causes:
            if isinstance(cause, socket.gaierror):
                return Unreachable(
                    _("Unknown host {host}. Check base_url and the network of this machine.").format(host=self._host),
                    temporary=cause.errno == socket.EAI_AGAIN,
                )
        return self._no_answer(error, causes, timeouts)

    def _without_proxy(
        self, proxy: Proxy, error: Exception, causes: list[BaseException], timeouts: Timeouts
    ) -> Unreachable:
        """The error of a connection that ended at the proxy: all connections lead to it first."""
        if isinstance(error, httpx.ProxyError):
            return _refused_by_proxy(proxy, self._host, str(error))
        if isinstance(error, httpx.ConnectTimeout):
            what = _("The proxy {proxy} did not respond within {seconds:g} s.")
        elif any(isinstance(cause, socket.gaierror) for cause in causes):
            what = _("The proxy {proxy} is unknown.")
        elif any(isinstance(cause, ConnectionRefusedError) for cause in causes):
            what = _("The proxy {proxy} refused the connection.")
        else:
            what = _("The proxy {proxy} is unreachable.")
        check = _("Check {variable}, or add {host} to NO_PROXY.")
        return Unreachable(
            f"{what.format(proxy=proxy, seconds=timeouts.connect)} "
            f"{check.format(variable=proxy.variable, host=self._name)}"
        )

    def _no_answer(self, error: Exception, causes: list[BaseException], timeouts: Timeouts) -> Unreachable:
        if isinstance(error, (httpx.ConnectTimeout, httpx.PoolTimeout)):
            return Unreachable(too_late(self._host, timeouts.connect, _("connection to")))
        if isinstance(error, httpx.TimeoutException):
            # After such a long wait the error is reported; a retry would only wait again.
            return Unreachable(too_late(self._host, timeouts.read), sent=True, temporary=False)
        if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
            return Unreachable(
                _("The connection to {host} was refused. Check that the service is running.").format(host=self._host)
            )
        if isinstance(error, _NOT_SENT):
            return Unreachable(_("{host} is unreachable. Check the network of this machine.").format(host=self._host))
        if isinstance(error, (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.InvalidURL)):
            return Unreachable(
                _("The request to {host} cannot be sent: {error}.").format(host=self._host, error=error),
                temporary=False,
            )
        return Unreachable(
            _("The connection to {host} broke before the response was complete.").format(host=self._host), sent=True
        )


def _context_of(proxy: Proxy, trusted: ssl.SSLContext) -> ssl.SSLContext | None:
    """The certificate authorities for the connection to a proxy with TLS: those of the service."""
    return trusted if proxy.url.startswith("https:") else None


def _refused_by_proxy(proxy: Proxy, host: str, reason: str) -> Unreachable:
    """The error for a status of the proxy itself, such as `403 Forbidden`."""
    if not reason.startswith(str(_PROXY_LOGIN)):
        what = _("The proxy {proxy} refused the request to {host} ({reason}).")
        return Unreachable(what.format(proxy=proxy, host=host, reason=reason), temporary=reason[:3] in _TEMPORARY)
    if proxy.with_login:
        what = _("The proxy {proxy} does not accept the login and the password in {variable}.")
    else:
        what = _("The proxy {proxy} requires a login: set {variable} to http://LOGIN:PASSWORD@{address}.")
    return Unreachable(what.format(proxy=proxy, variable=proxy.variable, address=proxy.address), temporary=False)


async def _pour(response: httpx.Response, sink: Sink) -> int:
    """Write the body into the sink. Returns its size. The announced length of a compressed body is not used."""
    length = response.headers.get("content-length", "")
    known = length.isascii() and length.isdigit() and "content-encoding" not in response.headers
    sink.begin(int(length[:18]) if known else None)
    poured = 0
    async for piece in response.aiter_bytes():
        poured += len(piece)
        sink.take(piece)
    return poured


def _no_tls(host: str, error: ssl.SSLError, through_tls: bool) -> Unreachable:
    if not through_tls and error.reason in (
        "WRONG_VERSION_NUMBER",
        "HTTP_REQUEST",
        "PACKET_LENGTH_TOO_LONG",
        "RECORD_LAYER_FAILURE",
    ):
        return Unreachable(
            _("{host} does not use TLS. Check the http:// or https:// and the port of base_url.").format(host=host),
            temporary=False,
        )
    return Unreachable(
        _("The TLS connection to {host} failed ({reason}).").format(host=host, reason=error.reason or "interrupted"),
        temporary=False,
    )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An exception and all its causes."""
    waiting: list[BaseException] = [error]
    seen: set[int] = set()
    while waiting:
        cause = waiting.pop()
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions
        waiting += [behind for behind in (cause.__cause__, cause.__context__) if behind is not None]


def _not_trusted(host: str, error: ssl.SSLCertVerificationError) -> str:
    # The numbers are OpenSSL's X509_V_ERR_ codes.
    match error.verify_code:
        case 10:
            return _(
                "The certificate of {host} has expired. Check the date of this machine, or ask for a new one."
            ).format(host=host)
        case 9:
            return _("The certificate of {host} is not valid yet. Check the date of this machine.").format(host=host)
        case 62 | 64:
            return _("The certificate of {host} is for another name. Check the host in base_url.").format(host=host)
        case 18:
            return _(
                "The certificate of {host} is self-signed. If you trust it, set ca_bundle in the "
                "profile to a file with it."
            ).format(host=host)
        case 19 | 20 | 21:
            return _(
                "The certificate of {host} is from an unknown authority. Set ca_bundle in the "
                "profile to a file with the certificate of that authority."
            ).format(host=host)
        case _:
            reason = error.verify_message or _("it cannot be verified")
            return _(
                "The certificate of {host} is not trusted ({reason}). Set ca_bundle if it is a private one."
            ).format(host=host, reason=reason)
