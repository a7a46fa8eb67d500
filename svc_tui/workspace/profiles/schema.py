"""The JSON Schema of config.toml, with which editors complete and check it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from svc_tui.client.profile import COLOURS, BrowseCache, LoginMethod, SlowLink
from svc_tui.workspace.profiles.configuration import GENERAL, KEYS, THEMES
from svc_tui.workspace.profiles.user_commands import COMMAND_HELP, COMMAND_KEYS, LONGEST_TIMEOUT, MARKED, OUTPUTS

_TYPES = {str: "string", bool: "boolean", int: "integer", dict: "object"}
_CHOICES: dict[str, tuple[str, ...]] = {
    "method": get_args(LoginMethod),
    "browse_cache": get_args(BrowseCache),
    "slow_link": get_args(SlowLink),
    "colour": COLOURS,
    "output": OUTPUTS,
    "marked": MARKED,
}
_MORE: dict[str, dict[str, Any]] = {
    "base_url": {"format": "uri"},
    "cache_megabytes": {"minimum": 1},
    "keymap": {"additionalProperties": {"type": "string"}, "description": "Action name: its keys, with commas."},
    # One of these, or a theme of the user.
    "theme": {"anyOf": [{"enum": list(THEMES)}, {"pattern": "^[a-z][a-z0-9_-]{0,31}$"}]},
    "timeout": {"minimum": 1, "maximum": LONGEST_TIMEOUT},
}


def schema(descriptions: Mapping[str, str]) -> dict[str, Any]:
    """The schema; `descriptions` are those of the settings of a profile."""
    profile = {
        "type": "object",
        "properties": {key: _property(key, (kind,), descriptions.get(key, "")) for key, kind in KEYS.items()},
        "required": ["base_url"],
        "additionalProperties": False,
    }
    command = {
        "type": "object",
        "properties": {key: _property(key, kinds, COMMAND_HELP[key]) for key, kinds in COMMAND_KEYS.items()},
        "oneOf": [{"required": ["open"]}, {"required": ["command"]}],
        "additionalProperties": False,
    }
    tables = {"profiles": profile, "commands": command}
    general = {key: _property(key, (kind,), descriptions.get(key, "")) for key, kind in GENERAL.items()}
    general |= {key: {"type": "object", "additionalProperties": table} for key, table in tables.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "config.toml of svc-tui",
        "type": "object",
        "properties": general,
        "additionalProperties": False,
    }


def _property(key: str, kinds: tuple[type, ...], description: str) -> dict[str, Any]:
    types = [
        {"type": "array", "items": {"type": "string"}} if kind is list else {"type": _TYPES[kind]} for kind in kinds
    ]
    found: dict[str, Any] = types[0] if len(types) == 1 else {"anyOf": types}
    if key in _CHOICES:
        found["enum"] = list(_CHOICES[key])
    if description:
        found["description"] = description
    return {**found, **_MORE.get(key, {})}
