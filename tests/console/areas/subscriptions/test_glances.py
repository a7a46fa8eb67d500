"""What the dashboard and the start page show of licences."""

from __future__ import annotations

from typing import cast

from svc_tui.console.areas.subscriptions.home import licences
from svc_tui.console.core.glance import SharedReads
from svc_tui.interface.data import RecordData


class OneCompany:
    """Reads of a company with two subscriptions."""

    async def companies(self) -> tuple[list[RecordData], bool]:
        counted = {"businessModel": "nb_users", "status": "active"}
        business = {**counted, "id": "b", "offerName": "Business", "maxNumberUsers": 50, "numberAssignedUsers": 41}
        voice = {**counted, "id": "v", "offerName": "Voice", "maxNumberUsers": 3, "numberAssignedUsers": 3}
        return [{"id": "c", "name": "Acme", "subscriptions": [business, voice]}], True


async def test_licences_have_a_brief_value_with_only_the_share() -> None:
    rows = await licences(cast(SharedReads, OneCompany()))
    assert [(row.label, row.value, row.brief) for row in rows] == [
        ("Voice", "3/3  none free", "3/3"),
        ("Business", "41/50  9 free", "41/50"),
    ]
