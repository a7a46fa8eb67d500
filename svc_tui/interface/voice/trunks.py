"""External trunks, which link a CloudPBX to the public network: record and operations, and what settings show (2.14,
4.7).
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from svc_tui.interface.envelopes import Plain, Single
from svc_tui.interface.fields import field
from svc_tui.interface.operations import Operation
from svc_tui.interface.records import Record
from svc_tui.interface.voice.access import BASE, READ_TRUNKS, REFUSALS

__all__ = [
    "ExternalTrunk",
    "ExternalTrunkQuery",
    "LoadBalancerOptions",
    "TrunkStatus",
    "get_external_trunk",
    "list_external_trunks",
]


TrunkStatus = Literal["new", "active"]


class LoadBalancerOptions(Record):
    """The load balancer of SIP calls in front of a trunk."""

    load_balancer_id: str | None = field(None, help="Identifier")
    policy: str | None = field(None, help="Distribution of calls")
    load_balancer_host_name: str | None = field(None, help="Host name")
    load_balancer_display_name: str | None = field(None, help="Name")
    load_balancer_description: str | None = field(None, help="Description", personal=True)


class ExternalTrunk(Record):
    """An external trunk. The specification does not list all of its fields."""

    ALWAYS: ClassVar = ("id", "name", "status", "trunkType")

    id: str | None = field(None, help="Identifier")
    name: str | None = field(None, help="Name of the trunk")
    description: str | None = field(None, help="Purpose of the trunk", personal=True)
    status: str | None = field(None, choices={"new": "new", "active": "active"}, help="Status")
    trunk_type: str | None = field(None, help="Type of trunk, such as bp_trunk or hybrid_trunk")
    bp_ids: list[str] | None = field(None, refers="companies", help="BPs that may use it")
    voice_instance_id: str | None = field(None, help="Voice instance of the platform")
    call_forking_to_pstn_number: str | None = field(
        None, help="Whether calls can also ring at an external number", personal=True
    )
    locked: bool | None = field(None, help="Whether links to CloudPBXs are locked")
    load_balancer_options: LoadBalancerOptions | None = field(None, help="Load balancer of the trunk")
    hybrid_specific_data: dict[str, Any] | None = field(
        None, wire="hybrid_specific_data", help="Further data of hybrid trunks", personal=True
    )


class ExternalTrunkQuery(Record):
    """Filters of the list of trunks."""

    voice_instance_id: str | None = field(None, help="Trunks of this voice instance")
    status: TrunkStatus | None = field(None, help="Status")
    trunk_type: str | None = field(None, help="Type of trunk")


_ALL = BASE + "/external-trunks"

list_external_trunks = Operation(
    "list_external_trunks",
    "4.7",
    "GET",
    _ALL,
    "List the external trunks that the caller may use",
    Plain[ExternalTrunk],
    READ_TRUNKS,
    query=ExternalTrunkQuery,
    refuses=REFUSALS,
)

get_external_trunk = Operation(
    "get_external_trunk",
    "4.7",
    "GET",
    _ALL + "/{externalTrunkId}",
    "Get an external trunk",
    Single[ExternalTrunk],
    READ_TRUNKS,
    refuses=REFUSALS,
)


class PeerAuthentication(Record):
    """Credentials of the peer."""

    username: str | None = field(None, personal=True)
    password: str | None = field(None, secret=True, only_in=())
    realm: str | None = None


class TrunkInformation(Record):
    """The linked trunk, as far as the CloudPBX shows it."""

    id: str | None = field(None, refers="externaltrunks")
    name: str | None = None
    status: str | None = None
    description: str | None = field(None, personal=True)
    trunk_type: str | None = None
    locked: bool | None = field(None, help="Whether the link to the trunk is locked")
