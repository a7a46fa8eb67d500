"""Lists of invoicing files, which have no envelope."""

from __future__ import annotations

import httpx

from tests.workspace.conftest import JANE, Desks


async def test_a_list_without_an_envelope_is_a_list(desks: Desks) -> None:
    rows = [{"filepath": f"{number}.csv"} for number in range(3)]
    desk = desks.make(httpx.MockTransport(lambda _: httpx.Response(200, json=rows)), JANE)
    desk.attach()
    listing = desk.workspace.listing("list_invoice_files")
    listing.request(0, 20)
    await listing.wait_until_idle()
    assert (listing.total, listing.row(2), listing.error_message) == (3, rows[2], "")
    assert [row async for row in listing.rows()] == rows
