"""What a request carries and takes: never more bytes in memory than the operation accepts."""

from __future__ import annotations

import asyncio
import re

from starlette.requests import ClientDisconnect, Request

from svc_tui.interface.errors import Code
from svc_tui.interface.images.records import MOST_AVATAR, MOST_SPLASHSCREEN
from svc_tui.interface.operations import FORM, AnyOperation, Credentials
from svc_tui.interface.problems import Problem
from svc_tui.server.images.validation import accepted_type
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.settings import Settings

#: Names of UTF-8, and no name.
UTF_8 = ("", "utf-8", "utf8")
_JSON = "application/json"
#: Media ranges that contain JSON; one of quality 0 is refused by the client.
_JSON_RANGES = (_JSON, "application/*", "*/*")
_NEVER = re.compile(r"q\s*=\s*0(\.0*)?")
#: The specification names no `accept` for operations without a caller.
_ANY_RESPONSE = (Credentials.NONE, Credentials.BROWSER, Credentials.BACKCHANNEL, Credentials.APPLICATION)
#: For how many seconds, and up to how many bytes, the rest of a refused body is read.
_DISCARD_SECONDS = 10
_MOST_DISCARDED = 64 * 1024 * 1024


class TooLarge(Refusal):
    """413000, with the largest size in its body."""

    def __init__(self, limit: int) -> None:
        super().__init__(Code.TOO_LARGE)
        self.limit = limit

    def body(self) -> dict[str, object]:
        return {**super().body(), "maxSize": self.limit}


async def json_content(request: Request, settings: Settings) -> bytes:
    """The body of an operation that takes JSON. TooLarge beyond the limit."""
    return b"" if request.method == "GET" else await _read(request, settings.largest_body)


def check_type(operation: AnyOperation, said: str) -> None:
    """Refusal 400000 if a body is declared as something else than JSON, or a form where the operation takes one.

    A body without a content type is read: public clients send such ones.
    """
    media, charset = media_and_charset(said)
    wanted = FORM if operation.sends_form else _JSON
    fits = media == wanted or (wanted == _JSON and media.startswith("application/") and media.endswith("+json"))
    if media and not (fits and charset in UTF_8):
        raise invalid(Problem("content-type", f"must be {wanted}", said[:100]))


def check_accept(operation: AnyOperation, said: str) -> None:
    """Refusal 400000 for a caller who does not take the JSON of the response (4): `accept` must be application/json.

    A missing header and the wildcards of HTTP include it. Files, images and pages have their own types.
    """
    if said in ("", _JSON, "*/*") or operation.gives or operation.credentials in _ANY_RESPONSE:
        return
    if not any(_takes_json(each) for each in said.lower().split(",")):
        raise invalid(Problem("accept", f"must be {_JSON}", said[:100]))


def _takes_json(range_: str) -> bool:
    media, *parameters = (each.strip() for each in range_.split(";"))
    return media in _JSON_RANGES and not any(_NEVER.fullmatch(each) for each in parameters)


def media_and_charset(said: str) -> tuple[str, str]:
    """The media type and the character set of a content type in lower case, each empty if it is not named."""
    media, _, parameters = said.lower().partition(";")
    return media.strip(), parameters.partition("charset=")[2].partition(";")[0].strip(' "')


async def raw_content(request: Request, operation: AnyOperation, settings: Settings) -> bytes:
    """The body of an operation that takes no JSON. TooLarge beyond the limit, Refusal 400000 for another type."""
    said = request.headers.get("content-type", "")
    if (accepted_type(said) or said.partition(";")[0].strip().lower()) not in operation.takes:
        raise invalid(Problem("content-type", f"must be {' or '.join(operation.takes)}", said[:100] or None))
    return await _read(request, _limit(operation, settings))


def _limit(operation: AnyOperation, settings: Settings) -> int:
    """The limit of the operation, or the one that the operator configured instead."""
    declared = operation.most_bytes or settings.largest_body
    configured = {MOST_AVATAR: settings.largest_avatar, MOST_SPLASHSCREEN: settings.largest_splash_screen}
    return configured.get(declared, declared)


async def _read(request: Request, limit: int) -> bytes:
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > limit:
        raise TooLarge(limit)
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > limit:
            raise TooLarge(limit)
    return bytes(content)


async def discard_body(request: Request) -> None:
    """Discard the rest of a refused body: a client that is cut off while sending would not see the response."""
    dropped = 0
    try:
        async with asyncio.timeout(_DISCARD_SECONDS):
            async for chunk in request.stream():
                dropped += len(chunk)
                if dropped > _MOST_DISCARDED:
                    return
    except (TimeoutError, ClientDisconnect, RuntimeError):
        return
