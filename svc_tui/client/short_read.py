"""The short way of one reading request: a plain connection with the stored session, without the client.

The client with its HTTP library, its tasks and its declarations loads in a third of a second, longer than most requests
take. The short way is for a request that surely needs none of it: a stored session that is not due for renewal, a
service that is reached directly and a response that is a plain success. In any other case it returns None, before or
after the request, and the client does everything again with its retries, renewals and messages. Only requests that
change nothing may take it.
"""

from __future__ import annotations

import http.client
import json
import os
import time
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from svc_tui.client import credentials
from svc_tui.client.session_store import SessionStore
from svc_tui.client.timeouts import Timeouts
from svc_tui.client.tokens import decode_token
from svc_tui.language import _
from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.client import trust
    from svc_tui.client.profile import Profile
else:
    trust = late("svc_tui.client.trust")

_TIMEOUTS = Timeouts()
#: Longest body, before decompression, that takes the short way.
_MOST_BYTES = 8 * 1024 * 1024
_PROXIES = ("http_proxy", "https_proxy", "all_proxy")
_OK = 200
#: zlib reads gzip and its own format.
_GZIP = 32 + zlib.MAX_WBITS


def fits(profile: Profile) -> bool:
    """Whether a service is reached directly, in the words of the interface, with a stored session."""
    plain = (profile.brand, profile.voice_brand, profile.billing_brand) == ("svc", "voice", "billing")
    proxy = not profile.on_loopback and any(os.environ.get(name) or os.environ.get(name.upper()) for name in _PROXIES)
    return plain and not proxy and profile.method != "api_key" and profile.verified


def token_of(profile: Profile, store: SessionStore) -> str:
    """The token of the stored session; empty when there is none, or when it is due for renewal."""
    stored = store.read()
    if stored is None or not stored.is_of(profile):
        return ""
    claims = decode_token(stored.token)
    fresh = claims.lifetime > 0 and time.time() < stored.received + claims.lifetime / 2
    return stored.token if fresh and not claims.limited else ""


def read(profile: Profile, token: str, path: str, query: str) -> Any:
    """The JSON value of a response, or None when it is not a plain success."""
    headers = {**credentials.common(profile, credentials.new_correlation()), **credentials.bearer(token)()}
    try:
        return _exchange(profile, path, query, {**headers, "accept-encoding": "gzip"})
    except (OSError, ValueError, RecursionError, http.client.HTTPException, zlib.error):
        return None


def _exchange(profile: Profile, path: str, query: str, headers: Mapping[str, str]) -> Any:
    address = urlsplit(profile.base_url)
    host = address.hostname or ""
    if profile.encrypted:
        secure = http.client.HTTPSConnection(
            host, address.port, timeout=_TIMEOUTS.connect, context=trust.trust(profile)
        )
        connection: http.client.HTTPConnection = secure
    else:
        connection = http.client.HTTPConnection(host, address.port, timeout=_TIMEOUTS.connect)
    try:
        connection.request("GET", f"{address.path}{path}{f'?{query}' if query else ''}", headers=dict(headers))
        response = connection.getresponse()
        body = response.read(_MOST_BYTES + 1)
        encoding = response.headers.get("content-encoding", "")
        if response.status != _OK or len(body) > _MOST_BYTES or encoding not in ("", "gzip"):
            return None
        return json.loads(_unpacked(body) if encoding else body)
    finally:
        connection.close()


def _unpacked(body: bytes) -> bytes:
    """A decompressed body; ValueError when it is longer than the client accepts."""
    unpacking = zlib.decompressobj(_GZIP)
    text = unpacking.decompress(body, 8 * _MOST_BYTES)
    if not unpacking.eof:
        raise ValueError(_("the response is too long or incomplete"))
    return text
