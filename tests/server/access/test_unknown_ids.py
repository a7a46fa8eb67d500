"""Ids of no record in bodies: each operation answers with the same refusal on both databases."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.records import Record
from tests.conftest import world_at
from tests.server.access.estates import COMPANIES, Copies, sources
from tests.server.access.requests import options_of, parameter
from tests.support.clock import SetClock
from tests.support.databases import demo
from tests.support.world import World

if TYPE_CHECKING:
    from tests.support.postgres import Postgres

Document = dict[str, Any]

UNKNOWN = "0" * 24
#: Names of records that a request is about; other ids are values of a field.
SUBJECTS = ("id", "companyId", "userId", "deviceId", "offerId", "subscriptionId", "ownedByCompany")
#: Ids that are stored as they are: of other systems, and of companies that may see another one.
STORED = {"allowedProviderIds", "pbxLdapId", "preferredSipLoadBalancerId", "salesforceAccountId", "visibleBy"}
#: With a `deviceId` the type is not looked at, and a template is for either a company or a user.
BESIDE_OTHERS = {("assign_device_to_subscriber", "deviceTypeId"): "deviceId", ("apply_template", "userId"): "companyId"}


def references(model: type[Record], within: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """The fields of a body that name records, also in its objects: their paths, and an unknown id as value."""
    for spec in fields_of(model):
        path, inner = (*within, spec.wire), spec.record
        if inner is not None:
            yield from references(inner, path if spec.kind == "object" else (*path, "0"))
        elif (spec.facet.refers or spec.wire.endswith(("Id", "Ids"))) and spec.kind in ("text", "texts"):
            yield path, [UNKNOWN] if spec.kind == "texts" else UNKNOWN


def with_value(document: Document, path: tuple[str, ...], value: object) -> Document:
    """The document with a value at a path."""
    [name, *rest] = path
    if not rest:
        return {**document, name: value}
    if rest[0] == "0":
        return {**document, name: [with_value({}, tuple(rest[1:]), value)]}
    inner = document.get(name)
    return {**document, name: with_value(inner if isinstance(inner, dict) else {}, tuple(rest), value)}


@pytest.fixture(params=["sqlite", "postgresql"])
async def estate(
    request: pytest.FixtureRequest, tmp_path: Path, clock: SetClock
) -> AsyncIterator[tuple[World, dict[str, str], Document]]:
    """The records of one company, and a caller with all rights."""
    template = demo(clock.now().date())
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        url = await server.fresh(template)
    else:
        url = template.copy(tmp_path / "svc.db")
    async with world_at(url, tmp_path, clock) as world:
        copies = Copies(world, await sources(world), frozenset())
        estates = {place: await copies.company(place) for place in COMPANIES}
        home = estates["home"]
        user, _ = await copies.user("superadmin", home)
        async with world.service.database.unit() as store:
            console = next(e for e in (await store.applications.find()).documents if e["name"] == "Svc Console")
            offers = {each["name"]: each["id"] for each in (await store.offers.find()).documents}
            await store.cloudpbxs.remove(estates["stranger"].ids["systemId"])
        ids = {
            **home.ids,
            "without": estates["stranger"].ids["companyId"],
            "clientId": UNKNOWN,
            "newOfferId": offers["Attendant"],
            "offerId": offers["Trial"],
        }
        yield world, ids, {**user, "application": console["id"]}


def body_for(operation: str, ids: dict[str, str], path: tuple[str, ...]) -> Document:
    """A valid body, in which only the value at the path is to be replaced."""
    document: Document = options_of(operation, "home", ids).get("json", {})
    if operation == "create_cloudpbx":
        document["companyId"] = ids["without"]
    if operation == "create_company":
        document["name"] = f"Made for {path[0]}"
    if path == ("offerId",):
        document.pop("subscriptionId", None)
    if path[-1] == "destinationId":
        document[path[0]] = {"type": "user"}
    if path[0] == "deviceTypeId":
        document["macAddress"] = "02:ff:ff:ff:ff:02"
    document.pop(BESIDE_OTHERS.get((operation, path[0]), ""), None)
    return document


async def test_an_unknown_id_in_a_body_is_refused_by_each_operation(
    estate: tuple[World, dict[str, str], Document],
) -> None:
    world, ids, user = estate
    headers, found, seen = {"authorization": f"Bearer {world.token(user, user['application'])}"}, list[str](), 0
    for operation in (each for each in operations() if each.sends_body and not each.sends_form):
        for path, value in references(operation.body):
            if path[0] in STORED and not (path[0] == "visibleBy" and "template" in operation.id):
                continue
            values = [ids.get(parameter(operation.id, name), UNKNOWN) for name in operation.parameters]
            url = operation.url(**dict(zip(operation.parameters, values, strict=True)))
            body = with_value(body_for(operation.id, ids, path), path, value)
            answer = await world.http.request(operation.method, url, headers=headers, json=body)
            status = 404 if path[0] in SUBJECTS or operation.id == "assign_device_to_subscriber" else 400
            named = any(text in answer.text for text in (UNKNOWN, "not found", f'"{path[0]}'))
            if answer.status_code != status or not named:
                found.append(f"{operation.id} {path}: {answer.status_code} {answer.text[:200]}")
            seen += 1
    assert found == []
    assert seen > 30
