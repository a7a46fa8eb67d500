"""The external trunk of a CloudPBX, as its settings show it (4.7)."""

from __future__ import annotations

from svc_tui.interface.fields import field
from svc_tui.interface.records import Record


class PeerAuthentication(Record):
    """Credentials of the peer."""

    username: str | None = None
    password: str | None = field(None, secret=True, only_in=())
    realm: str | None = None


class TrunkInformation(Record):
    """The linked trunk, as far as the CloudPBX shows it."""

    id: str | None = field(None, refers="externaltrunks")
    name: str | None = None
    status: str | None = None
    description: str | None = None
    trunk_type: str | None = None
    locked: bool | None = field(None, help="Whether the link to the trunk is locked")
