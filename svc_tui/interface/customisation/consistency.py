"""Consistency rules between feature keys (2.8): the rules, contradictions, and their repair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.customisation.features import BY_KEY, DISABLED, ENABLED, TEMPLATE_DEFAULTS
from svc_tui.interface.labels import label_of
from svc_tui.language import _


@dataclass(frozen=True, slots=True)
class FeatureRule:
    """`key` cannot be enabled while `needs` is disabled."""

    key: str
    needs: str


@dataclass(frozen=True, slots=True)
class FeatureContradiction:
    """A broken rule, with a message."""

    key: str
    needs: str
    sentence: str


RULES: tuple[FeatureRule, ...] = (
    FeatureRule("fileSharingCustomisation", "fileStorageCustomisation"),
    FeatureRule("fileCopyCustomisation", "fileStorageCustomisation"),
    FeatureRule("instantMessagesCustomisation", "fileStorageCustomisation"),
    FeatureRule("fileTransferCustomisation", "fileCopyCustomisation"),
    FeatureRule("useWebRTCVideoCustomisation", "useWebRTCAudioCustomisation"),
    FeatureRule("instantMessagesCustomisation", "fileSharingCustomisation"),
)


def with_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """All feature keys of a template, with defaults for missing values."""
    return {**TEMPLATE_DEFAULTS, **{key: value for key, value in values.items() if key in BY_KEY}}


def contradictions(values: Mapping[str, Any]) -> list[FeatureContradiction]:
    """The rules that these values break. Missing values count as their defaults."""
    found = with_defaults(values)
    return [
        FeatureContradiction(
            rule.key,
            rule.needs,
            _("{key} cannot be enabled while {needs} is disabled").format(
                key=label_of(rule.key), needs=label_of(rule.needs)
            ),
        )
        for rule in RULES
        if found[rule.key] == ENABLED and found[rule.needs] == DISABLED
    ]


def repaired(values: Mapping[str, Any], changed_key: str) -> dict[str, Any]:
    """The values after a change of one key, with the changes that keep them consistent.

    Disabling a key disables the keys that need it, and enabling a key enables the keys that it needs. Other keys are
    neither changed nor added.
    """
    found = dict(values)
    todo = [changed_key]
    while todo:
        key = todo.pop()
        value = found.get(key, TEMPLATE_DEFAULTS.get(key))
        for rule in RULES:
            if value == DISABLED and rule.needs == key and with_defaults(found)[rule.key] == ENABLED:
                found[rule.key] = DISABLED
                todo.append(rule.key)
            elif value == ENABLED and rule.key == key and with_defaults(found)[rule.needs] == DISABLED:
                found[rule.needs] = ENABLED
                todo.append(rule.needs)
    return found
