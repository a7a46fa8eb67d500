"""Users that can get an extension of a CloudPBX, as far as their records and the company's offers show."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.core.service import Reader, ReadError
from svc_tui.workspace.lists.source import LARGEST_REQUEST

#: Offer ID -> whether its licences are for voice.
VoiceOffers = Mapping[str, bool]
UNKNOWN_OFFERS: VoiceOffers = MappingProxyType({})


async def voice_offers(service: Reader, company_id: str) -> VoiceOffers:
    """The offers in a company's catalog; empty where they cannot be read."""
    if not company_id:
        return UNKNOWN_OFFERS
    query = {"format": "full", "limit": LARGEST_REQUEST, "offset": 0}
    try:
        body = await service.read("list_company_offers", {"companyId": company_id}, query)
    except ReadError:
        return UNKNOWN_OFFERS
    rows = body.get("data") if isinstance(body, dict) else None
    return {str(offer.get("id")): _is_voice(offer) for offer in rows or () if isinstance(offer, Mapping)}


def ineligibility(user: RecordData, system_id: str, offers: VoiceOffers = UNKNOWN_OFFERS) -> str:
    """Why a user cannot get an extension of a CloudPBX; empty if the user can, or if that is unknown."""
    if any(entry.get("systemId") == system_id for entry in user.get("phoneNumbers") or ()):
        return _("already has an extension")
    licences = user.get("profiles") or ()
    if not licences:
        return _("has no licence")
    # A licence of an offer outside the catalog may be for voice.
    if any(_is_voice(licence) or offers.get(str(licence.get("offerId")), True) for licence in licences):
        return ""
    return _("has no licence for voice")


def _is_voice(record: RecordData) -> bool:
    return bool(record.get("hasVoice") or record.get("isVoicePhone"))
