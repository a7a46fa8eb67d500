"""The HTTP log: its columns stay where they are, whatever arrives."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from svc_tui.client.call_log import CallLog
from svc_tui.client.profile import Profile
from svc_tui.console.shell.call_log_view import CallsView

URL = "http://svc.test/api/svc/users"


class Host(App[None]):
    def __init__(self, log: CallLog) -> None:
        super().__init__()
        self._calls = log

    def compose(self) -> ComposeResult:
        yield CallsView(self._calls, Profile("test", "http://svc.test"))


@pytest.mark.parametrize("width", [80, 120])
async def test_the_columns_stay_while_rows_arrive(width: int) -> None:
    log = CallLog(most=20)
    async with Host(log).run_test(size=(width, 24)) as pilot:
        sheet = pilot.app.query_one(CallsView).sheet

        async def rows() -> list[str]:
            await pilot.pause()
            return [sheet.render_line(row).text.rstrip() for row in range(len(log.exchanges))]

        call = log.begin("list_users", "GET", URL, {})
        sent = await rows()
        log.end(call, 200, {}, b"x" * 812, 0.012, "")
        (first,) = await rows()
        assert first.endswith("200     12 ms  812 bytes")
        assert (sent[0][: first.index("200")], len(sent[0])) == (first[: first.index("200")], len(first))
        call = log.begin("delete_user", "DELETE", f"{URL}/{'x' * 90}", {})
        log.end(call, 404, {}, b"", 12.5, "", poured=123_456_789)
        second, below = await rows()
        assert second.endswith("404  12500 ms   123.5 MB")
        log.fail(log.begin("list_users", "GET", URL, {}, retry=2), "No response.", 140.0)
        third, *unchanged = await rows()
        assert third.endswith("  —     140 s    0 bytes") and "retry 2" in third
        assert unchanged == [second, below] and below == first
        assert len({len(row) for row in (first, second, third)}) == 1
