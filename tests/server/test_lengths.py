"""Lengths of texts, lists and responses: one record or one query never costs all other callers their memory."""

from __future__ import annotations

from typing import Any

import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import fields_of
from tests.server.directory.support import ENTRIES
from tests.support.world import APP, COMPANY, World, granted, refused

APPS = "/api/svc/applications/v1.0/applications"
COMPANIES = "/api/svc/admin/v1.0/companies"


@pytest.mark.parametrize(
    ("field", "value", "kept"),
    [
        ("description", "x" * 100_000, "x" * 4_000),
        ("termsOfServiceUrl", ["https://svc.example/"] * 2_000, ["https://svc.example/"] * 20),
        ("termsOfServiceUrl", ["https://svc.example/" + "x" * 20_000], ["https://svc.example/" + "x" * 4_000]),
        ("unknown", {"deep": [{"deeper": "x" * 20_000}]}, {"deep": [{"deeper": "x" * 2_000}]}),
    ],
)
async def test_texts_and_lists_have_a_length(world: World, field: str, value: Any, kept: Any) -> None:
    root = await world.user("root@example.com", roles=("superadmin",))
    body = refused(await world.put(f"{APPS}/{APP}", by=root, json={field: value}), 400000)
    assert [problem["param"].partition(".")[0] for problem in body["errorDetails"]] == [field]
    assert "must have at most" in body["errorDetails"][0]["msg"]
    assert len(body["errorDetails"][0].get("value") or "") < 300
    granted(await world.put(f"{APPS}/{APP}", by=root, json={"name": "Kept", field: kept}))


async def test_a_filter_that_is_too_long_is_refused_and_not_repeated(world_on_both: World) -> None:
    world = world_on_both
    root = await world.user("root@example.com", roles=("superadmin",))
    answer = await world.get(COMPANIES, by=root, params={"name": "x" * 50_001})
    body = refused(answer, 400000)
    assert [problem["param"] for problem in body["errorDetails"]] == ["name"]
    assert len(answer.content) < 1_000
    assert granted(await world.get(COMPANIES, by=root, params={"name": "x" * 10_000}))["total"] == 0


async def test_a_list_of_too_many_ids_in_a_query_is_refused(world_on_both: World) -> None:
    world = world_on_both
    root = await world.user("root@example.com", roles=("superadmin",))
    for wire, most in (("organisationIds", 500), ("tags", 100), ("phoneNumbers", 100)):
        values = [f"{number:024}" for number in range(most + 1)]
        body = refused(await world.get(ENTRIES, by=root, params={wire: ",".join(values)}), 400000)
        assert body["errorDetails"] == f"a list in the query has more than {most} values"
        assert granted(await world.get(ENTRIES, by=root, params={wire: ",".join(values[1:])}))["total"] == 0


async def test_a_page_that_is_too_large_names_its_limit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc_tui.server.store.documents.LARGEST_WINDOW", 3_000)
    root = await world.user("root@example.com", roles=("superadmin",))
    for number in range(10):
        await world.application(f"b{number}" * 12, name=f"Large {number}", description="x" * 1_000)
    body = refused(await world.get(APPS, by=root, params={"format": "full"}), 400000)
    assert [problem["param"] for problem in body["errorDetails"]] == ["limit"]
    assert len(granted(await world.get(APPS, by=root, params={"limit": 2}))["data"]) == 2
    assert granted(await world.get(APPS, by=root, params={"limit": 1, "name": "Large"}))["total"] == 10


#: Texts that a list compares with its records: long when their case is ignored, patterns, many values, many ids.
LONG = {
    "grows": "ΐ" * 10_000,
    "pattern": "%_" * 8_000,
    "words": ",".join(f"{number:x}" for number in range(500)),
    "numbers": ",".join(f"+3512{number:08d}" for number in range(500)),
    "ids": ",".join(f"{number:024x}" for number in range(500)),
}


@pytest.mark.parametrize("kind", LONG)
async def test_no_long_text_in_a_query_is_an_error_of_the_server(world_on_both: World, kind: str) -> None:
    world, faults = world_on_both, list[str]()
    root = await world.user("root@example.com", roles=("superadmin", "company_admin"))
    await world._put("directories", {"id": "d1" * 12, "companyId": COMPANY, "live": True})
    entry = {"id": "e1" * 12, "directory": "d1" * 12, "companyId": COMPANY, "type": "user", "lastName": "Lovelace"}
    await world._put("directory_entries", entry)
    for operation in (each for each in operations() if each.method == "GET" and each.reads):
        for spec in fields_of(operation.query):
            if spec.kind == "text":
                path = operation.url(**dict.fromkeys(operation.parameters, "0" * 24))
                answer = await world.get(path, by=root, params={spec.wire: LONG[kind]})
                if answer.status_code >= 500:
                    faults.append(f"{operation.id} {spec.wire}: {answer.status_code} {answer.text[:100]}")
    assert faults == []
