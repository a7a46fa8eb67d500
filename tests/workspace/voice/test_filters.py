"""Filters of voice: telephone numbers and MAC addresses in any notation."""

from __future__ import annotations

import pytest

from svc_tui.console.core.place_requests import filter_columns
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists import filters
from tests.support.filters import parse


@pytest.mark.parametrize("text", ["0113 496 0001", "(0113)", "+44 113", "+44(0)1134960001", "00441134", "4960001"])
def test_a_telephone_number_is_found_in_any_notation(text: str) -> None:
    found = parse(text, KINDS["ddis"], ("numberE164",))
    assert found.predicate is not None
    assert found.predicate({"numberE164": "+441134960001", "country": "GBR"})
    assert not found.predicate({"numberE164": "+351210990001", "country": "PRT"})


def test_a_secondary_number_of_a_subscriber_is_found_and_its_id_is_not() -> None:
    further = {"phoneNumberId": "987654", "numberE164": "+441134960002"}
    row = {"names": "Ana", "secondaryDDIs": [further], "country": "GBR"}
    for text, there in (("01134960002", True), ("!0113", False), ("9876", False)):
        found = parse(text, KINDS["subscribers"], ("names", "externalNumber"))
        assert found.predicate is not None
        assert found.predicate(row) is there, text


def test_a_device_is_found_by_its_address_in_any_notation_and_as_free_where_the_list_shows_that() -> None:
    free = {"description": "Lobby", "userDisplayName": None, "macAddress": "02:da:f3:c3:af:14"}
    given_away = {"description": "Desk", "userDisplayName": "Ida Sato", "macAddress": "02:da:f3:c3:af:15"}
    unnamed = {"description": "Hall", "shortNumber": "2001", "userDisplayName": None}
    devices = BY_NAME["sipdevices"]

    def found(text: str) -> list[str]:
        here = filters.parse(text, devices.kind, filter_columns(devices.display.columns)).predicate
        assert here is not None
        return [str(row["description"]) for row in (free, given_away, unnamed) if here(row)]

    for text in ("02-DA-F3-C3-AF-14", "02daf3c3af14", "02da.f3c3.af14", "mac:c3-af-14", "free", "subscriber:free"):
        assert found(text) == ["Lobby"], text
    assert found("!free") == ["Desk", "Hall"]
    assert found("!ida") == ["Lobby", "Hall"]
    assert found("daf3c3") == ["Lobby", "Desk"]
