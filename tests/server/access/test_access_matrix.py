"""Every role against every operation, with records in reach and out of reach: the specification's table, over HTTP."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from svc_tui.server.store.store import Store
from tests.conftest import world_at
from tests.interface.specification_operations import specified
from tests.server.access.estates import COMPANIES, HOMES, PLACES, Copies, Estate, id_of, mark_of, sources
from tests.server.access.requests import STATE, is_about_a_record, options_of, parameter
from tests.server.access.specified_access import ANYBODY, NOT_DEMO, ROLES, SHOWS_CUSTOMERS, WITH_A_KEY, beyond, reaches
from tests.support.clock import SetClock
from tests.support.databases import demo
from tests.support.world import World

OPERATIONS = {name: (method, path) for name, method, path in specified()}
REACHES, BEYOND = reaches(), beyond()
_PARAMETER = re.compile(r"{(\w+)}")
_IDENTIFIER = re.compile(r"\b[0-9a-f]{24}\b|zq[0-9a-f]{10}|[\w.+-]+@[\w.-]+")
T = TypeVar("T")


@dataclass
class Caller:
    """A user with one role."""

    role: str
    home: str
    user: dict[str, Any]
    own: Estate
    token: str


@dataclass
class Matrix:
    """The service with all estates, in which nothing stays changed, and its callers."""

    runner: asyncio.Runner
    world: World
    estates: dict[str, Estate] = field(default_factory=dict)
    callers: list[Caller] = field(default_factory=list)
    #: Names, addresses and identifiers in the demo data's own companies.
    demo: frozenset[str] = frozenset()
    offers: dict[str, str] = field(default_factory=dict)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    async def settle(self) -> None:
        async with self.world.service.database.unit() as store:
            offers = (await store.offers.find()).documents
            versions = (await store.client_versions.find()).documents
            applications = (await store.applications.find()).documents
        console = next(each for each in applications if each["name"] == "Svc Console")
        self.demo = await _identifiers(self.world) - {str(console["ownerId"])}
        named = {str(each["name"]): str(each["id"]) for each in [*offers, *applications]}
        shared = {
            "offerId": named["Trial"],
            "newOfferId": named["Attendant"],
            "demoOfferId": named["Enterprise for partners"],
            "clientId": str(versions[0]["id"]),
            "bpApplicantNumber": "AP-10-88",
        }
        copies = Copies(self.world, await sources(self.world), self.demo)
        for place in COMPANIES:
            self.estates[place] = estate = await copies.company(place)
            estate.ids |= {
                **shared,
                "fileId": id_of(place, "fileId"),
                "invoicePath": f"{mark_of(place)}/2026-02/cdr.csv",
            }
        for role in ROLES:
            home = HOMES.get(role, "home")
            user, own = await copies.user(role, self.estates[home])
            self.callers.append(Caller(role, home, user, own, self.world.token(user, named["Svc Console"])))

    async def answer(self, operation: str, caller: Caller | None, place: str) -> tuple[httpx.Response, str]:
        """The answer to the operation's request to records at a place, and all that the request said."""
        method, path = OPERATIONS[operation]
        ids = self.ids(caller, place)
        url = _PARAMETER.sub(lambda found: ids[parameter(operation, found[1])], path)
        options = options_of(operation, place, ids)
        headers = {**options.pop("headers", {}), **({"authorization": f"Bearer {caller.token}"} if caller else {})}
        answer = await self.world.http.request(method, url, headers=headers, **options)
        return answer, f"{url} {options}"

    def ids(self, caller: Caller | None, place: str) -> dict[str, str]:
        if caller is None:
            return self.estates["stranger"].ids
        if place in ("own", ""):
            return caller.own.ids
        ids = self.estates[PLACES[caller.home].get(place, "stranger")].ids
        return {**ids, "subscriptionId": ids["demoId"]} if place == "demo" else ids

    def hidden(self, caller: Caller, reached: frozenset[str]) -> frozenset[str]:
        """What no answer to this caller contains, with these reaches."""
        if "any" in reached:
            return frozenset()
        if "demo" in reached:
            return frozenset(each.ids["subscriptionId"] for each in self.estates.values())
        seen = {caller.home, *_seen(caller.home, reached)}
        hidden = {mark for place in self.estates if place not in seen for mark in _marks(self.estates[place])}
        hidden |= {mark for each in self.callers if each.home not in seen for mark in _marks(each.own)}
        if not reached & {"company", "organisation", "site"}:
            home = self.estates[caller.home].ids
            hidden |= {id for name, id in home.items() if name not in ("companyId", "siteId", *_SHARED)}
        bp = COMPANIES[caller.home][0]
        own = {*caller.own.ids.values(), *((self.estates[bp].ids["companyId"],) if bp else ())}
        return frozenset(hidden | self.demo) - own


def _seen(home: str, reached: frozenset[str]) -> set[str]:
    """The estates that these reaches cover, from home."""
    seen = {place for reach, place in PLACES[home].items() if reach in reached}
    if reached & {"customers", "resellers"}:
        seen |= {place for place, (bp, _) in COMPANIES.items() if bp == home}
    return seen


