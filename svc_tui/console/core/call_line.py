"""`svc-tui call …` for a request of the console: a line for a shell, without secrets."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from svc_tui.client import masking
from svc_tui.client.brand import Brand
from svc_tui.client.masking import LEFT_OUT, PLACEHOLDERS
from svc_tui.interface import catalogue, field_specs
from svc_tui.interface.addresses import pattern_of
from svc_tui.interface.catalogue import operation
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.profiles import running_demo
from svc_tui.workspace.profiles.profiles import Profiles

if TYPE_CHECKING:
    from svc_tui.client import requests
    from svc_tui.client.call_log import LoggedCall
    from svc_tui.client.profile import Profile
    from svc_tui.interface.operations import AnyOperation
    from svc_tui.interface.records import Record
    from svc_tui.workspace.workspace import Workspace
else:
    requests = lazy_import("svc_tui.client.requests")


#: Folders that commands must share with the console to find its profile and its session.
_FOLDERS = ("SVC_TUI_CONFIG_DIR", "SVC_TUI_DATA_DIR")
_LISTS = ("texts", "choices")


@dataclass(frozen=True)
class CommandCall:
    """A request by wire names. `file`: its body is a file, which the user names. `one_page`: not the whole list.

    `filtered`: the console shows only some of the records of the response.
    """

    operation: str
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    file: bool = False
    one_page: bool = False
    filtered: bool = False


@dataclass(frozen=True, slots=True)
class CallLine:
    """The line, and what must be done before it runs: sentences, empty without any."""

    text: str
    notes: str = ""


def call_line(call: CommandCall, workspace: Workspace) -> CallLine:
    """The line that sends a request with the profile and the session of the console.

    A secret in the body becomes a variable of the shell, and the body comes from standard input, so that neither the
    history nor the list of processes contains it. The line fails while the variable is not set. A list has all pages,
    unless the request is for one.
    """
    operation = catalogue.operation(call.operation)
    variables, options = _connection(workspace)
    words = [*variables, "svc-tui", "call", call.operation, *map(shell_word, _parameters(call)), *options]
    if call.file:
        return CallLine(" ".join([*words, "--body", "@FILE"]), _("Replace FILE with the name of the file."))
    if not call.body:
        return CallLine(" ".join(words), _("The console filters these records further.") if call.filtered else "")
    body, names = _body(call.body, masking.secrets_in(operation))
    if not names:
        return CallLine(" ".join([*words, "--body", body]))
    needed = " and ".join(f"${name}" for name in names)
    note = _(
        'Set {needed} in your shell first: secrets are not copied. In a value, write \\" for " and \\\\ for \\.'
    ).format(needed=needed)
    return CallLine(f"printf %s {body} | {' '.join([*words, '--body', '-'])}", note)


def _connection(workspace: Workspace) -> tuple[list[str], list[str]]:
    """Variables in front of the command, and options behind it, for the profile of the console."""
    profile = workspace.profile
    values = {name: os.environ[name] for name in _FOLDERS if os.environ.get(name)}
    if profile.name == running_demo.NAME and running_demo.running_demo() == workspace.folders.config.parent:
        values = {}
    stored = Profiles(workspace.folders).configuration.profiles.get(profile.name)
    if stored is None or stored.base_url != profile.base_url:
        values |= {"SVC_TUI_BASE_URL": profile.base_url, "SVC_TUI_APP_ID": profile.app_id}
        values |= {"SVC_TUI_LOGIN": profile.login}
    variables = [f"{name}={shell_word(value)}" for name, value in values.items() if value]
    return variables, ["--profile", shell_word(profile.name)]


def _parameters(call: CommandCall) -> Iterator[str]:
    """NAME=VALUE for each parameter; `--all` for a list with pages."""
    model: type[Record] = catalogue.query_of(call.operation)
    specs = field_specs.field_by_wire(model)
    yield from (f"{name}={value}" for name, value in call.path.items() if value)
    paged = "offset" in specs and not call.one_page
    for name, value in call.query.items():
        if value is None or value == "" or (paged and name in ("limit", "offset")):
            continue
        several = isinstance(value, (list, tuple)) and name in specs and specs[name].kind in _LISTS
        for each in value if several else (value,):
            yield f"{name}={requests.parameter_text(each)}"
    if paged:
        yield "--all"


def _body(body: Mapping[str, Any], secrets: frozenset[str]) -> tuple[str, list[str]]:
    """A JSON body as one word of a shell, and the variables that it has in place of secrets."""
    mark, names = token_hex(8), []

    def hidden(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {name: of_field(name, each) for name, each in value.items()}
        return [hidden(each) for each in value] if isinstance(value, list) else value

    def of_field(name: str, value: Any) -> Any:
        is_secret = name in secrets or value in masking.PLACEHOLDERS
        return placeholder(name, value) if is_secret else hidden(value)

    def placeholder(name: str, value: Any) -> Any:
        if not value:
            return value
        variable = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()
        names.append(variable)
        return f"{mark}{variable}{mark}"

    values = hidden(body)
    text = json.dumps(values, ensure_ascii=False, default=requests.parameter_text)
    if not text.isprintable():
        text = json.dumps(values, default=requests.parameter_text)
    parts = text.split(mark)
    word = "".join(f'"${{{part}:?}}"' if number % 2 else shell_word(part) for number, part in enumerate(parts))
    return word, list(dict.fromkeys(names))


def shell_word(text: str) -> str:
    """A text as one word of bash or zsh; what is not printable is written with escapes."""
    if text.isprintable():
        return shlex.quote(text)
    escaped = (_escape(char) for char in text)
    return f"$'{''.join(escaped)}'"


def _escape(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    return char if char.isprintable() else f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"


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
    body = _logged_body(called, exchange.request_body)
    return (
        None
        if body is None
        else CommandCall(called.id, path, query, brand.interface_values(body, called.body), one_page=True)
    )


def _logged_body(called: AnyOperation, text: str) -> dict[str, Any] | None:
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
