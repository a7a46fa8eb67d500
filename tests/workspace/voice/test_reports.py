"""DDI numbers across companies: ranges, areas, holders, what is free, and what is nearly used up."""

from __future__ import annotations

from svc_tui.workspace.voice.reports import area_rows, number_rows, range_rows, system_fields

SYSTEM = system_fields({"id": "s1", "companyId": "c1", "name": "Exchange"}, "North")


def test_consecutive_numbers_of_equal_length_are_one_range_and_leading_zeros_count() -> None:
    numbers = ["+3512100", "+3512101", "+3512103", "0099", "0100", "0101", "101", "102", "garbled", ""]
    rows = range_rows(SYSTEM, [{"id": each, "numberE164": each} for each in numbers])
    found = [(row["first"], row["last"], row["size"]) for row in rows]
    assert sorted(found) == sorted(
        [
            ("+3512100", "+3512101", 2),
            ("+3512103", "+3512103", 1),
            ("0099", "0101", 3),
            ("101", "102", 2),
            ("garbled", "garbled", 1),
        ]
    )


def test_a_range_counts_numbers_of_users_services_and_groups_and_warns_below_a_tenth() -> None:
    holders = [{"userId": "u"}] * 8 + [{"ivrId": "i"}, {"groupId": "g"}, {}]
    numbers = [{"number": f"21{at:02}", **holder} for at, holder in enumerate(holders)]
    (row,) = range_rows(SYSTEM, numbers)
    assert (row["size"], row["assigned"], row["free"], row["freeShare"]) == (11, 10, 1, 0.0909)
    assert (row["why"], row["companyName"]) == ("nearly used up", "North")
    (row,) = range_rows(SYSTEM, numbers[1:])
    assert row["why"] == "", "exactly a tenth is enough"
    (row,) = range_rows(SYSTEM, numbers[:9])
    assert (row["free"], row["why"]) == (0, ""), "a few numbers are no range that runs out"


def test_each_number_has_its_holder_with_extension_and_site_and_free_ones_have_none() -> None:
    numbers = [
        {"id": "n1", "numberE164": "+3512100", "userId": "u1", "names": "Ana Reis"},
        {"id": "n2", "number": "0099", "userId": "u1", "names": "Ana Reis", "isAssignedAsSecondaryCloudPbxDDI": True},
        {"id": "n3", "number": "0100", "ivrId": "i1"},
        {"id": "n4", "number": "0101"},
    ]
    subscribers = [{"userId": "u1", "shortNumber": "0042"}, {"shortNumber": "7"}]
    rows = [*number_rows(SYSTEM, numbers, subscribers, {"u1": "Lisbon"})]
    assert [row["siteName"] for row in rows] == ["Lisbon", "Lisbon", None, None]
    assert [(row["number"], row["holder"], row["shortNumber"], row["isMain"], row["free"]) for row in rows] == [
        ("+3512100", "Ana Reis", "0042", True, False),
        ("0099", "Ana Reis", "0042", False, False),
        ("0100", "welcome service", None, False, False),
        ("0101", None, None, False, True),
    ]


def test_numbers_are_counted_by_area_and_a_number_without_an_area_code_by_its_country() -> None:
    numbers = [
        {"numberE164": "+351210990001", "userId": "u1"},
        {"numberE164": "+351210990002"},
        {"numberE164": "+351210990009"},
        {"numberE164": "+351220800001"},
        {"numberE164": "+3319900001"},
        {"numberE164": "0099"},
    ]
    rows = {row["area"]: (row["size"], row["assigned"], row["free"]) for row in area_rows(SYSTEM, numbers)}
    assert rows == {"+351 21": (3, 1, 2), "+351 22": (1, 0, 1), "+33": (1, 0, 1), "": (1, 0, 1)}
