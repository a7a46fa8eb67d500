"""An invoicing file of any length: exact totals by currency in little memory, and any line on demand."""

from __future__ import annotations

import asyncio
import io
import tracemalloc
from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from svc_tui.workspace.files.downloads import Download
from svc_tui.workspace.invoices.lines import AMOUNTS, FileLines, InvoiceFileError, Totals, summarise
from tests.workspace.conftest import JANE, Desks

HEAD = (
    "currency,endCustomerCompanyId,endCustomerCompanyName,svcServiceId,svcServiceDescription,unit,volume,"
    "wplPriceTotal,bp1TNetTotalValue,endCustomerNetTotalValue\r\n"
)


def file(*lines: str, head: str = HEAD) -> io.BytesIO:
    return io.BytesIO((head + "".join(f"{line}\r\n" for line in lines)).encode())


def line(currency: str, customer: str, service: str, volume: object, net: object, unit: str = "User") -> str:
    return f"{currency},id-{customer},{customer},id-{service},{service},{unit},{volume},{net},{net},{net}"


def test_an_invalid_amount_counts_nothing_and_line_numbers_stay_correct() -> None:
    content = file(
        f"7,{line('EUR', 'Harbour', 'Voice', '1e999999999', '1e30')}",
        f"9,{line('EUR', 'Harbour', 'Voice', 2, '0.10')}",
        head=f"id,{HEAD}",
    )
    found = summarise(content)
    (total,) = found.currencies
    assert (total.volume, total.amounts, found.unreadable) == (2, [Decimal("0.10")] * len(AMOUNTS), 4)
    row = FileLines(content, found).row(1)
    assert row is not None and row["id"] == "2"


def test_totals_by_customer_and_service_with_currencies_apart() -> None:
    found = summarise(
        file(
            line("EUR", "Harbour", "Voice", 3, "0.10"),
            line("EUR", "Harbour", "Business", 2, "20.20"),
            line("EUR", "Elm", "Voice", 1, "0.20"),
            line("USD", "Harbour", "Voice", 5, "7"),
        )
    )
    assert [(total.currency, total.lines, total.amounts[2]) for total in found.currencies] == [
        ("EUR", 3, Decimal("20.50")),
        ("USD", 1, Decimal("7")),
    ]
    assert [(total.name, total.currency, total.amounts[0]) for total in found.customers] == [
        ("Harbour", "EUR", Decimal("20.30")),
        ("Elm", "EUR", Decimal("0.20")),
        ("Harbour", "USD", Decimal("7")),
    ]
    assert [(total.name, total.currency, total.volume, total.unit) for total in found.services] == [
        ("Business", "EUR", Decimal(2), "User"),
        ("Voice", "EUR", Decimal(4), "User"),
        ("Voice", "USD", Decimal(5), "User"),
    ]
    assert (found.lines, found.unreadable) == (4, 0)


def test_cents_add_up_exactly() -> None:
    found = summarise(file(*(line("EUR", "Elm", "Voice", 1, "0.1") for _ in range(1000))))
    assert found.currencies[0].amounts == [Decimal("100.0")] * len(AMOUNTS)


def test_volumes_of_different_units_are_not_added_up() -> None:
    found = summarise(file(line("EUR", "Elm", "Voice", 1, 1), line("EUR", "Elm", "Voice", 60, 1, "Minute")))
    row = Totals(found.services).row(0)
    assert row is not None
    assert (found.services[0].unit, row["volume"], row["lines"]) == ("", None, 2)


def test_an_invalid_amount_is_counted_and_not_added() -> None:
    found = summarise(file(line("EUR", "Elm", "Voice", 1, "n/a"), line("EUR", "Elm", "Voice", "", "5")))
    assert (found.unreadable, found.currencies[0].amounts[0]) == (3, Decimal(5))


def test_lines_with_quotes_breaks_and_semicolons_are_found_again() -> None:
    head = "currency;endCustomerCompanyName;svcServiceDescription\r\n"
    content = file('EUR;"Elm; Street\r\nHotels";Voice', "EUR;Harbour;Business", "", "USD;Ümit;Voice", head=head)
    found = summarise(content)
    lines = FileLines(content, found)
    assert (lines.total, found.columns) == (3, ("currency", "endCustomerCompanyName", "svcServiceDescription"))
    assert [lines.row(index)["endCustomerCompanyName"] for index in (2, 0, 1)] == [  # type: ignore[index]
        "Ümit",
        "Elm; Street\r\nHotels",
        "Harbour",
    ]
    assert (lines.row(3), lines.index_of("3"), lines.index_of("4"), lines.index_of("x")) == (None, 2, None, None)


def test_any_line_of_a_long_file_is_the_right_one() -> None:
    content = file(*(line("EUR", f"Customer {number}", "Voice", number, number) for number in range(5_000)))
    lines = FileLines(content, summarise(content))
    for index in (4_999, 0, 2_500, 99, 100, 4_900):
        row = lines.row(index)
        assert row is not None
        assert (row["id"], row["endCustomerCompanyName"]) == (str(index + 1), f"Customer {index}")


def test_columns_are_named_as_declared_whatever_the_brand() -> None:
    found = summarise(file("a", head="acmeServiceId\r\n"), lambda name: name.replace("acme", "svc"))
    assert found.columns == ("svcServiceId",)
    assert found.services[0].id == "a"


@pytest.mark.parametrize("content", [b"", b"\r\n"])
def test_an_empty_file_is_refused(content: bytes) -> None:
    with pytest.raises(InvoiceFileError, match="file is empty"):
        summarise(io.BytesIO(content))


def test_a_file_with_columns_only_has_no_lines() -> None:
    found = summarise(file())
    assert (found.lines, found.customers, Totals(found.customers).total) == (0, (), 0)


def test_the_progress_callback_can_cancel_the_totals() -> None:
    class Enough(Exception):
        """Raised to cancel."""

    def stop(lines: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        summarise(file(*(line("EUR", "Elm", "Voice", 1, 1) for _ in range(2000))), on_progress=stop)


MANY = 50_000


class Growing(httpx.AsyncByteStream):
    """A body of 50,000 lines, created while it is sent."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield HEAD.encode()
        for first in range(0, MANY, 250):
            yield "".join(
                line("USD" if number % 10 == 0 else "EUR", f"Customer {number % 400} {'x' * 200}", "Voice", 1, "0.01")
                + "\r\n"
                for number in range(first, first + 250)
            ).encode()


async def test_a_file_of_50000_lines_is_saved_and_added_up_with_memory_flat(desks: Desks, tmp_path: Path) -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=Growing(), headers={"content-type": "text/csv"})

    desk = desks.make(httpx.MockTransport(answer), JANE)
    desk.attach()
    await desk.client._connection.open()
    target = tmp_path / "lines.csv"
    download = Download(desk.workspace, "download_invoice_file", {"invoicePath": "a/b.csv"}, target)
    tracemalloc.start()
    try:
        size = await download.run()
        with target.open("rb") as content:
            found = await asyncio.to_thread(summarise, content)
            lines = FileLines(content, found)
            last = [lines.row(index) for index in range(0, MANY, 100)][-1]
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (found.lines, size, last and last["endCustomerCompanyName"][:12]) == (
        MANY,
        target.stat().st_size,
        "Customer 300",
    )
    assert [(total.currency, total.lines, total.amounts[0]) for total in found.currencies] == [
        ("EUR", 45_000, Decimal("450.00")),
        ("USD", 5_000, Decimal("50.00")),
    ]
    assert size > 15_000_000
    assert most < 4_000_000, "the memory grows with the file"
