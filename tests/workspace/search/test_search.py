"""The search over everything, on the real service: what is found, what it costs, and what it says it left out."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from svc_tui.client.call_log import LoggedCall
from svc_tui.interface.access import Decision
from svc_tui.workspace.search import lookup, scopes
from svc_tui.workspace.search.ranking import SearchGap, SearchResult
from svc_tui.workspace.search.search import Search
from tests.server.voice.world import EXCHANGES, exchange_id, exchanges
from tests.support.world import World
from tests.workspace.conftest import Desk, Desks
from tests.workspace.line import until
from tests.workspace.search.conftest import Agent, found, searched

#: Of Una Byrne in the demo data.
UNA = "user@demo.example"


class Sizes:
    """The bytes of the responses since it was made."""

    def __init__(self, desk: Desk) -> None:
        self._calls: dict[int, int] = {}
        desk.client.log.subscribe(self._count)

    def _count(self, call: LoggedCall) -> None:
        self._calls[call.number] = call.size

    @property
    def total(self) -> int:
        return sum(self._calls.values())


async def test_an_email_address_leads_to_the_user_and_everything_of_the_user(agent: Agent) -> None:
    desk = await agent("support")
    sizes = Sizes(desk)
    search = await searched(desk, UNA)
    assert [user["displayName"] for user in found(search, "users")] == ["Una Byrne"]
    assert [company["name"] for company in found(search, "companies")] == ["Northwind Telecom"]
    assert [line["shortNumber"] for line in found(search, "subscribers")] == ["2005"]
    assert [device["userDisplayName"] for device in found(search, "sipdevices")] == ["Una Byrne"]
    assert "Voice Line" in {licence["offerName"] for licence in found(search, "licences")}
    assert search.requests == len(desk.line.requests) <= 10
    assert sizes.total < 40_000


@pytest.mark.parametrize("text", ["+351 210 992 005", "00351-210992005", "210 992 005", "2005"])
async def test_a_number_in_any_notation_leads_to_its_subscriber_and_user(agent: Agent, text: str) -> None:
    desk = await agent("support")
    sizes = Sizes(desk)
    search = await searched(desk, text)
    assert [line["names"] for line in found(search, "subscribers")] == ["Una Byrne"]
    assert [user["loginEmail"] for user in found(search, "users")] == [UNA]
    # One of them for each of the six CloudPBXs.
    assert search.requests <= 37
    assert sizes.total < 150_000


@pytest.mark.parametrize("text", ["02:74:a1:2b:79:cd", "02-74-A1-2B-79-CD", "0274.a12b.79cd", "0274A12B79CD"])
async def test_a_mac_address_in_any_notation_leads_to_its_device_and_subscriber(agent: Agent, text: str) -> None:
    search = await searched(await agent("support"), text)
    assert [device["description"] for device in found(search, "sipdevices")] == ["B40 desk of Felix Becker"]
    assert [line["names"] for line in found(search, "subscribers")] == ["Felix Becker"]


async def test_a_part_of_a_name_leads_to_the_company_and_its_cloudpbx(agent: Agent) -> None:
    search = await searched(await agent("bp_admin"), "wind tel")
    assert [company["name"] for company in found(search, "companies")] == ["Northwind Telecom"]
    assert [pbx["name"] for pbx in found(search, "cloudpbxs")] == ["Northwind voice"]


async def test_a_login_is_asked_for_only_when_no_name_has_the_word(agent: Agent) -> None:
    desk = await agent("support")
    search = await searched(desk, "company_admin")
    assert [user["displayName"] for user in found(search, "users")] == ["Clara Novak"]
    desk.line.requests.clear()
    assert found(await searched(desk, "novak"), "users")
    assert not any("searchEmail" in request for request in desk.line.requests)


async def test_an_invoice_number_leads_to_its_invoice(agent: Agent) -> None:
    desk = await agent("bp_finance")
    company = str(desk.workspace.caller and desk.workspace.caller.company_id)
    body = await desk.workspace.read("list_company_invoices", {"companyId": company}, {})
    number = body["data"][3]["invoiceNumber"]
    search = await searched(desk, number)
    assert [invoice["invoiceNumber"] for invoice in found(search, "invoices")] == [number]
    assert not [gap for gap in search.gaps if gap.kind == "invoices"]
    # The role reads only the invoices of its own company: no other company is asked.
    assert len([request for request in desk.line.requests if "/invoices" in request and "/companies/" in request]) == 2
    [hit] = [hit for hit in search.hits.values() if hit.kind == "invoices"]
    assert hit.above == {"companies": company}


@pytest.mark.parametrize(
    ("text", "kind", "field"),
    [
        ("harbour lisbon", "externaltrunks", "name"),
        ("enterprise", "offers", "name"),
        ("supplier", "directoryentries", "type"),
        ("quiet hours", "templates", "name"),
        ("inv_voice_2026-10", "invoicefiles", "filename"),
    ],
)
async def test_areas_without_a_filter_of_their_own_are_found_too(
    agent: Agent, text: str, kind: str, field: str
) -> None:
    desk = await agent("bp_finance" if kind == "invoicefiles" else "bp_admin")
    search = await searched(desk, text)
    records = found(search, kind)
    assert records, sorted({hit.kind for hit in search.hits.values()})
    expected = "company" if kind == "directoryentries" else text
    assert any(expected in str(record.get(field)).lower() for record in records), records
    assert not any("/offers" in request and "companyId" in request for request in desk.line.requests)
    assert len({request.partition("/offers")[0] for request in desk.line.requests if "/offers" in request}) <= 1


async def test_an_identifier_leads_to_the_record_of_any_kind(agent: Agent) -> None:
    desk = await agent("support")
    [line] = [hit for hit in (await searched(desk, "2005")).hits.values() if hit.kind == "subscribers"]
    search = await searched(desk, line.id.upper())
    assert ("subscribers", line.id) in search.hits
    assert search.hits["subscribers", line.id].above == {"cloudpbxs": line.record["systemId"]}


async def test_an_area_that_the_role_lacks_is_not_asked_and_has_its_reason(agent: Agent) -> None:
    desk = await agent("directory_admin")
    search = await searched(desk, "2005")
    assert SearchGap("recordings", "needs company_admin") in search.gaps
    assert [gap.kind for gap in search.gaps if "company_admin or site_admin" in gap.reason] == ["subscribers"]
    assert not any("phone-numbers" in request for request in desk.line.requests)


async def test_an_area_that_fails_leaves_the_others_and_has_its_reason(agent: Agent) -> None:
    desk = await agent("support")
    whole = desk.line.service

    class WithoutDirectory(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            if "/directory/" in request.url.path:
                return httpx.Response(500, json={"errorCode": 500, "errorMsg": "Internal error"})
            return await whole.handle_async_request(request)

    desk.line.service = WithoutDirectory()
    search = await searched(desk, "Clara Novak")
    assert found(search, "users")
    assert [gap.kind for gap in search.gaps if gap.reason.startswith("The service")] == ["directoryentries"]


# Many companies


async def many_exchanges(world: World, count: int = 50) -> None:
    """A CloudPBX in each of many companies, named after its number."""
    async with world.service.database.unit() as store:
        for number in range(count):
            company = f"{number:024x}"
            await store.companies.put({"id": company, "name": f"Firm {number:02}", "status": "active", "isBP": False})
            await store.cloudpbxs.put(
                {
                    "id": f"e{number:023x}",
                    "name": f"Exchange {number:02}",
                    "companyId": company,
                    "country": "PRT",
                    "status": "created",
                    "cloudpbx": {},
                }
            )
            await store.ddis.put(
                {
                    "id": f"d{number:023x}",
                    "number": f"+3512109900{number:02}",
                    "numberE164": f"+3512109900{number:02}",
                    "systemId": f"e{number:023x}",
                    "country": "PRT",
                }
            )


async def superadmin(desks: Desks, world: World) -> Desk:
    user = await world.user("jane@example.com", roles=("superadmin",))
    desk = desks.make(httpx.ASGITransport(app=world.app, raise_app_exceptions=False), user, world.token(user))
    desk.attach()
    return desk


async def test_the_lists_of_many_companies_are_asked_a_few_at_a_time(desks: Desks, world: World) -> None:
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    search = await searched(desk, "+351210990030")
    asked = {request.split("/")[6] for request in desk.line.requests if "/ddi?" in request}
    assert len(asked) == scopes.AT_A_TIME
    assert SearchGap("ddis", of="cloudpbxs", asked=20, total=50) in search.gaps
    assert not search.hits
    assert search.can_continue
    search.rest()
    await search.wait()
    assert [ddi["numberE164"] for ddi in found(search, "ddis")] == ["+351210990030"]
    assert not search.can_continue
    assert not [gap for gap in search.gaps if gap.kind == "ddis"]


@pytest.mark.parametrize(("asked", "number"), [(40, "+351210990049"), (20, "+351210990039")])
async def test_the_search_of_the_rest_can_be_stopped_and_continued(
    desks: Desks, world: World, asked: int, number: str
) -> None:
    """Also with the first answer of several CloudPBXs: the others are asked again."""
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    search = await searched(desk, number)
    seen: list[tuple[int, int]] = []

    def stop(_: None) -> None:
        if search.asks_rest and not seen and search.progress[0] >= asked:
            seen.append(search.progress)
            assert search.stop()

    search.changed(stop)
    search.rest()
    await search.wait()
    assert seen == [(asked, 50)]
    assert not search.hits and search.finished and search.can_continue
    assert SearchGap("ddis", of="cloudpbxs", asked=asked, total=50) in search.gaps
    assert not search.stop(), "nothing is running"
    search.rest()
    await search.wait()
    assert [ddi["numberE164"] for ddi in found(search, "ddis")] == [number]


async def persists(desk: Desk, text: str) -> Search:
    """A search that continues by itself."""
    search = Search(desk.workspace, text)
    search.start()
    search.persist()
    await search.wait()
    return search


@pytest.mark.parametrize("text", ["+351 210 990 049", "4949"], ids=["number", "extension"])
async def test_a_whole_number_beyond_the_first_cloudpbxs_is_found_without_a_key(
    desks: Desks, world: World, text: str
) -> None:
    await many_exchanges(world)
    async with world.service.database.unit() as store:
        line = {"id": "5e" * 12, "systemId": f"e{49:023x}", "userId": "c0" * 12, "names": "Jan Kos"}
        await store.subscribers.put({**line, "shortNumber": "4949", "internalNumber": "4949"})
    desk = await superadmin(desks, world)
    search = await persists(desk, text)
    assert [hit.above for hit in search.hits.values()] == [{"cloudpbxs": f"e{49:023x}"}]
    assert not [gap for gap in search.gaps if gap.kind in ("ddis", "subscribers")]
    assert SearchGap("allrecordings", of="cloudpbxs", asked=20, total=50) in search.gaps or text == "4949"
    # Recordings with a number, and references in companies, are left to the user.
    assert search.can_continue
    assert 40 < search.requests <= 150


async def test_a_search_continues_by_itself_only_within_its_budget_and_for_whole_numbers(
    desks: Desks, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    for text in ("351 210 99", "Exchange 99", "Firm", "74:a1:2b"):
        search = await persists(desk, text)
        assert search.requests <= 80 and not [gap for gap in search.gaps if gap.asked > scopes.AT_A_TIME], text
        asked = {gap.kind: gap.asked for gap in search.gaps}
        assert {"351 210 99": "ddis", "74:a1:2b": "sipdevices"}.get(text, "") in {"", *asked}, text
    monkeypatch.setattr("svc_tui.workspace.search.search.MOST_BY_ITSELF", 110)
    search = await persists(desk, "+351210990045")
    assert SearchGap("ddis", of="cloudpbxs", asked=40, total=50) in search.gaps
    assert search.requests <= 110 and not search.hits and search.can_continue
    search.rest()
    await search.wait()
    assert [ddi["numberE164"] for ddi in found(search, "ddis")] == ["+351210990045"]


async def test_a_finished_search_continues_when_its_text_is_accepted(desks: Desks, world: World) -> None:
    await many_exchanges(world)
    search = await searched(await superadmin(desks, world), "+351210990025")
    assert search.finished and not search.hits
    search.persist()
    assert not search.finished
    await search.wait()
    assert [ddi["numberE164"] for ddi in found(search, "ddis")] == ["+351210990025"]
    assert SearchGap("ddis", of="cloudpbxs", asked=40, total=50) in search.gaps
    requests = search.requests
    search.persist()
    await search.wait()
    assert search.requests == requests, "it was found"


async def test_the_cloudpbx_near_the_user_is_asked_first(desks: Desks, world: World) -> None:
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    assert found(await searched(desk, "+351210990045", cloudpbxs=f"e{45:023x}"), "ddis")
    assert found(await searched(desk, "+351210990046", companies=f"{46:024x}"), "ddis")


async def test_a_number_among_hundreds_is_found_by_halving_the_sorted_list(desks: Desks, world: World) -> None:
    await exchanges(world)
    async with world.service.database.unit() as store:
        for number in range(600):
            e164 = f"+35121099{number * 3:04}"
            document = {"id": f"{number:024x}", "number": e164, "numberE164": e164, "systemId": exchange_id("own")}
            await store.ddis.put({**document, "country": "PRT"})
    desk = await superadmin(desks, world)
    for number in (0, 1, 300, 598, 599):
        desk.line.requests.clear()
        search = await searched(desk, f"+35121099{number * 3:04}")
        assert [ddi["id"] for ddi in found(search, "ddis")] == [f"{number:024x}"]
        assert len([request for request in desk.line.requests if "/ddi?" in request]) <= len(EXCHANGES) + 9
    assert not found(await searched(desk, "+351210990001"), "ddis")


async def test_a_search_stops_at_its_budget_with_a_message(
    desks: Desks, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    monkeypatch.setattr(lookup, "MOST_REQUESTS", 5)
    search = await searched(desk, "+351210990001")
    assert len(desk.line.requests) == search.requests == 5
    assert SearchGap("", "stopped after 5 requests") in search.gaps


async def test_no_more_requests_are_sent_at_once_than_leave_connections_free(desks: Desks, world: World) -> None:
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    await searched(desk, "Exchange")
    assert 1 < desk.line.most <= lookup.AT_ONCE


async def test_a_closed_search_sends_nothing_more_and_reports_nothing(desks: Desks, world: World) -> None:
    await many_exchanges(world)
    desk = await superadmin(desks, world)
    desk.line.hold()
    search = Search(desk.workspace, "+351210990020")
    changes: list[None] = []
    search.changed(changes.append)
    search.start()
    # Contacts and companies of the directory, and the list of CloudPBXs.
    await until(lambda: desk.line.in_progress == 3)
    sent, reported = len(desk.line.requests), len(changes)
    search.close()
    desk.line.release()
    with pytest.raises(asyncio.CancelledError):
        await search.wait()
    await until(lambda: desk.line.in_progress == 0)
    assert (len(desk.line.requests), len(changes)) == (sent, reported)
    assert not search.finished


async def test_after_an_internal_error_a_search_is_finished_and_the_error_is_reported(
    agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = await agent("support")

    def broken(*_: object) -> Decision:
        raise RuntimeError("inside")

    monkeypatch.setattr(desk.workspace, "decide", broken)
    errors: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(str(context["exception"])))
    search = Search(desk.workspace, "Agnes")
    changes: list[bool] = []
    search.changed(lambda _: changes.append(search.finished))
    search.start()
    with pytest.raises(RuntimeError, match="inside"):
        await search.wait()
    await until(lambda: errors == ["inside"])
    assert changes[-1:] == [True]


# Cached records


async def test_without_a_service_cached_records_are_found_and_marked(agent: Agent) -> None:
    desk = await agent("support")
    listing = desk.workspace.listing("list_users", query={"format": "medium"})
    listing.request(0, 99)
    await listing.wait_until_idle()
    desk.line.cut = True
    before = await searched(desk, "Agnes")
    assert before.error_message
    search = await searched(desk, "agnes.jansen15@northwind.example")
    assert [(hit.kind, hit.record["displayName"], hit.cached) for hit in search.hits.values()] == [
        ("users", "Agnes Jansen", True)
    ]
    assert search.error_message == "Offline: only cached records were searched."
    assert search.requests == 0


async def test_a_found_record_stands_in_the_cache_for_the_next_search(agent: Agent) -> None:
    desk = await agent("support")
    await searched(desk, "0210992005")
    first = await searched(desk, "+351 210992005")
    [line] = [hit for hit in first.hits.values() if hit.kind == "subscribers"]
    desk.line.cut = True
    await searched(desk, "unknown text")
    search = await searched(desk, "210 992 005")
    assert search.hits["subscribers", line.id].cached
    assert search.hits["subscribers", line.id].above == line.above


async def test_the_service_confirms_a_cached_record_in_its_place(agent: Agent) -> None:
    desk = await agent("support")
    await searched(desk, UNA)
    search = Search(desk.workspace, UNA)
    cached: list[bool] = []
    search.changed(lambda _: cached.extend(hit.cached for hit in search.hits.values() if hit.kind == "users"))
    search.start()
    await search.wait()
    assert cached[-1] is False
    assert [user["displayName"] for user in found(search, "users")] == ["Una Byrne"]


async def test_in_a_group_only_its_companies_and_what_belongs_to_them_is_found(agent: Agent) -> None:
    desk = await agent("bp_admin")
    rows = (await desk.workspace.read("list_companies", {}, {"format": "small", "limit": 100}))["data"]
    logistics = next(row["id"] for row in rows if row["name"] == "Northwind Logistics")
    everywhere = await searched(desk, "Agnes")
    assert len({hit.record["companyName"] for hit in everywhere.hits.values() if hit.kind == "users"}) == 2
    assert {hit.record["companyName"] for hit in await in_group(desk, "Agnes", logistics) if hit.kind == "users"} == {
        "Northwind Logistics"
    }
    assert {hit.id for hit in await in_group(desk, "Northwind", logistics) if hit.kind == "companies"} == {logistics}
    assert await in_group(desk, "Agnes") == []
    # An extension of this company, and one of another company.
    (line,) = [hit for hit in await in_group(desk, "Agnes", logistics) if hit.kind == "subscribers"]
    for number, count in ((str(line.record["shortNumber"]), 1), ("2005", 0)):
        hits = [hit for hit in await in_group(desk, number, logistics) if hit.kind == "subscribers"]
        assert len(hits) == count, number


async def in_group(desk: Desk, text: str, *companies: str) -> list[SearchResult]:
    """What is found in a group of companies; none of the others were asked."""
    search = Search(desk.workspace, text, companies=companies)
    search.start()
    await search.wait()
    assert not [gap for gap in search.gaps if gap.of in ("companies", "cloudpbxs") and gap.total > len(companies)]
    return [*search.hits.values()]
