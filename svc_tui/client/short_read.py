"""The short way of one reading request: a plain connection with the stored session, without the client.

The client with its HTTP library, its tasks and its declarations loads in a third of a second, longer than most requests
take. The short way is for a request that needs none of it: a stored session that is not due for renewal, a
service that is reached directly. In any other case the client does everything, with its retries, renewals and messages;
a response that is no plain success is handed to it, so that the request is not sent again. Only requests that change
nothing may take it.
"""

from __future__ import annotations

import http.client
import time
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from svc_tui.client import credentials, proxies
from svc_tui.client.errors import Unreachable, too_late
from svc_tui.client.raw_response import MOST_BYTES, RawResponse
from svc_tui.client.session_store import SessionStore
from svc_tui.client.timeouts import Timeouts
from svc_tui.client.tokens import decode_token
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.client import trust
    from svc_tui.client.profile import Profile
else:
    trust = lazy_import("svc_tui.client.trust")

_TIMEOUTS = Timeouts()
_PIECE = 65_536
#: zlib reads gzip and its own format.
_GZIP = 32 + zlib.MAX_WBITS


def fits(profile: Profile) -> bool:
    """Whether a service is reached directly, in the words of the interface, with a stored session."""
    plain = (profile.brand, profile.voice_brand, profile.billing_brand) == ("svc", "voice", "billing")
    try:
        direct = proxies.proxy_for(profile.base_url) is None
    except Unreachable:
        return False
    return plain and direct and profile.method != "api_key" and profile.verified


def token_of(profile: Profile, store: SessionStore) -> str:
    """The token of the stored session; empty when there is none, or when it is due for renewal."""
    stored = store.read()
    if stored is None or not stored.is_of(profile):
        return ""
    claims = decode_token(stored.token)
    fresh = claims.lifetime > 0 and time.time() < stored.received + claims.lifetime / 2
    return stored.token if fresh and not claims.limited else ""


def read(profile: Profile, token: str, path: str, query: str) -> RawResponse | None:
    """The response, with its body unpacked; None when none arrived completely. Unreachable when the wait was long."""
    headers = {**credentials.common(profile, credentials.new_correlation()), **credentials.bearer(token)()}
    target = f"{urlsplit(profile.base_url).path}{path}{f'?{query}' if query else ''}"
    try:
        connection = _connection(profile)
        try:
            connection.connect()
            return _exchange(profile.host, connection, target, {**headers, "accept-encoding": "gzip"})
        finally:
            connection.close()
    except (OSError, ValueError, http.client.HTTPException, zlib.error):
        return None


def _connection(profile: Profile) -> http.client.HTTPConnection:
    address = urlsplit(profile.base_url)
    host, seconds = address.hostname or "", _TIMEOUTS.connect
    if profile.encrypted:
        return http.client.HTTPSConnection(host, address.port, timeout=seconds, context=trust.trust(profile))
    return http.client.HTTPConnection(host, address.port, timeout=seconds)


def _exchange(
    name: str, connection: http.client.HTTPConnection, target: str, headers: Mapping[str, str]
) -> RawResponse | None:
    end = time.monotonic() + _TIMEOUTS.total
    connection.sock.settimeout(_TIMEOUTS.read)
    try:
        connection.request("GET", target, headers=dict(headers))
        response = connection.getresponse()
        body = bytearray()
        while piece := response.read1(_PIECE):
            body += piece
            if time.monotonic() > end:
                raise Unreachable(too_late(name, _TIMEOUTS.total), sent=True, temporary=False)
            if len(body) > MOST_BYTES:
                return None
    except TimeoutError as error:
        # As with the client: after such a long wait, sending the request again would only wait again.
        raise Unreachable(too_late(name, _TIMEOUTS.read), sent=True, temporary=False) from error
    fields = {field.lower(): value for field, value in response.getheaders()}
    encoding = fields.get("content-encoding", "")
    if response.length or encoding not in ("", "gzip"):
        return None
    return RawResponse(response.status, fields, _unpacked(bytes(body)) if encoding else bytes(body))


def _unpacked(body: bytes) -> bytes:
    """A decompressed body; ValueError when it is longer than the client accepts."""
    unpacking = zlib.decompressobj(_GZIP)
    text = unpacking.decompress(body, MOST_BYTES)
    if not unpacking.eof:
        raise ValueError(_("the response is too long or incomplete"))
    return text
