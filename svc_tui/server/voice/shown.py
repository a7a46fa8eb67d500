"""CloudPBXs as they are read: what follows from other records is added, passwords of the peer are left out (2.14)."""

from __future__ import annotations

from collections.abc import Sequence

from svc_tui.interface.voice.cloudpbx import CloudPbx
from svc_tui.server.store.conditions import In
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

_OF_TRUNK = ("id", "name", "status", "description", "trunkType")


async def shown(store: Store, pbx: Document) -> Document:
    """One CloudPBX."""
    return (await shown_all(store, [pbx]))[0]


async def shown_all(store: Store, pbxs: Sequence[Document]) -> list[Document]:
    """Several of them; what they have in common is read once."""
    trunks = {str(pbx["cloudpbx"]["externalTrunkId"]) for pbx in pbxs if pbx["cloudpbx"].get("externalTrunkId")}
    known = {each["id"]: each for each in (await store.external_trunks.find(In("id", tuple(trunks)))).documents}
    return [CloudPbx.shown({**pbx, "cloudpbx": _settings(pbx["cloudpbx"], known)}, "full") for pbx in pbxs]


def cli_options(settings: Document) -> Document:
    """The number that callees see: the company's own one is its default DDI number."""
    return {**settings.get("cliOptions", {}), "numberE164": settings.get("installationNumber")}


def _settings(settings: Document, trunks: dict[str, Document]) -> Document:
    peer = settings.get("peerAuthenticationOptions") or {}
    found = {
        **settings,
        "cliOptions": cli_options(settings),
        "peerAuthenticationOptions": {name: value for name, value in peer.items() if name != "password"},
        # The record spells it in another way than the update (2.14, 4.7).
        "aaNbbOfRepetitions": settings.get("aaNbOfRepetitions"),
    }
    if trunk := trunks.get(str(settings.get("externalTrunkId"))):
        named = {name: trunk[name] for name in _OF_TRUNK if name in trunk}
        found["externalTrunkAdditionalInfo"] = {**named, "locked": bool(trunk.get("locked"))}
    return found
