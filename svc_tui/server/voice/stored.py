"""Records of voice in the store: fields that every record has, fields of the server alone, and CloudPBXs in responses:
with what follows from other records, without the peer's password (2.14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.fields import field
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.interface.voice.cloudpbx import (
    CliOptions,
    CloudPbx,
    CloudPbxSettings,
)
from svc_tui.interface.voice.cloudpbx_operations import ProhibitedNumbers
from svc_tui.interface.voice.ddis import DdiNumber
from svc_tui.interface.voice.devices import Device, DeviceModel, Registration
from svc_tui.interface.voice.office_hours import OfficeHours, Welcome
from svc_tui.interface.voice.recordings import Recording
from svc_tui.interface.voice.subscribers import PstnDeviceOptions, SipHeaders, Subscriber
from svc_tui.interface.voice.trunks import ExternalTrunk, PeerAuthentication, TrunkInformation
from svc_tui.interface.voice.welcomes import OverflowShown, WelcomeService
from svc_tui.server.store.conditions import In
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


class StoredCloudPbx(CloudPbx):
    id: str = field(...)
    company_id: str = field(...)
    cloudpbx: CloudPbxSettings = field(...)


class StoredProhibitedNumbers(ProhibitedNumbers):
    id: str = field(...)


class StoredSubscriber(Subscriber):
    id: str = field(...)
    system_id: str = field(...)
    user_id: str = field(...)
    short_number: str = field(...)
    pstn_device_options: PstnDeviceOptions | None = field(None)
    sip_headers: SipHeaders | None = field(None)


class StoredDdi(DdiNumber):
    id: str = field(...)
    system_id: str = field(...)
    number_e164: str = field(..., wire="numberE164")
    group_id: str | None = field(None)
    voice_auto_attendant_id: str | None = field(None)


class StoredDevice(Device):
    id: str = field(...)
    system_id: str = field(...)


class StoredDeviceModel(DeviceModel):
    id: str = field(...)


class StoredRegistration(Registration):
    expiration_date: datetime = field(...)


class StoredRecording(Recording):
    id: str = field(...)
    system_id: str = field(...)


class StoredTrunk(ExternalTrunk):
    id: str = field(...)


class StoredOverflow(OverflowShown):
    type: str = field(...)


class StoredWelcomeService(WelcomeService):
    id: str = field(...)
    system_id: str = field(...)
    name: str = field(...)
    open_hours_overflow: StoredOverflow | None = field(None)
    closed_hours_overflow: StoredOverflow | None = field(None)


class StoredOfficeHours(OfficeHours):
    id: str = field(...)
    system_id: str = field(...)
    name: str = field(...)


class StoredWelcome(Welcome):
    id: str = field(...)
    system_id: str = field(...)
    name: str = field(...)


#: The fields of a linked trunk that a CloudPBX shows.
_OF_TRUNK = frozenset(field_by_wire(TrunkInformation))


async def represented(store: Store, pbx: StoredCloudPbx) -> Document:
    """One CloudPBX."""
    return (await all_represented(store, [pbx]))[0]


async def all_represented(store: Store, pbxs: Sequence[StoredCloudPbx]) -> list[Document]:
    """Several CloudPBXs; their trunks are read once."""
    ids = {id for pbx in pbxs if (id := pbx.cloudpbx.external_trunk_id)}
    found = all_typed(StoredTrunk, (await store.external_trunks.find(In("id", tuple(ids)))).documents)
    trunks = {trunk.id: trunk for trunk in found}
    return [
        CloudPbx.answered({**document_of(pbx), "cloudpbx": _settings(pbx.cloudpbx, trunks)}, "full") for pbx in pbxs
    ]


def cli_options(settings: CloudPbxSettings) -> CliOptions:
    """The number that callees see: the company's own number is its default DDI number."""
    options = typed(CliOptions, dict(document_of(settings.cli_options)))
    options.number_e164 = settings.installation_number
    return options


def _settings(settings: CloudPbxSettings, trunks: Mapping[str, StoredTrunk]) -> Document:
    found = copied(settings)
    found.cli_options = cli_options(settings)
    peer = PeerAuthentication.shown(document_of(settings.peer_authentication_options))
    found.peer_authentication_options = typed(PeerAuthentication, peer)
    # The record spells this field differently from the update (2.14, 4.7).
    found.aa_nbb_of_repetitions = settings.aa_nb_of_repetitions
    if trunk := trunks.get(settings.external_trunk_id or ""):
        information = {wire: value for wire, value in document_of(trunk).items() if wire in _OF_TRUNK}
        found.external_trunk_additional_info = typed(TrunkInformation, {**information, "locked": bool(trunk.locked)})
    return CloudPbxSettings.answered(document_of(found), "full")
