"""Which feature keys contradict each other (2.8): the rules as data, what breaks them, and how it is repaired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.customisation.features import BY_KEY, DISABLED, ENABLED, TEMPLATE_DEFAULTS
from svc_tui.interface.labels import label_of


@dataclass(frozen=True, slots=True)
class Rule:
    """`key` cannot be enabled while `needs` is disabled."""

    key: str
    needs: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A broken rule and the sentence that says so."""

    key: str
    needs: str
    sentence: str


RULES: tuple[Rule, ...] = (
    Rule("fileSharingCustomisation", "fileStorageCustomisation"),
    Rule("fileCopyCustomisation", "fileStorageCustomisation"),
    Rule("instantMessagesCustomisation", "fileStorageCustomisation"),
    Rule("fileTransferCustomisation", "fileCopyCustomisation"),
    Rule("useWebRTCVideoCustomisation", "useWebRTCAudioCustomisation"),
    Rule("instantMessagesCustomisation", "fileSharingCustomisation"),
)


def whole(values: Mapping[str, Any]) -> dict[str, Any]:
    """All feature keys of a template; what is missing has its default."""
    return {**TEMPLATE_DEFAULTS, **{key: value for key, value in values.items() if key in BY_KEY}}


def broken(values: Mapping[str, Any]) -> list[Broken]:
    """Every rule that these values break; missing ones count with their default."""
    found = whole(values)
    return [
        Broken(rule.key, rule.needs, f"{label_of(rule.key)} cannot be enabled while {label_of(rule.needs)} is disabled")
        for rule in RULES
        if found[rule.key] == ENABLED and found[rule.needs] == DISABLED
    ]


def repaired(values: Mapping[str, Any], changed_key: str) -> dict[str, Any]:
    """The values with what must follow from the change of one key: what it switched off takes others with it, what
    it switched on brings what it needs. Keys that need not change stay out unless they were given."""
    found = dict(values)
    todo = [changed_key]
    while todo:
        key = todo.pop()
        value = found.get(key, TEMPLATE_DEFAULTS.get(key))
        for rule in RULES:
            if value == DISABLED and rule.needs == key and whole(found)[rule.key] == ENABLED:
                found[rule.key] = DISABLED
                todo.append(rule.key)
            elif value == ENABLED and rule.key == key and whole(found)[rule.needs] == DISABLED:
                found[rule.needs] = ENABLED
                todo.append(rule.needs)
    return found
