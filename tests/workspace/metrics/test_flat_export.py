"""The flat export as CSV: every column, row by row, of any length, without formulas."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import httpx
import pytest

from svc_tui.client.errors import Refused
from svc_tui.workspace.files.downloads import Download, SaveError
from svc_tui.workspace.metrics.flat_export import as_csv
from tests.workspace.conftest import JANE, Desks


def company(number: int, **more: Any) -> dict[str, Any]:
    return {"_id": f"c{number}", "stats": [{"date": "2026-11-20", "companyName": f"Company {number}", **more}]}


def saved(body: bytes) -> list[dict[str, str]]:
    target = io.BytesIO()
    assert as_csv(io.BytesIO(body), target) == len(target.getvalue())
    return list(csv.DictReader(io.StringIO(target.getvalue().decode())))


def test_each_company_is_a_row_and_each_number_a_column() -> None:
    body = {"data": [company(1, users_total=3), company(2, usages_chat=9)]}
    rows = saved(json.dumps(body, indent=1).encode())
    assert list(rows[0]) == ["companyId", "date", "companyName", "users_total", "usages_chat"]
    assert (rows[0]["users_total"], rows[0]["usages_chat"], rows[1]["usages_chat"]) == ("3", "", "9")


def test_the_position_of_piece_boundaries_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps({"data": [company(n, text='ä]}{[\\"') for n in range(9)]}, ensure_ascii=False).encode()
    whole = saved(body)
    monkeypatch.setattr("svc_tui.workspace.metrics.flat_export._PIECE", 37)
    assert saved(body) == whole and len(whole) == 9


def test_formulas_are_escaped() -> None:
    (row,) = saved(json.dumps({"data": [company(1, companyName="=HYPERLINK(1)")]}).encode())
    assert row["companyName"] == "'=HYPERLINK(1)"


def test_an_export_without_companies_has_no_rows() -> None:
    assert saved(b'{"data": []}') == []


def test_fields_before_the_rows_are_skipped() -> None:
    response = b'{"status": "done, \\" [", "total": -1.5e3, "next": null , "data" : []}'
    assert saved(response) == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"{" + b'"a":1,' * 2000 + b"}",
        b'{"data": 3}',
        b'{"data": [1]}',
        b'{"data": [{"_id": "a"',
        b'{"data": [{}]}',
    ],
)
def test_a_response_that_is_not_an_export_is_reported(body: bytes) -> None:
    with pytest.raises(SaveError, match="not an export of statistics"):
        as_csv(io.BytesIO(body), io.BytesIO())


class Nowhere(io.BytesIO):
    """Discards all writes."""

    def write(self, piece: Any) -> int:
        return len(piece)


def test_memory_does_not_depend_on_the_length(tmp_path: Path) -> None:
    peaks = []
    for companies in (500, 10_000):
        file = tmp_path / f"{companies}.json"
        with file.open("w") as target:
            target.write('{"data": [')
            target.writelines(("," if n else "") + json.dumps(company(n, text="x" * 200)) for n in range(companies))
            target.write("]}")
        tracemalloc.start()
        with file.open("rb") as came:
            as_csv(came, Nowhere())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5


async def test_an_export_is_saved_and_a_refusal_leaves_no_file(desks: Desks, tmp_path: Path) -> None:
    answers = [httpx.Response(200, json={"data": [company(1)]}), httpx.Response(403, json={"errorDetailsCode": 403301})]
    desk = desks.make(httpx.MockTransport(lambda _: answers.pop(0)), JANE)
    desk.attach()

    def wanted(name: str) -> Download:
        path = {"companyId": "a" * 24}
        return Download(desk.workspace, "export_customers_flat_stats", path, tmp_path / name, convert=as_csv)

    size = await wanted("a.csv").run()
    assert (tmp_path / "a.csv").read_text().splitlines()[1] == "c1,2026-11-20,Company 1"
    assert (tmp_path / "a.csv").stat().st_size == size
    with pytest.raises(Refused):
        await wanted("b.csv").run()
    assert not (tmp_path / "b.csv").exists()
