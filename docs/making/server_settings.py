"""The page of the settings of a server, from the comments beside their declaration."""

from __future__ import annotations

import inspect
import re

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from svc_tui.server.settings import GlobalIdentity, Settings, XmppComponent

_INTRODUCTION = """`svc-tui serve --config server.toml` reads them from a TOML file; options of the command line take
precedence. Unknown names and values that cannot be used are reported at the start. Times are in seconds unless noted
otherwise. A line without a description belongs to the one before it."""


def server_settings() -> list[tuple[str, list[tuple[str, str, str]]]]:
    """A title and rows of (setting, default, description) for the file itself and each of its tables."""
    tables: list[tuple[str, type[BaseModel]]] = [
        ("Settings", Settings),
        ("`[xmpp_component]`", XmppComponent),
        ("`[global_identity]`", GlobalIdentity),
    ]
    return [(title, [*_rows(model)]) for title, model in tables]


def introduction() -> str:
    """The text before the tables."""
    return _INTRODUCTION


def _rows(model: type[BaseModel]) -> list[tuple[str, str, str]]:
    said = _comments(model)
    return [(f"`{name}`", _default(field), said.get(name, "")) for name, field in model.model_fields.items()]


def _comments(model: type[BaseModel]) -> dict[str, str]:
    """Name of a field -> the `#:` comment above it."""
    found = re.findall(r"((?:^    #: .*\n)+)    (\w+):", inspect.getsource(model), re.MULTILINE)
    return {name: " ".join(line.strip().removeprefix("#: ") for line in text.splitlines()) for text, name in found}


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if value is None or value in ("", []):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"{value:,}" if isinstance(value, int | float) else f"`{value}`"
