"""What is edited of a CloudPBX in one go: its settings and the parts that have operations of their own (4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.flat import flat, flattened, folded
from svc_tui.interface.records import Record, field_by_wire
from svc_tui.interface.voice.cloudpbx import CliOptionsUpdate, CloudPbxUpdate, ProhibitedNumbers
from svc_tui.interface.voice.recordings import AnnouncementBody

#: Where the custom list of prohibited numbers lies beside the settings.
PROHIBITED = "prohibitedNumbers"


@dataclass(frozen=True, slots=True)
class Part:
    """Fields that one operation takes. `under` is what they lie in, `read` the operation that reads them again."""

    operation: str
    body: type[Record]
    under: str
    group: str
    read: str = "get_cloudpbx"

    @property
    def prefix(self) -> str:
        return f"{self.under}." if self.under else ""


PARTS: tuple[Part, ...] = (
    Part("update_cloudpbx", CloudPbxUpdate, "", "Identity"),
    Part("update_cloudpbx_cli_options", CliOptionsUpdate, "cliOptions", "Rights", "get_cloudpbx_cli_options"),
    Part(
        "replace_cloudpbx_custom_numbers_restriction",
        ProhibitedNumbers,
        PROHIBITED,
        "Rights",
        "get_cloudpbx_custom_numbers_restriction",
    ),
    Part("set_recording_announcement_profile", AnnouncementBody, "", "Calls"),
)
#: All of it as one record, with dots in the names of what lies in objects.
EDITED: type[Record] = flat(*((part.body, part.prefix, part.group) for part in PARTS))
_PART_OF = {wire: part for part in PARTS for wire in field_by_wire(flat((part.body, part.prefix, part.group)))}


def part_of(wire: str) -> Part:
    """The part that a field of what is edited belongs to."""
    return _PART_OF[wire]


def values_of(settings: Mapping[str, Any], prohibited: object) -> dict[str, Any]:
    """What is edited, as it is: from the fields of a CloudPBX, and its custom list of prohibited numbers."""
    return flattened({**settings, PROHIBITED: {"patterns": prohibited}}, EDITED)


def settings_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """The `cloudpbx` object that edited values mean."""
    return {wire: value for wire, value in folded(values).items() if wire not in (PROHIBITED, "name")}


def bodies(changed: Mapping[str, Any]) -> list[tuple[Part, dict[str, Any]]]:
    """Each part that changed values touch, with the body that its operation takes."""
    found = []
    for part in PARTS:
        own = {wire.removeprefix(part.prefix): value for wire, value in changed.items() if part_of(wire) is part}
        if own:
            found.append((part, folded(own)))
    return found


def wire_of(part: Part, param: str) -> str:
    """The edited field that a refusal means: `numberingPlan.0.prefix` is about the numbering plan; empty for none."""
    names = f"{part.prefix}{param}".split(".")
    tried = (".".join(names[:end]) for end in range(len(names), 0, -1))
    return next((wire for wire in tried if wire in _PART_OF), "")
