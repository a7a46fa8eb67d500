"""The OpenAPI document, and what it promises held against the real application with made-up requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from svc_tui.interface.applications.records import ApplicationUpdate
from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.interface.problems import LONGEST_TEXT, longest_of
from svc_tui.server.http.openapi import documented_path
from svc_tui.server.http.parsing import read_body
from svc_tui.server.refusal import Refusal
from tests.conftest import world_at
from tests.server.generated import Generated
from tests.support.clock import SetClock
from tests.support.databases import TABLES
from tests.support.world import COMPANY, World

#: Requests for each operation.
EXAMPLES = 8
#: Records that the made-up requests meet now and then.
ROOT = "0" * 24
KNOWN = {"userId": ROOT, "companyId": COMPANY, "appId": "b0" * 12, "clientId": "b1" * 12}
OPERATIONS = operations()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Generated]:
    """Requests of a superadmin to a service in this process."""
    folder: Path = tmp_path_factory.mktemp("openapi")
    clock = SetClock()
    with asyncio.Runner() as runner:
        opened = world_at(TABLES.copy(folder / "svc.db"), folder, clock)
        world = runner.run(opened.__aenter__())
        token = runner.run(_filled(world))
        yield Generated(runner, world.http, token, KNOWN)
        runner.run(opened.__aexit__(None, None, None))


async def _filled(world: World) -> str:
    """The token of a superadmin in a world with some of the known records."""
    await world.company()
    await world.application()
    await world.application(KNOWN["appId"])
    await world.application(KNOWN["clientId"])
    root = await world.user("root@example.com", roles=("superadmin", "app_superadmin", "app_admin"), id=ROOT)
    return world.token(root)


@pytest.mark.parametrize("operation", OPERATIONS, ids=[operation.id for operation in OPERATIONS])
def test_no_request_breaks_the_service_and_every_answer_is_as_documented(
    generated: Generated, operation: AnyOperation
) -> None:
    generated.check(operation, EXAMPLES)


def test_every_operation_of_the_catalogue_is_served_and_documented(generated: Generated) -> None:
    documented = {
        (method.upper(), path): described
        for path, methods in generated.schema.raw_schema["paths"].items()
        for method, described in methods.items()
    }
    declared = {(operation.method, documented_path(operation)): operation for operation in OPERATIONS}
    assert set(documented) == set(declared)
    for key, described in documented.items():
        assert described["operationId"] == declared[key].id
        assert {"400", "431"} <= set(described["responses"])
        if declared[key].credentials not in (Credentials.NONE, Credentials.BROWSER):
            assert {"401", "403"} <= set(described["responses"])


def test_the_document_has_the_longest_texts_of_bodies_and_queries(generated: Generated) -> None:
    document = generated.schema.raw_schema
    fields = document["components"]["schemas"]["ApplicationUpdate"]["properties"]
    assert _longest(fields["description"]) == longest_of(field_by_wire(ApplicationUpdate)["description"])
    assert _longest(fields["name"]) == 255
    parameters = document["paths"]["/api/svc/applications/v1.0/applications"]["get"]["parameters"]
    assert {each["name"]: each["schema"] for each in parameters}["name"]["maxLength"] == LONGEST_TEXT


def test_every_text_and_list_of_a_body_has_a_limit_and_a_longer_one_is_refused(generated: Generated) -> None:
    schemas = generated.schema.raw_schema["components"]["schemas"]
    unlimited, accepted = [], []
    for operation in (each for each in OPERATIONS if each.sends_body):
        described = generated.schema.raw_schema["paths"][documented_path(operation)][operation.method.lower()]
        [content] = described["requestBody"]["content"].values()
        for path, most, part in _limits(schemas, content["schema"], ()):
            if most is None:
                unlimited.append((operation.id, path))
            elif not operation.sends_form and not _refuses(operation, path, part * (most + 1)):
                accepted.append((operation.id, path))
    assert unlimited == []
    assert accepted == []


def _limits(schemas: Any, described: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], int | None, Any]]:
    """The place and limit of each text and list of a schema, with a text or list of one; an empty name is an entry."""
    if "$ref" in described:
        described = schemas[described["$ref"].rpartition("/")[2]]
    if described.get("type") == "string" and not described.keys() & {"enum", "const", "format"}:
        yield path, described.get("maxLength"), "x"
    if described.get("type") == "array":
        yield path, described.get("maxItems"), [_smallest(schemas, described["items"])]
        yield from _limits(schemas, described["items"], (*path, ""))
    for name, inner in described.get("properties", {}).items():
        yield from _limits(schemas, inner, (*path, name))
    for part in described.get("anyOf", ()):
        yield from _limits(schemas, part, path)


def _refuses(operation: AnyOperation, path: tuple[str, ...], value: Any) -> bool:
    """Whether the service says of this value, at this place of a body, that there is too much of it."""
    for name in reversed(path):
        value = {name: value} if name else [value]
    try:
        read_body(operation, json.dumps(value).encode())
    except Refusal as refusal:
        place = ".".join(name or "0" for name in path)
        problems = refusal.details if isinstance(refusal.details, list) else []
        return any(each["param"] == place or place.startswith(f"{each['param']}.0") for each in problems)
    return False


def _smallest(schemas: Any, described: Any) -> Any:
    """A small value that a schema allows."""
    if "$ref" in described:
        described = schemas[described["$ref"].rpartition("/")[2]]
    if "anyOf" in described:
        return _smallest(schemas, described["anyOf"][0])
    if described.keys() & {"enum", "const"}:
        return described.get("const", described.get("enum", [None])[0])
    if described["type"] == "object":
        needed = described.get("required", ())
        return {name: _smallest(schemas, described["properties"][name]) for name in needed}
    # Short texts are digits or free, long ones addresses or free.
    text = "1" if described.get("maxLength", 0) < 100 else "https://svc.example/"
    return {"array": [], "integer": 1, "number": 1, "boolean": True}.get(described["type"], text)


def _longest(described: Any) -> int:
    [found] = [each["maxLength"] for each in (described, *described.get("anyOf", ())) if "maxLength" in each]
    return int(found)


def test_the_document_has_no_internal_pages_and_fields(generated: Generated) -> None:
    assert "keyHash" not in str(generated.schema.raw_schema)
    assert "passwordHash" not in str(generated.schema.raw_schema)
    assert "/api/svc/authentication/v1.0/oidc-client/callback" not in generated.schema.raw_schema["paths"]
