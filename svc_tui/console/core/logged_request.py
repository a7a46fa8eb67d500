"""The request of a logged HTTP call by the names of the interface, to send it again from a shell."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from svc_tui.client.brand import Brand
from svc_tui.client.masking import LEFT_OUT, PLACEHOLDERS
from svc_tui.console.core.call_line import CommandCall
from svc_tui.interface.addresses import pattern_of
from svc_tui.interface.catalogue import operation

if TYPE_CHECKING:
    from svc_tui.client.call_log import LoggedCall
    from svc_tui.client.profile import Profile
    from svc_tui.interface.operations import AnyOperation


def call_of(exchange: LoggedCall, profile: Profile) -> CommandCall | None:
    """The request of a logged call, with placeholders for secrets in its body.

    None when the log does not have all of it: its address has a secret, or its body was too long.
    """
    called, brand = operation(exchange.operation_id), Brand(profile)
    address = urlsplit(exchange.url)
    found = re.search(f"{pattern_of(brand.path(called.path))}$", address.path)
    if found is None or any(mark in exchange.url for mark in PLACEHOLDERS):
        return None
    path = {name: unquote(value) for name, value in found.groupdict().items()}
    query = brand.interface_values(dict(parse_qsl(address.query, keep_blank_values=True)), called.query)
    if exchange.raw or not exchange.request_body:
        return CommandCall(called.id, path, query, file=exchange.raw, one_page=True)
    body = _body(called, exchange.request_body)
    return (
        None
        if body is None
        else CommandCall(called.id, path, query, brand.interface_values(body, called.body), one_page=True)
    )


def _body(called: AnyOperation, text: str) -> dict[str, Any] | None:
    """A logged body; None when it was shortened."""
    if called.sends_form:
        return dict(parse_qsl(text, keep_blank_values=True))
    try:
        body = json.loads(text)
    except ValueError:
        return None
    return body if isinstance(body, dict) and not _is_cut(body) else None


def _is_cut(value: Any) -> bool:
    """Whether values were left out of a logged body because there were too many."""
    if isinstance(value, dict):
        return LEFT_OUT in value or any(map(_is_cut, value.values()))
    return isinstance(value, list) and (LEFT_OUT in value[-1:] or any(map(_is_cut, value)))
