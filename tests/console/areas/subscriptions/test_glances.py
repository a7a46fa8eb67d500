"""What the dashboard, the start page and lists show of licences and of ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

from svc_tui.console.areas.subscriptions.cells import ENDS, LICENCES
from svc_tui.console.areas.subscriptions.home import licences, next_due
from svc_tui.console.core.glance import SharedReads
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import SOON


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


def test_a_list_marks_ends_that_are_soon_and_licences_that_run_out() -> None:
    today = datetime.now(UTC).date()
    counted = {"businessModel": "nb_users", "status": "active"}

    def styles(ends: int, used: int, **more: str) -> tuple[str, str]:
        day = f"{(today + timedelta(days=ends)).isoformat()}T00:00:00.000Z"
        row = {**counted, "expirationDate": day, "maxNumberUsers": 10, "numberAssignedUsers": used, **more}
        return ENDS.text(row)[1], LICENCES.text(row)[1]

    assert styles(SOON, 9) == ("warn", "warn")
    assert styles(0, 10) == ("warn", "warn")
    assert styles(SOON + 1, 8) == ("", "")
    assert styles(-1, 0) == ("", "")
    # What is over needs nothing, and other models do not count licences.
    assert styles(3, 10, status="terminated") == ("", "")
    assert styles(3, 10, businessModel="flat_fee") == ("warn", "")
    assert ENDS.text({"expirationDate": "soon"})[1] == ENDS.text({})[1] == ""


async def test_full_licences_and_ends_that_are_soon_are_in_the_colour_of_a_warning_without_a_gauge_too() -> None:
    assert [row.style for row in await licences(cast(SharedReads, OneCompany()))] == ["warn", ""]


async def test_a_subscription_that_is_past_its_end_and_not_over_is_a_warning_too() -> None:
    now = datetime(2026, 11, 20, tzinfo=UTC)

    async def companies() -> tuple[list[RecordData], bool]:
        days = (now + timedelta(days=ahead) for ahead in (-2, SOON, SOON + 1))
        ends = [
            {"id": "s", "offerName": "Trial", "status": "active", "expirationDate": f"{day:%Y-%m-%d}"} for day in days
        ]
        return [{"id": "c", "name": "Acme", "subscriptions": ends}], True

    reads = SimpleNamespace(companies=companies, workspace=SimpleNamespace(now=now.timestamp))
    assert [row.style for row in await next_due(cast(SharedReads, reads))] == ["warn", "warn", ""]
