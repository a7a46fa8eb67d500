"""The log of HTTP calls: limited, in memory only, with masked secrets."""

from __future__ import annotations

import json
import re
import shlex
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from svc_tui.client.content import Content, Stream
from svc_tui.client.masking import PLACEHOLDERS, mask_body, mask_headers, mask_text, spellings, without

#: Calls in the log.
MOST = 200
#: A shorter known secret is not searched in texts: it would be found in other words.
SHORTEST_KNOWN = 6

#: Content types that are never shown as text.
_NO_TEXT = ("image/", "application/pdf")
_SLOT = re.compile("|".join(re.escape(name) for name in sorted(PLACEHOLDERS, key=len, reverse=True)))
#: Headers that curl and the connection set.
_CURL_KNOWS = frozenset({"host", "connection", "content-length", "accept-encoding"})


@dataclass(slots=True)
class LoggedCall:
    """One request and its response. Times: `started` UTC, `elapsed` seconds; `size` bytes of the response body.

    Names are those of the wire, in the words of the deployment. `retry` is 0 for the first attempt, `error` a sentence
    without a (valid) response. `status` is None without a response. A body that is not text (`raw`: the request body)
    is logged with its type and size only. `streamed`: a body is sent or received piece by piece.
    """

    number: int
    started: datetime
    operation_id: str
    method: str
    url: str
    request_headers: Mapping[str, str]
    request_body: str = ""
    retry: int = 0
    status: int | None = None
    response_headers: Mapping[str, str] = field(default_factory=dict)
    response_body: str = ""
    size: int = 0
    elapsed: float = 0.0
    error: str = ""
    request_id: str = ""
    raw: bool = False
    streamed: bool = False

    @property
    def awaited(self) -> bool:
        """Whether the call is in progress."""
        return self.status is None and not self.error

    def as_curl(self) -> str:
        """The request as a shell command. Secrets are variables ($SVC_TOKEN …), other text is quoted."""
        parts = ["curl", "-X", self.method, _quoted(self.url)]
        for name, value in self.request_headers.items():
            if name.lower() not in _CURL_KNOWS:
                parts += ["-H", _quoted(f"{name}: {value}")]
        if self.raw:
            parts += ["--data-binary", "@FILE"]
        elif self.request_body:
            parts += ["--data-raw", _quoted(_ascii(self.request_body))]
        return " ".join(parts)


def _ascii(body: str) -> str:
    """A JSON body in ASCII: a pasted text must not hold characters that control the terminal."""
    try:
        return json.dumps(json.loads(body), separators=(",", ":"))
    except ValueError:
        return body.encode("ascii", "backslashreplace").decode()


def _quoted(text: str) -> str:
    """One shell word: literal parts in single quotes, placeholders as variables."""
    literal = "".join(char if char.isprintable() else " " for char in text)
    parts = []
    at = 0
    for slot in _SLOT.finditer(literal):
        parts += [shlex.quote(literal[at : slot.start()])] if slot.start() > at else []
        parts.append(f'"{slot[0]}"')
        at = slot.end()
    if at < len(literal) or not parts:
        parts.append(shlex.quote(literal[at:]))
    return "".join(parts)


class CallLog:
    """The last calls, oldest first. With `most` 0 it is off: nothing of a call is kept, nor masked for it."""

    def __init__(self, most: int = MOST) -> None:
        self._exchanges: deque[LoggedCall] = deque(maxlen=most)
        self._callbacks: list[Callable[[LoggedCall], None]] = []
        self._known: dict[str, str] = {}
        self._count = 0

    @property
    def _off(self) -> bool:
        return not self._exchanges.maxlen

    @property
    def exchanges(self) -> tuple[LoggedCall, ...]:
        return tuple(self._exchanges)

    def mask(self, secret: str, replacement: str) -> None:
        """Mask this value everywhere from now on; a very short one only in known fields."""
        if len(secret) >= SHORTEST_KNOWN:
            self._known.update(dict.fromkeys(spellings(secret), replacement))
            # The longest first: one secret may be the beginning of another.
            self._known = dict(sorted(self._known.items(), key=lambda item: -len(item[0])))

    def subscribe(self, callback: Callable[[LoggedCall], None]) -> Callable[[], None]:
        """Call back when a call begins and ends. The result ends the subscription."""
        self._callbacks.append(callback)

        def unsubscribe() -> None:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

        return unsubscribe

    def begin(
        self,
        operation_id: str,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: str = "",
        *,
        retry: int = 0,
        secrets: Collection[str] = (),
        raw: Content | Stream | None = None,
        streamed: bool = False,
    ) -> LoggedCall:
        """Log a request. `secrets` are the wire names of declared secrets, `raw` is a body that is not text."""
        self._count += 1
        if self._off:
            return LoggedCall(self._count, datetime.now(UTC), operation_id, method, "", {}, retry=retry)
        exchange = LoggedCall(
            number=self._count,
            started=datetime.now(UTC),
            operation_id=operation_id,
            method=method,
            url=mask_text(self._clean(url), secrets),
            request_headers=self._headers(headers),
            request_body=f"({raw})" if raw else mask_body(body, secrets, self._known) if body else "",
            retry=retry,
            raw=raw is not None,
            streamed=streamed,
        )
        self._exchanges.append(exchange)
        self._notify(exchange)
        return exchange

    def end(
        self,
        exchange: LoggedCall,
        status: int,
        headers: Mapping[str, str],
        body: bytes,
        elapsed: float,
        request_id: str,
        *,
        secrets: Collection[str] = (),
        poured: int | None = None,
    ) -> None:
        """Log the response. `poured` is the size of a body that went into a sink."""
        exchange.status, exchange.elapsed = status, elapsed
        if self._off:
            return
        exchange.response_headers = self._headers(headers)
        exchange.size = len(body) if poured is None else poured
        kind = headers.get("content-type", "").partition(";")[0].strip()
        if poured or (body and kind.startswith(_NO_TEXT)):
            exchange.response_body = f"({mask_text(self._clean(kind))}, {exchange.size} bytes)"
        else:
            exchange.response_body = mask_body(body.decode("utf-8", "replace"), secrets, self._known) if body else ""
        exchange.request_id = mask_text(self._clean(request_id))
        self._notify(exchange)

    def fail(self, exchange: LoggedCall, sentence: str, elapsed: float) -> None:
        """Log a failure with its sentence."""
        exchange.error = mask_text(self._clean(sentence))
        exchange.elapsed = elapsed
        self._notify(exchange)

    def _clean(self, text: str) -> str:
        return without(text, self._known)

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return mask_headers({self._clean(name): self._clean(value) for name, value in headers.items()})

    def _notify(self, exchange: LoggedCall) -> None:
        for callback in tuple(self._callbacks):
            callback(exchange)
