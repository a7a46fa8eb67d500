"""Findings: why something does not work, decided on records alone, so that both sides can state it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from svc_tui.interface.errors import Code

#: What a finding means for its subject: it is prevented, or possible with limits; or only good to know.
Effect = Literal["prevents", "limits", "notes"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason. `about` is its subject in a word, such as `Login`; `sentence` begins with the consequence.

    The reason is in `field` (the wire name) of a record of `kind`, by the rule in this section of the specification.
    `code` is the code of the refusal, where the service refuses something.
    """

    about: str
    sentence: str
    effect: Effect
    kind: str
    field: str
    rule: str
    code: Code | None = None
    #: The ID of the record, if it is one of several.
    record_id: str = ""


def items(value: Any) -> list[Mapping[str, Any]]:
    """The objects in a list of a record; none where it is something else."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
