"""CloudPBXs in responses: with what follows from other records, without the peer's password (2.14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.interface.voice.cloudpbx import (
    CliOptions,
    CloudPbx,
    CloudPbxSettings,
)
from svc_tui.interface.voice.trunks import PeerAuthentication, TrunkInformation
from svc_tui.server.store.conditions import In
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.stored import StoredCloudPbx, StoredTrunk

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
