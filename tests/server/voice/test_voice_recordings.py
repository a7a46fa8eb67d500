"""Recordings (2.16, 4.7, 8): roles, filters, deletion, and retention."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest

from svc_tui.interface.dates import stamp
from svc_tui.server.http.application import build
from svc_tui.server.service import Service, service_of
from svc_tui.server.store import documents
from svc_tui.server.store.queries import MOST_MERGED
from svc_tui.server.voice.recordings import expire, keeping
from tests.server.companies.support import CUSTOMER, PARTNER, SISTER, params, put
from tests.server.voice.world import BASE, EXCHANGES, OTHERS, OWN, REACH, at, exchange_id, exchanges, member
from tests.support.statements import statements
from tests.support.turns import had_turn
from tests.support.world import COMPANY, ORGANISATION, OTHER_COMPANY, SITE, World, granted, refused

Document = dict[str, Any]

RECORDINGS = at("own", "/recordings")
EVERYWHERE = f"{BASE}/recordings"


async def recorded(world: World, key: str, exchange: str = "own", **fields: Any) -> Document:
    """A recording; its id is the key repeated."""
    document: Document = {
        "id": (key * 24)[:24],
        "systemId": exchange_id(exchange),
        "companyId": EXCHANGES[exchange],
        "callId": f"call {key}",
        "fileName": f"{key}.mp3",
        "mime": "audio/mpeg",
        "size": 1000,
        "date": "2026-11-19T10:00:00.000Z",
        "duration": 60,
        "direction": "in",
        "otherParty": {"number": "+351211234567"},
        "recordedParty": {"userId": "u" * 24, "phoneNumberId": "p" * 24, "name": "Jane Example", "number": "8001"},
        **fields,
    }
    return await put(world, "recordings", **document)


@pytest.fixture
async def voice(world: World) -> World:
    return await exchanges(world)


@pytest.fixture
async def boss(voice: World) -> Document:
    return await member(voice, "company_admin")


async def found(world: World, by: Document, query: str = "", address: str = RECORDINGS) -> list[str]:
    """The first letters of what a list holds."""
    page = granted(await world.get(f"{address}?{query}", by=by))
    assert page["total"] >= len(page["data"])
    return [each["id"][0] for each in page["data"]]


async def test_only_the_end_customers_administrator_reads_recordings(voice: World, boss: Document) -> None:
    for name in EXCHANGES:
        await recorded(voice, name[0], name)
        for method, path in (("GET", ""), ("GET", f"/{name[0] * 24}"), ("DELETE", f"?recordIds={name[0] * 24}")):
            answer = await voice.send(method, at(name, f"/recordings{path}"), by=boss)
            if name == "own":
                granted(answer)
            else:
                refused(answer, 403301)
    for role, home, *_ in REACH:
        if role != "company_admin":
            refused(await voice.get(RECORDINGS, by=await member(voice, role, home)), 403000)
            refused(
                await voice.delete(f"{RECORDINGS}?recordIds={'o' * 24}", by=await member(voice, role, home)), 403000
            )


async def test_the_latest_is_first_and_a_page_is_a_window(voice: World, boss: Document) -> None:
    for day, key in enumerate("abcde", start=10):
        await recorded(voice, key, date=f"2026-11-{day}T10:00:00.000Z", duration=day, size=200 - day)
    assert await found(voice, boss) == list("edcba")
    assert await found(voice, boss, "sortOrder=1&limit=2&offset=1") == list("bc")
    assert await found(voice, boss, "sortField=size&sortOrder=1") == list("edcba")
    await recorded(voice, "f", duration=9)
    assert await found(voice, boss, "sortField=duration&sortOrder=1&limit=2") == list("fa")
    assert await found(voice, boss, "offset=100") == []
    refused(await voice.get(f"{RECORDINGS}?sortField=colour", by=boss), 400000)


async def test_one_recording(voice: World, boss: Document) -> None:
    document = await recorded(voice, "a")
    expected = {wire: value for wire, value in document.items() if wire not in ("callId", "companyId")}
    assert granted(await voice.get(f"{RECORDINGS}/{'a' * 24}", by=boss))["data"] == expected
    assert granted(await voice.get(RECORDINGS, by=boss))["data"] == [expected]
    organisation = await member(voice, "organization_admin")
    assert granted(await voice.get(EVERYWHERE, by=organisation))["data"] == [document]
    refused(await voice.get(f"{RECORDINGS}/{'b' * 24}", by=boss), 404000)


async def test_every_filter(voice: World, boss: Document) -> None:
    await recorded(voice, "a", date="2026-11-10T10:00:00.000Z", recordedParty={"name": "Ann Smith", "number": "8001"})
    await recorded(voice, "b", date="2026-11-11T10:00:00.000Z", recordedParty={"phoneNumberId": "c" * 24})
    await recorded(voice, "c", date="2026-11-12T10:00:00.000Z", otherParty={"number": "8002"})
    for query, expected in (
        (f"phoneNumberId={'c' * 24}", "b"),
        ("fromDate=2026-11-11T10:00:00.000Z", "cb"),
        ("toDate=2026-11-11T10:00:00.000Z", "ba"),
        ("fromDate=2026-11-11&toDate=2026-11-12", "b"),
        ("fromDate=2026-11-11T11:00:00%2B01:00&toDate=2026-11-11T10:00:00Z", "b"),
        ("recordedName=sMITH", "a"),
        ("recordedNumber=01", "ca"),
        ("otherNumber=8002", "c"),
        ("otherNumber=1234", "ba"),
        ("otherNumber=211 234 567", "ba"),
        ("otherNumber=%2B351 21", "ba"),
        ("otherNumber=00351 (21) 123", "ba"),
        ("otherNumber=345&recordedName=smith", "a"),
        ("otherNumber=%25", ""),
        ("otherNumber=jane", ""),
    ):
        assert await found(voice, boss, query) == list(expected), query


async def test_a_name_is_found_however_its_accents_are_spelled(world_on_both: World) -> None:
    voice = await exchanges(world_on_both)
    boss = await member(voice, "company_admin")
    # The dots over the e are a sign of their own in the first, and a part of the letter in the second.
    await recorded(voice, "a", recordedParty={"name": "Zoe\u0308 Braun", "number": "8001"})
    await recorded(voice, "b", recordedParty={"name": "Zo\u00eb Gruber", "number": "8002"})
    for typed in ("ZO\u00cb", "zoe\u0308", "O\u00eb "):
        assert sorted(await found(voice, boss, f"recordedName={quote(typed)}")) == ["a", "b"]
    assert await found(voice, boss, "recordedName=zoe%20b") == []


@pytest.mark.parametrize(
    ("query", "param"),
    [
        ("fromDate=soon", "fromDate"),
        ("fromDate=2026-11-12&toDate=2026-11-11", "toDate"),
        ("limit=0", "limit"),
        ("sortOrder=2", "sortOrder"),
    ],
)
async def test_an_invalid_filter_is_refused(voice: World, boss: Document, query: str, param: str) -> None:
    assert params(refused(await voice.get(f"{RECORDINGS}?{query}", by=boss), 400000)) == [param]


@pytest.fixture(params=[MOST_MERGED, 0], ids=["of few companies", "of many companies"])
async def everywhere(voice: World, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> World:
    """A recording in each company, whose id begins like the name."""
    monkeypatch.setattr(documents, "MOST_MERGED", request.param)
    for name in EXCHANGES:
        await recorded(voice, name[0] if name != "stranger" else "t", name)
    return voice


async def test_superadmin_must_name_a_scope(everywhere: World) -> None:
    by = await member(everywhere, "superadmin", OTHER_COMPANY)

    async def across(query: str) -> set[str]:
        return set(await found(everywhere, by, query, EVERYWHERE))

    for query in ("", "otherNumber=1234", "systemIds=", "companyIds=undefined"):
        refused(await everywhere.get(f"{EVERYWHERE}?{query}", by=by), 400000)
    assert await across(f"companyIds={CUSTOMER}") == {"c"}
    assert await across(f"systemIds={OWN}, {exchange_id('stranger')}") == {"o", "t"}
    assert await across(f"siteIds={SITE}") == {"o"}
    # Several kinds of scope together are their union.
    assert await across(f"companyIds={CUSTOMER}&systemIds={exchange_id('sister')}&siteIds={SITE}") == {"c", "s", "o"}
    assert await across(f"companyIds={CUSTOMER}&otherNumber=999") == set()
    for query in ("companyIds=x", f"systemIds={OWN},..", "siteIds=%00"):
        refused(await everywhere.get(f"{EVERYWHERE}?{query}", by=by), 400000)


async def test_an_organisations_administrator_reads_the_whole_organisation(everywhere: World) -> None:
    by = await member(everywhere, "organization_admin")
    with statements(everywhere.service.database) as sent:
        assert set(await found(everywhere, by, "", EVERYWHERE)) == {"o", "s"}
    if not documents.MOST_MERGED:
        # No database takes the names of all companies of a large organisation as values.
        assert not [each for each in sent if "recordings" in each.sql and SISTER in each.values]
    assert await found(everywhere, by, f"companyIds={SISTER}", EVERYWHERE) == ["s"]
    # No scope reaches beyond the organisation.
    assert await found(everywhere, by, f"companyIds={CUSTOMER}", EVERYWHERE) == []
    assert await found(everywhere, by, f"systemIds={exchange_id('stranger')},{OWN}", EVERYWHERE) == ["o"]
    homeless = await everywhere.user("none@example.com", roles=("organization_admin",), companyId=PARTNER)
    refused(await everywhere.get(EVERYWHERE, by=homeless), 403301)


async def test_other_roles_do_not_read_across_companies(everywhere: World) -> None:
    for role in ("support", "bp_admin", "company_admin", "site_admin", *OTHERS):
        refused(await everywhere.get(f"{EVERYWHERE}?companyIds={COMPANY}", by=await member(everywhere, role)), 403000)


async def test_recordings_are_deleted_together(voice: World, boss: Document) -> None:
    for key in "abc":
        await recorded(voice, key)
    await recorded(voice, "t", "stranger")
    many = ",".join(key * 24 for key in "abat")
    answer = granted(await voice.delete(f"{RECORDINGS}?recordIds={many}", by=boss))
    assert (answer["status"], answer["data"]) == ("2 recordings successfully deleted", [])
    assert await found(voice, boss) == ["c"]
    assert (await voice.stored("recordings", "t" * 24))["companyId"] == OTHER_COMPANY
    # Some of them are gone already: the others go too.
    assert "1 recording " in granted(await voice.delete(f"{RECORDINGS}?recordIds={many},{'c' * 24}", by=boss))["status"]
    refused(await voice.delete(f"{RECORDINGS}?recordIds={many}", by=boss), 404000)


@pytest.mark.parametrize("query", ["", "?recordIds=", "?recordIds=,", "?recordIds=x", f"?recordIds={'a' * 24},x"])
async def test_invalid_ids_of_recordings_are_refused(voice: World, boss: Document, query: str) -> None:
    await recorded(voice, "a")
    assert params(refused(await voice.delete(RECORDINGS + query, by=boss), 400000)) == ["recordIds"]
    assert await found(voice, boss) == ["a"]


@pytest.fixture
def no_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server deletes nothing by itself: its first round could come between two lines of a test."""

    async def none(service: Service) -> int:
        return 0

    monkeypatch.setattr("svc_tui.server.voice.recordings.expire", none)


