"""The short way of `svc-tui call`, for operations that read: without the parser, the declarations and the client.

It handles valid, simple requests. Anything else goes through the client: a wrong argument before anything is sent,
and a refusal with the received response, so that nothing is sent twice.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from urllib.parse import quote, urlencode

from svc_tui.commands import output
from svc_tui.interface.outlines import Outline, outline_of
from svc_tui.interface.paths import filled, parameters_of
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.client import session_store, short_read
    from svc_tui.client.raw_response import RawResponse
    from svc_tui.commands import call as long_call
    from svc_tui.commands import result
else:
    long_call = lazy_import("svc_tui.commands.call")
    result = lazy_import("svc_tui.commands.result")
    session_store = lazy_import("svc_tui.client.session_store")
    short_read = lazy_import("svc_tui.client.short_read")

_FORMATS = ("table", "json")
_OK = 200


class _Words(NamedTuple):
    """The arguments of a call. An empty format is the default one."""

    operation: str
    path: dict[str, str]
    query: dict[str, str]
    format: str
    profile: str


def call(arguments: list[str]) -> bool:
    """Perform `svc-tui call` with these arguments. False when nothing has arrived and the long way is needed.

    Raises what the long way raises.
    """
    outline = outline_of(arguments[0]) if arguments else None
    words = _words(outline, arguments[1:]) if outline is not None and outline.answer is not None else None
    return words is not None and outline is not None and _perform(outline, words)


def _words(outline: Outline, arguments: list[str]) -> _Words | None:
    """The arguments, if all of them are known and valid."""
    words = _Words(outline.id, {}, {}, "", "")
    parameters = parameters_of(outline.path)
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--output":
            words = words._replace(format=next(rest, ""))
        elif word == "--profile":
            words = words._replace(profile=next(rest, ""))
        elif not equals or word.startswith("-") or name in words.path or name in words.query:
            return None
        elif name in parameters:
            words.path[name] = value
        elif outline.accepts(name, value):
            words.query[name] = value
        else:
            return None
    return words if words.format in ("", *_FORMATS) and set(parameters) == set(words.path) else None


def _perform(outline: Outline, words: _Words) -> bool:
    try:
        path = filled(outline.path, words.path)
        profile = Profiles().load(words.profile)
    except (ValueError, OSError, ConfigurationError):
        return False
    if profile is None or not short_read.fits(profile):
        return False
    token = short_read.token_of(profile, session_store.SessionStore(folders().data / "sessions", profile.name))
    reply = short_read.read(profile, token, path, urlencode(words.query, quote_via=quote)) if token else None
    if reply is None:
        return False
    format = output.format_or_default(cast(output.Format, words.format) if words.format else None)
    body = _body(reply)
    if body is None or outline.answer is None or outline.answer.difference(body):
        values = [f"{name}={value}" for name, value in {**words.path, **words.query}.items()]
        long_call.continue_call(outline.id, values, format, words.profile, reply)
    else:
        result.write(outline.small, body, format)
    return True


def _body(reply: RawResponse) -> Any:
    """The JSON value of a plain success, otherwise None."""
    try:
        return json.loads(reply.body) if reply.status == _OK else None
    except (ValueError, RecursionError):
        return None
