"""The operations on a CloudPBX and its options, and what it prohibits: barring options and its own list (2.14, 4.7)."""

from __future__ import annotations

from svc_tui.interface.envelopes import Done, Page, Plain, Single
from svc_tui.interface.errors import Code
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import CLOUDPBX, CLOUDPBXS, READ_VOICE, REFUSALS, WRITE_VOICE
from svc_tui.interface.voice.cloudpbx import (
    CliOptions,
    CliOptionsUpdate,
    CloudPbx,
    CloudPbxCreation,
    CloudPbxDeletion,
    CloudPbxQuery,
    CloudPbxUpdate,
    EmergencyNumbers,
)
from svc_tui.interface.voice.devices import DeviceModel

_BARRING = CLOUDPBX + "/barring-options"
_PROHIBITED = _BARRING + "/custom-numbers-restriction"
_CLI = CLOUDPBX + "/cli-options"


class BarringChoice(Record):
    """A barring option and its meaning."""

    id: str | None = None
    description: str | None = None


class BarringChoices(Record):
    """The barring options of a CloudPBX."""

    permissions: list[BarringChoice] | None = field(None, help="Options for permitted calls")
    restrictions: list[BarringChoice] | None = field(None, help="Options for prohibited numbers")


class ProhibitedNumber(Record):
    """A number, or the first digits of numbers, that must not be called."""

    pattern: str = field(..., min_length=1, max_length=64, help="Number, or first digits of numbers", personal=True)
    description: str | None = field(None, max_length=255, help="Reason", personal=True)


class ProhibitedNumbers(Record):
    """The custom list of prohibited numbers. An update sends the complete list."""

    patterns: list[ProhibitedNumber] = field(
        ..., max_length=1000, unique="pattern", help="Numbers, or first digits of numbers, that must not be called"
    )


list_cloudpbxs = Operation(
    "list_cloudpbxs",
    "4.7",
    "GET",
    CLOUDPBXS,
    "List CloudPBXs",
    Page[CloudPbx],
    READ_VOICE,
    query=CloudPbxQuery,
    refuses=REFUSALS,
)

create_cloudpbx = Operation(
    "create_cloudpbx",
    "4.7",
    "POST",
    CLOUDPBXS,
    "Create the CloudPBX of a company",
    Single[CloudPbx],
    WRITE_VOICE,
    body=CloudPbxCreation,
    refuses=(*REFUSALS, Code.HAS_CLOUDPBX, Code.SAME_PREFIXES, Code.TRUNK_LOCKED),
    creates="cloudpbxs",
)

get_cloudpbx = Operation(
    "get_cloudpbx",
    "4.7",
    "GET",
    CLOUDPBX,
    "Get a CloudPBX",
    Single[CloudPbx],
    READ_VOICE,
    refuses=REFUSALS,
)

update_cloudpbx = Operation(
    "update_cloudpbx",
    "4.7",
    "PUT",
    CLOUDPBX,
    "Update the settings of a CloudPBX",
    Single[CloudPbx],
    WRITE_VOICE,
    body=CloudPbxUpdate,
    refuses=(
        *REFUSALS,
        Code.NOTHING_TO_UPDATE,
        Code.SAME_PREFIXES,
        Code.TRUNK_LOCKED,
        Code.PLAN_LOCKED,
        Code.OUTGOING_PREFIX_LOCKED,
    ),
    updates="cloudpbxs",
)

delete_cloudpbx = Operation(
    "delete_cloudpbx",
    "4.7",
    "DELETE",
    CLOUDPBX,
    "Delete a CloudPBX; with force, all its records too",
    Done,
    WRITE_VOICE,
    query=CloudPbxDeletion,
    refuses=(
        *REFUSALS,
        Code.HAS_GROUPS,
        Code.HAS_WELCOME_SERVICES,
        Code.HAS_PUBLIC_NUMBERS,
        Code.HAS_EXTENSIONS,
        Code.HAS_DEVICES,
    ),
    deletes="cloudpbxs",
)

get_cloudpbx_barring_options = Operation(
    "get_cloudpbx_barring_options",
    "4.7",
    "GET",
    _BARRING,
    "List the barring options of a CloudPBX",
    Single[BarringChoices],
    READ_VOICE,
    refuses=REFUSALS,
)

get_cloudpbx_custom_numbers_restriction = Operation(
    "get_cloudpbx_custom_numbers_restriction",
    "4.7",
    "GET",
    _PROHIBITED,
    "Get the custom list of prohibited numbers",
    Single[ProhibitedNumbers],
    READ_VOICE,
    refuses=REFUSALS,
)

replace_cloudpbx_custom_numbers_restriction = Operation(
    "replace_cloudpbx_custom_numbers_restriction",
    "4.7",
    "PUT",
    _PROHIBITED,
    "Replace the custom list of prohibited numbers",
    Single[ProhibitedNumbers],
    WRITE_VOICE,
    body=ProhibitedNumbers,
    refuses=REFUSALS,
    updates="cloudpbxs",
)

get_cloudpbx_cli_options = Operation(
    "get_cloudpbx_cli_options",
    "4.7",
    "GET",
    _CLI,
    "Get the number that callees see",
    Single[CliOptions],
    READ_VOICE,
    refuses=REFUSALS,
)

update_cloudpbx_cli_options = Operation(
    "update_cloudpbx_cli_options",
    "4.7",
    "PUT",
    _CLI,
    "Update the number that callees see",
    Single[CliOptions],
    WRITE_VOICE,
    body=CliOptionsUpdate,
    refuses=(*REFUSALS, Code.NOTHING_TO_UPDATE),
    updates="cloudpbxs",
)

list_cloudpbx_languages = Operation(
    "list_cloudpbx_languages",
    "4.7",
    "GET",
    CLOUDPBX + "/languages",
    "List the languages of announcements",
    Plain[str],
    READ_VOICE,
    refuses=REFUSALS,
)

list_cloudpbx_device_models = Operation(
    "list_cloudpbx_device_models",
    "4.7",
    "GET",
    CLOUDPBX + "/devicemodels",
    "List device models",
    Plain[DeviceModel],
    READ_VOICE,
    refuses=REFUSALS,
)

get_cloudpbx_emergency_numbers = Operation(
    "get_cloudpbx_emergency_numbers",
    "4.7",
    "GET",
    CLOUDPBX + "/emergency-numbers",
    "Get the emergency numbers and the options for emergency calls",
    Single[EmergencyNumbers],
    READ_VOICE,
    refuses=REFUSALS,
)

__all__ = [
    "BarringChoice",
    "BarringChoices",
    "ProhibitedNumber",
    "ProhibitedNumbers",
    "create_cloudpbx",
    "delete_cloudpbx",
    "get_cloudpbx",
    "get_cloudpbx_barring_options",
    "get_cloudpbx_cli_options",
    "get_cloudpbx_custom_numbers_restriction",
    "get_cloudpbx_emergency_numbers",
    "list_cloudpbx_device_models",
    "list_cloudpbx_languages",
    "list_cloudpbxs",
    "replace_cloudpbx_custom_numbers_restriction",
    "update_cloudpbx",
    "update_cloudpbx_cli_options",
]
