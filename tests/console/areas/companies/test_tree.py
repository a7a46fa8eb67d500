"""The tree: only what is opened is read, and of that a page at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from svc_tui.console.areas.companies.resources import COMPANIES
from svc_tui.console.areas.companies.tree_view import PAGE, TreeView, _below
from svc_tui.console.core.places import Place
from svc_tui.interface.access import Caller, Role
from svc_tui.workspace.core.service import ReadError


def _company(number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"c{number}", "name": f"Company {number}", "status": "active", "isBP": False, **more}


class Service:
    """Two partners; the first has 250 customers."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.error_message = ""
        self.gate = asyncio.Event()
        self.gate.set()
        self.caller = Caller("u", frozenset({Role.SUPERADMIN}))

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, Any]) -> Any:
        self.asked.append(dict(query))
        await self.gate.wait()
        if self.error_message:
            raise ReadError(self.error_message)
        rows = self._rows(query)
        at = query["offset"]
        return {"data": rows[at : at + query["limit"]], "total": len(rows)}

    def _rows(self, query: Mapping[str, Any]) -> list[dict[str, Any]]:
        if query.get("bpId") == "p1":
            return [_company(number) for number in range(250)]
        if query.get("isBP"):
            return [_company(0, id=f"p{n}", name=f"Partner {n}", isBP=True) for n in (1, 2)]
        return []


class Host(App[None]):
    def __init__(self, service: Service) -> None:
        super().__init__()
        self.service = service

    def compose(self) -> ComposeResult:
        yield TreeView(Place(("companies",)), COMPANIES, cast("Any", self.service))

    @property
    def tree(self) -> TreeView:
        return self.query_one(TreeView)

    @property
    def labels(self) -> list[str]:
        return [line.label for line in self.tree.sheet.lines]


async def _settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def test_nothing_below_is_read_before_it_is_opened() -> None:
    service = Service()
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        app = cast("Host", pilot.app)
        assert [label.strip() for label in app.labels if "Partner " in label] == ["▸ Partner 1", "▸ Partner 2"]
        assert not any("bpId" in query for query in service.asked)
        app.tree.home()
        app.tree.toggle_branch()
        await _settled(pilot)
        assert [query["bpId"] for query in service.asked if "bpId" in query] == ["p1"]
        assert "▾ Partner 1" in app.labels[1]


async def test_a_branch_comes_a_page_at_a_time() -> None:
    service = Service()
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        app = cast("Host", pilot.app)
        app.tree.home()
        app.tree.toggle_branch()
        await _settled(pilot)
        assert sum("Company" in label for label in app.labels) == PAGE
        assert any("150 more" in label for label in app.labels)
        for left in ("50 more", "Company 249"):
            app.tree.sheet.go_to("more:p1")
            app.tree.toggle_branch()
            await _settled(pilot)
            assert any(left in label for label in app.labels)
        assert not any("more" in label for label in app.labels)


async def test_what_was_closed_and_is_opened_again_is_not_read_again() -> None:
    service = Service()
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        app = cast("Host", pilot.app)
        app.tree.home()
        for _ in range(3):
            app.tree.toggle_branch()
            await _settled(pilot)
        assert sum("bpId" in query for query in service.asked) == 1
        assert any("Company 3" in label for label in app.labels)


async def test_an_error_is_shown_in_place_of_the_rows_until_it_is_over() -> None:
    service = Service()
    service.error_message = "The service does not answer."
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        app = cast("Host", pilot.app)
        assert any("does not answer" in label for label in app.labels)
        service.error_message = ""
        app.tree.refresh_now()
        await _settled(pilot)
        assert any("Partner 1" in label for label in app.labels)
        assert not any("does not answer" in label for label in app.labels)


async def test_a_refresh_replaces_one_that_hangs_and_no_row_is_doubled() -> None:
    service = Service()
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        app = cast("Host", pilot.app)
        service.gate.clear()
        app.tree.refresh_now()
        app.tree.refresh_now()
        await pilot.pause()
        service.gate.set()
        await _settled(pilot)
        assert sum("Partner 1" in label for label in app.labels) == 1


async def test_a_partner_sees_the_companies_below_its_own() -> None:
    service = Service()
    service.caller = replace(service.caller, roles=frozenset({Role.BP_ADMIN}), company_id="p1")
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        assert [query.get("bpId") for query in service.asked] == ["p1"]


async def test_a_name_is_drawn_without_its_control_characters() -> None:
    service = Service()
    service._rows = lambda query: [_company(1, name="\x1b]0;owned\x07Evil")]  # type: ignore[method-assign]
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        assert not any("\x1b" in label or "\x07" in label for label in cast("Host", pilot.app).labels)


def test_the_tree_knows_who_can_have_customers() -> None:
    assert _below({"id": "x", "isBP": True}) == {"bpId": "x"}
    assert _below({"id": "x", "isBP": False}) is None


async def test_a_company_has_the_sign_and_the_colour_of_its_status_and_an_active_one_no_colour() -> None:
    service = Service()
    async with Host(service).run_test() as pilot:
        await _settled(pilot)
        tree = cast("Host", pilot.app).tree
        lines = [tree._line(_company(0, status=status), "") for status in ("active", "alerting", "terminated")]
        said = [(" ".join(line.value.split()), line.style) for line in lines]
        assert said == [("EC ● active", ""), ("EC ▲ alerting", "warn"), ("EC ○ terminated", "dim")]
