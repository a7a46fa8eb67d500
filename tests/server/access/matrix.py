"""The service with estates of every kind, and a caller with each role, for tests that send every operation."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

import httpx

from tests.interface.specification_operations import specified
from tests.server.access.estates import COMPANIES, HOMES, PLACES, Copies, Estate, id_of, mark_of, sources
from tests.server.access.requests import is_about_a_record, options_of, parameter
from tests.server.access.specified_access import ROLES
from tests.support.world import World

OPERATIONS = {name: (method, path) for name, method, path in specified()}
_PARAMETER = re.compile(r"{(\w+)}")
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

    async def answer(
        self, operation: str, caller: Caller | None, place: str, more: Mapping[str, Any] = MappingProxyType({})
    ) -> tuple[httpx.Response, str]:
        """The answer to the operation's request to records at a place, and all that the request said.

        `more` is added to its body.
        """
        method, path = OPERATIONS[operation]
        ids = self.ids(caller, place)
        url = _PARAMETER.sub(lambda found: ids[parameter(operation, found[1])], path)
        options = options_of(operation, place, ids)
        if more:
            options["json"] = {**options.get("json", {}), **more}
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


def places(operation: str, caller: Caller, reached: frozenset[str]) -> list[str]:
    """Whose records the role's requests name; empty where they name none."""
    if not reached:
        return ["company"]
    if "{" not in OPERATIONS[operation][1] and not is_about_a_record(operation):
        return [""]
    if reached == {"own"}:
        return ["own", "company", "stranger"]
    return [*PLACES[caller.home], *(each for each in ("own", "demo") if each in reached)]