@pytest.mark.usefixtures("no_rounds")
async def test_the_default_retention_is_two_months(voice: World, boss: Document) -> None:
    await recorded(voice, "a", date="2026-09-20T09:59:59.999Z")
    await recorded(voice, "b", date="2026-09-20T10:00:00.000Z")
    assert await expire(voice.service) == 1
    assert await found(voice, boss) == ["b"]


@pytest.mark.usefixtures("no_rounds")
@pytest.mark.parametrize("days", [60, 90, 365])
async def test_the_retention_of_a_company(world_on_both: World, days: int) -> None:
    world = await exchanges(world_on_both)
    await world.company(COMPANY, name="Own", organisationId=ORGANISATION, cloudPbxRecordingRetention=days)
    edge = world.clock.now() - timedelta(days=days)
    await recorded(world, "a", date=stamp(edge - timedelta(milliseconds=1)))
    await recorded(world, "b", date=stamp(edge))
    await recorded(world, "t", "stranger", date=stamp(edge + timedelta(days=days - 1)))
    assert await expire(world.service) == 1
    assert await found(world, await member(world, "company_admin")) == ["b"]
    world.clock.forward(hours=1)
    assert await expire(world.service) == 1


@pytest.mark.usefixtures("no_rounds")
async def test_recordings_shorter_than_three_seconds_are_deleted(voice: World, boss: Document) -> None:
    for key, duration in (("a", 0), ("b", 2), ("c", 3), ("d", 100_000)):
        await recorded(voice, key, duration=duration)
    assert await expire(voice.service) == 2
    assert sorted(await found(voice, boss)) == ["c", "d"]