_SHARED = (
    "offerId",
    "newOfferId",
    "demoOfferId",
    "clientId",
    "bpApplicantNumber",
    "fileId",
    "invoicePath",
    "commandId",
    "externalTrunkId",
    "systemId",
)


def _marks(estate: Estate) -> set[str]:
    return {mark_of(estate.place), *(id for name, id in estate.ids.items() if name not in _SHARED)}


async def _identifiers(world: World) -> frozenset[str]:
    async with world.service.database.unit() as store:
        companies = (await store.companies.find()).documents
        users = (await store.users.find()).documents
        sites = (await store.sites.find()).documents
    found = {str(each["id"]) for each in [*companies, *users, *sites]}
    return frozenset(found | {str(each["loginEmail"]) for each in users})


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Matrix]:
    folder: Path = tmp_path_factory.mktemp("access")
    clock = SetClock()
    with asyncio.Runner() as runner, pytest.MonkeyPatch.context() as patch:
        opened = world_at(demo(clock.now().date()).copy(folder / "svc.db"), folder, clock)
        made = Matrix(runner, runner.run(opened.__aenter__()))
        made.run(made.settle())
        # Each request ends as if it had not been: the next one finds the same records.
        patch.setattr(Store, "commit", Store.rollback)
        yield made
        runner.run(opened.__aexit__(None, None, None))


def test_the_table_names_each_operation_of_the_specification() -> None:
    assert {*REACHES, *ANYBODY.split(), WITH_A_KEY} == set(OPERATIONS)


@pytest.mark.parametrize("operation", sorted(REACHES))
def test_each_role_gets_exactly_the_specified_fields(matrix: Matrix, operation: str) -> None:
    faults = [fault for caller in matrix.callers for fault in _faults(matrix, operation, caller)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("operation", [*ANYBODY.split(), WITH_A_KEY])
def test_without_a_caller_each_role_gets_the_same_answer(matrix: Matrix, operation: str) -> None:
    expected = 403 if operation == WITH_A_KEY else matrix.run(matrix.answer(operation, None, "stranger"))[0].status_code
    for caller in matrix.callers:
        answer, said = matrix.run(matrix.answer(operation, caller, "stranger"))
        assert answer.status_code == expected, (caller.role, answer.text)
        assert not _shown(answer, said, matrix.hidden(caller, frozenset())), (caller.role, answer.text)


def _faults(matrix: Matrix, operation: str, caller: Caller) -> Iterator[str]:
    """The cells of this operation and role that are not as specified."""
    reached = REACHES[operation].get(caller.role, frozenset())
    about = reached | {"customers"} if reached and operation in SHOWS_CUSTOMERS else reached
    for place in _places(operation, caller, reached):
        answer, said = matrix.run(matrix.answer(operation, caller, place))
        if not _as_specified(operation, caller.role, reached, place, answer):
            yield f"{caller.role} at {place}: {answer.status_code} {answer.text[:200]}"
        elif shown := _shown(answer, said, matrix.hidden(caller, about)):
            yield f"{caller.role} at {place} sees {sorted(shown)}: {answer.text[:200]}"
        elif "any" not in reached and _counts_others(answer):
            yield f"{caller.role} at {place} learns of others by a count: {answer.text[-100:]}"


def _places(operation: str, caller: Caller, reached: frozenset[str]) -> list[str]:
    """Whose records the role's requests name; empty where they name none."""
    if not reached:
        return ["company"]
    if "{" not in OPERATIONS[operation][1] and not is_about_a_record(operation):
        return [""]
    if reached == {"own"}:
        return ["own", "company", "stranger"]
    return [*PLACES[caller.home], *(each for each in ("own", "demo") if each in reached)]


def _as_specified(operation: str, role: str, reached: frozenset[str], place: str, answer: httpx.Response) -> bool:
    is_json = "json" in answer.headers.get("content-type", "")
    body = answer.json() if is_json else None
    code = body.get("errorDetailsCode") if isinstance(body, dict) else None
    if not reached:
        return code == 403000
    within = not place or (place == "company" and reached & {"organisation", "site"})
    if "any" in reached or place in reached or within:
        return answer.status_code in (200, 302) or code == STATE.get(operation, 0)
    if "demo" in reached and operation not in NOT_DEMO:
        return answer.status_code == 200
    # A list may leave out what the caller does not reach: what it shows is looked at too.
    is_list = operation.startswith("list_") and answer.status_code == 200
    return is_list or code == (NOT_DEMO[operation] if "demo" in reached else BEYOND[operation])


def _shown(answer: httpx.Response, said: str, hidden: frozenset[str]) -> set[str]:
    """Identifiers, marks and addresses of others in a response, but for those that the request named."""
    if not hidden or "image/" in answer.headers.get("content-type", ""):
        return set()
    return {each for each in _IDENTIFIER.findall(answer.text) if each in hidden and each not in said}


def _counts_others(answer: httpx.Response) -> bool:
    """Whether a list says that there are more records than it shows: all that a caller reaches are on one page."""
    body = answer.json() if answer.status_code == 200 and "json" in answer.headers.get("content-type", "") else None
    return isinstance(body, dict) and "total" in body and body["total"] != len(body["data"])
