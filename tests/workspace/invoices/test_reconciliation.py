"""What is billed beside what is sold: volumes of files by company and service, differences, and since when."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from typing import Any

import pytest

from svc_tui.cache.secrets import without_secrets
from svc_tui.workspace.invoices.reconciliation import Billed, UnreadableFile, billed_in, compared

HEAD = "endCustomerCompanyId;endCustomerCompanyName;svcServiceId;svcServiceDescription;volume\n"


def file(*lines: str, head: str = HEAD) -> io.BytesIO:
    return io.BytesIO((head + "".join(f"{line}\n" for line in lines)).encode())


def seats(company: str, service: str, bought: int, **fields: Any) -> dict[str, Any]:
    held = {"offerReference": service, "offerName": f"Offer {service}", "businessModel": "nb_users"}
    subscription = {**held, "status": "active", "maxNumberUsers": bought, "numberAssignedUsers": 1, **fields}
    return {"id": company, "name": f"Company {company}", "subscriptions": [subscription]}


def billed(**months: dict[tuple[str, str], int]) -> dict[str, Billed]:
    return {
        name.replace("m", "2026-"): Billed({key: Decimal(volume) for key, volume in each.items()})
        for name, each in months.items()
    }


def test_lines_of_one_company_and_service_are_added_in_any_notation_of_numbers() -> None:
    found = billed_in(file("c1;North;A;Offer A;7", "c1;North;A;Offer A;1,5", "c2;South;A;Offer A;", "c1;North;B;B;-2"))
    assert found.volumes == {("c1", "A"): Decimal("8.5"), ("c2", "A"): 0, ("c1", "B"): -2}
    assert found.names[("c1", "A")] == ("North", "Offer A")
    words = {"company": "endCustomerCompanyId", "service": "svcServiceId"}
    renamed = billed_in(file("c1,A,3", head="company,service,volume\n"), lambda name: words.get(name, name))
    assert renamed.volumes == {("c1", "A"): 3}


def test_what_is_kept_of_a_file_has_the_same_volumes_and_names_and_anything_else_is_refused() -> None:
    found = billed_in(file("c1;North;A;Offer A;7,25", "c1;North;Token;Offer T;-2", ";;;;1"))
    data = json.loads(json.dumps(without_secrets("download_invoice_file", found.as_data())))
    assert Billed.from_data(data) == found
    for damaged in ({}, {"lines": 7}, {"lines": [["c1", "A"]]}, {"lines": [["c1", "A", "many", "North", "Offer"]]}):
        with pytest.raises(ValueError):
            Billed.from_data(damaged)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (file("c1;North;A;Offer A;many"), "“many” is no volume."),
        (file(head="a;b\n"), "no column endCustomerCompanyId, svcServiceId, volume"),
        (file(head=""), "The file has no column"),
        (
            file("c1;North;A;Offer A;1,5", "c1;North;A;Offer A;2.5", "c1;North;A;Offer A;1,000"),
            "can be read in two ways",
        ),
    ],
)
def test_a_file_with_a_volume_that_is_not_certain_is_refused(content: io.BytesIO, said: str) -> None:
    with pytest.raises(UnreadableFile, match=said):
        billed_in(content)


def test_differences_have_the_month_since_which_they_are_and_what_is_only_billed_or_sold_is_shown() -> None:
    months = billed(
        m08={("c1", "A"): 12, ("c2", "A"): 4},
        m09={("c1", "A"): 10, ("c2", "A"): 5},
        m10={("c1", "A"): 12, ("c2", "A"): 4, ("c1", "Z"): 3, ("other", "A"): 9},
    )
    months["2026-10"].names[("c1", "Z")] = ("Company c1", "Service Z")
    rows = {
        row["id"]: row for row in compared(months, [seats("c1", "A", 10), seats("c2", "A", 4), seats("c3", "B", 6)])
    }
    found = {key: (row["billed"], row["bought"], row["difference"], row["since"]) for key, row in rows.items()}
    assert found == {
        "c1:A": (12, 10, 2, "2026-10"),
        "c1:Z": (3, 0, 3, "2026-10"),
        "c2:A": (4, 4, 0, None),
        "c3:B": (0, 6, -6, "2026-08"),
    }
    assert (rows["c1:Z"]["offerName"], rows["c3:B"]["offerName"], rows["c1:A"]["month"]) == (
        "Service Z",
        "Offer B",
        "2026-10",
    )


def test_without_files_there_is_no_difference() -> None:
    (row,) = compared(
        {},
        [seats("c1", "A", 10), seats("c2", "A", 3, status="terminated"), seats("c3", "A", 3, businessModel="flat_fee")],
    )
    assert (row["billed"], row["bought"], row["difference"], row["since"], row["month"]) == (None, 10, None, None, None)
