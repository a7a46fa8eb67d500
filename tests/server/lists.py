"""The lists of the interface on demo data, as administrators read them, and the statements that they send."""

from __future__ import annotations

import re
from typing import Any

import httpx

from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import Record
from svc_tui.server.store.conditions import ContainsAny, In, Is, Not
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import DOCUMENT_TABLES, Document
from tests.server.access.estates import sources
from tests.server.access.requests import parameter
from tests.server.plans import faults
from tests.support.statements import Statement, statements
from tests.support.world import World, granted


def wires_of(model: type[Record]) -> list[str]:
    """The names of the fields."""
    return [spec.wire for spec in fields_of(model)]


#: The lists by their operations.
LISTS = {each.id: each for each in operations() if {"limit", "offset"} <= set(wires_of(each.query))}


class Lists:
    """Lists of the demo data, as an administrator reads them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.readers: list[str] = []
        self.ids: dict[str, str] = {}

    async def find(self, store: Store) -> None:
        """Who reads, and what the paths and filters name."""
        app = (await store.applications.find(Is("state", "active"), limit=1)).documents[0]["id"]
        recording = (await store.recordings.find(limit=1)).documents[0]
        root = await self._user(store, ContainsAny("roles", ["superadmin"]))
        own = await self._user(store, Is("adminType", "company_admin"), Is("companyId", recording["companyId"]))
        self.readers = [f"Bearer {self.world.token(user, app)}" for user in (root, own)]
        found = await sources(self.world)
        self.ids = {name: str(document[DOCUMENT_TABLES[kind].id]) for name, (kind, document) in found.items()}
        self.ids |= {"companyId": recording["companyId"], "systemId": recording["systemId"]}
        self.ids |= {"companyIds": recording["companyId"], "ownerId": self.ids["userId"]}
        owners = await store.directories.values("companyId", Is("live", True), Not(Is("companyId", None)))
        [*organisations] = {each for each in await store.companies.values("organisationId", In("id", owners)) if each}
        self.ids["organisationIds"] = ",".join(organisations)
        sites = await store.cloudpbxs.values("siteId", Not(Is("siteId", None)))
        self.ids["siteIds"] = sites[0].strip(",")
        self.ids["systemIds"] = ",".join((await store.cloudpbxs.ids())[:3])
        of_system = Is("systemId", recording["systemId"])
        self.ids["phoneNumberId"] = (await store.subscribers.find(of_system, limit=1)).documents[0]["id"]

        # Filters by them find something.
        for kind, wire in (
            (store.subscriptions, "offerId"),
            (store.offers, "groupName"),
            (store.companies, "externalReference"),
            (store.companies, "externalReference2"),
            (store.cloudpbxs, "bpId"),
            (store.subscribers, "internalNumber"),
        ):
            [value, *_] = await kind.values(wire, Not(Is(wire, None)))
            self.ids["offerGroupName" if wire == "groupName" else wire] = value
        self.ids["toUpdateDate"] = "2100-01-01T00:00:00Z"

    async def _user(self, store: Store, *where: Any) -> Document:
        return (await store.users.find(*where, Is("isActive", True), limit=1)).documents[0]

    async def answer(self, operation: AnyOperation, /, **query: Any) -> tuple[httpx.Response, list[Statement]]:
        """Read something as the first of the readers who may, and the statements for it."""
        ids = {name: self.ids.get(parameter(operation.id, name), "0" * 24) for name in operation.parameters}
        for reader in self.readers:
            with statements(self.world.service.database) as sent:
                answer = await self.world.http.get(
                    operation.url(**ids), headers={"authorization": reader}, params=query
                )
            if answer.status_code != 403:
                break
        return answer, sent

    async def page(self, id: str, /, **query: Any) -> list[Statement]:
        """Read one page; the statements."""
        answer, sent = await self.answer(LISTS[id], **query)
        granted(answer)
        return sent

    async def check(self, id: str, /, **query: Any) -> list[str] | None:
        """What reading a page does that becomes slower with each record. None if the list does not take the query."""
        answer, sent = await self.answer(LISTS[id], **{"limit": 5, "offset": 0, **query})
        if answer.status_code == 400:
            return None
        granted(answer)
        if answer.json().get("total") == 0 and any("SELECT count(" in each.sql for each in sent):
            return []
        windows = [each for each in sent if "LIMIT" in each.sql and "ORDER" in each.sql]
        if not windows:
            return [f"{id} {query}: reads all records"]
        return [
            f"{id} {query}: {fault}" for each in windows for fault in await faults(self.world.service.database, each)
        ]

    def places(self, id: str) -> list[dict[str, str]]:
        """The queries by which the records of one company, CloudPBX or similar are listed; an empty one for all."""
        wires = wires_of(LISTS[id].query)
        return [{}, *({name: value} for name, value in self.ids.items() if name in wires and name.endswith(SCOPES))]

    async def value(self, id: str, spec: FieldSpec, place: dict[str, str]) -> str:
        """A value that the filter takes."""
        kinds = {"boolean": "true", "integer": "1", "datetime": "2026-01-01T00:00:00Z", "date": "2026-01-01"}
        tried = [self.ids.get(spec.wire), *(str(each) for each in spec.choices), kinds.get(spec.kind), "+351", "0" * 24]
        for value in filter(None, tried):
            answer, _ = await self.answer(LISTS[id], **{"limit": 5, "offset": 0, **place, spec.wire: value})
            if answer.status_code == 200:
                return value
            if known := re.search(r"must be one of ([\w-]+)", answer.text):
                return known[1]
        raise AssertionError((id, spec.wire, answer.text))


#: The ends of the names of filters that choose places.
SCOPES = ("companyId", "companyIds", "systemIds", "siteId", "siteIds", "organisationId", "organisationIds")
