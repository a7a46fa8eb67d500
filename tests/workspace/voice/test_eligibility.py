"""Who can get an extension: users without one, with a licence for voice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.voice.phone_setup import ineligibility, voice_offers

OFFERS = {"voice": True, "chat": False}


@pytest.mark.parametrize(
    ("user", "reason"),
    [
        ({"profiles": [{"offerId": "chat"}, {"offerId": "voice"}]}, ""),
        ({"profiles": [{"offerId": "chat"}]}, "has no licence for voice"),
        ({"profiles": [{"offerId": "chat", "isVoicePhone": True}]}, ""),
        ({"profiles": [{"offerId": "chat"}, {"offerId": "not in the catalog"}]}, ""),
        ({"profiles": []}, "has no licence"),
        ({}, "has no licence"),
        ({"profiles": [{"offerId": "voice"}], "phoneNumbers": [{"systemId": "pbx"}]}, "already has an extension"),
        ({"profiles": [{"offerId": "voice"}], "phoneNumbers": [{"systemId": "other"}]}, ""),
    ],
)
def test_the_reason_why_a_user_gets_no_extension(user: dict[str, Any], reason: str) -> None:
    assert ineligibility(user, "pbx", OFFERS) == reason


class Catalog:
    """A service with the offers of one company."""

    refuses = False

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        if self.refuses:
            raise ReadError("Not possible with your role.")
        assert (operation_id, path) == ("list_company_offers", {"companyId": "c1"})
        return {"data": [{"id": "voice", "hasVoice": True}, {"id": "desk", "isVoicePhone": True}, {"id": "chat"}]}


async def test_licences_of_voice_offers_are_for_voice() -> None:
    assert await voice_offers(Catalog(), "c1") == {"voice": True, "desk": True, "chat": False}
    assert await voice_offers(Catalog(), "") == {}


async def test_without_the_offers_the_service_decides() -> None:
    catalog = Catalog()
    catalog.refuses = True
    offers = await voice_offers(catalog, "c1")
    assert ineligibility({"profiles": [{"offerId": "chat"}]}, "pbx", offers) == ""