async def test_rounds_come_at_least_once_an_hour(voice: World, boss: Document) -> None:
    start, waited = voice.clock.now(), asyncio.Event()
    await recorded(voice, "a", date=stamp(start - timedelta(days=70)))
    await recorded(voice, "b", duration=60)
    rounds: list[list[str]] = []
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        rounds.append(await found(voice, boss))
        if len(rounds) == 2:
            waited.set()
            await asyncio.Event().wait()
        await recorded(voice, "c", duration=1)
        voice.clock.forward(seconds=seconds)

    await had_turn(voice, "recordings")
    voice.clock.forward(hours=1)
    async with keeping(voice.service, sleep):
        await waited.wait()
    assert rounds == [["b"], ["b"]]
    assert all(0 < seconds <= 3600 for seconds in slept)


async def test_a_starting_server_deletes_expired_recordings(voice: World) -> None:
    await recorded(voice, "a", date="2026-01-01T00:00:00.000Z")
    await had_turn(voice, "recordings")
    voice.clock.forward(hours=1)
    service = service_of(voice.service.settings, clock=voice.clock)
    app = build(service.settings, service=service)
    async with app.router.lifespan_context(app), asyncio.timeout(20):
        while True:
            async with voice.service.database.unit() as store:
                if not await store.recordings.count():
                    break
            await asyncio.sleep(0.01)


async def test_a_database_that_does_not_answer_is_tried_again(voice: World, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = 0
    enough = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        nonlocal tries
        tries += 1
        if tries == 2:
            enough.set()
            await asyncio.Event().wait()

    async def fail(_service: object) -> int:
        raise OSError

    monkeypatch.setattr("svc_tui.server.voice.recordings.expire", fail)
    async with keeping(voice.service, sleep):
        await enough.wait()
