"""Numbers, booleans and dates have one form in queries and bodies: any other text is refused by its field, for each
operation of the interface."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.operations import AnyOperation, Credentials
from tests.server.test_hostile_requests import fault_of, path_of
from tests.support.world import World, granted

_NO_NUMBERS = ("1_000", "１０", "٣", "+5", " 5", "5 ", "5\n", "5.0", "1e2", "0x5", "²", "9" * 101, "9" * 5_000)
#: Texts that are not values of a kind, in queries.
WRONG = {
    "integer": _NO_NUMBERS,
    "choice": _NO_NUMBERS,
    "boolean": ("1", "0", "yes", "on", "t", " true", "true\n"),
    "date": (
        "1700000000",
        "20260101",
        "2026-1-1",
        "２０２６-01-01",
        " 2026-01-01",
        "2026-01-01T00:00:00",
        "2026-02-30",
    ),
    "datetime": (
        "1700000000",
        "1700000000.5",
        "20260101T000000Z",
        "２０２６-01-01",
        "2026-01-01T00:00:00Z ",
        "2026-13-01",
    ),
}
#: Values of the same kinds in bodies.
WRONG_IN_BODIES: dict[str, tuple[Any, ...]] = {
    "integer": ("5", "1_000", " 5", "5.0", 5.5, True),
    "number": ("5", "1_000", True),
    "boolean": ("true", "yes", 1, 0),
    "date": ("1700000000", 1700000000, 1.5, True, "2026-1-1"),
    "datetime": ("1700000000", 1700000000, 1.5, True, "20260101T000000Z"),
}


#: Bodies of operations that would refuse an empty one before the query.
BODIES = {"create_user": {"loginEmail": "new@example.com", "firstName": "New", "lastName": "User"}}


def _faults(operation: AnyOperation, spec: FieldSpec, answer: httpx.Response) -> Iterator[str]:
    yield from fault_of(operation, answer, 400)
    if answer.status_code == 400 and f'"param":"{spec.wire}' not in answer.text:
        yield f"{operation.id}: {spec.wire} is not named: {answer.text[:200]}"


@pytest.fixture
async def root(world: World) -> Any:
    return await world.user("root@example.com", roles=("superadmin", "company_admin"))


async def test_values_of_another_form_in_a_query_are_refused_by_each_operation(world: World, root: Any) -> None:
    found, seen = list[str](), set[str]()
    for operation in (each for each in operations() if each.credentials is Credentials.CALLER):
        content: dict[str, Any] = (
            {"content": b"a", "headers": {"content-type": operation.takes[0]}} if operation.takes else {}
        )
        if operation.id in BODIES:
            content = {"json": BODIES[operation.id]}
        for spec in fields_of(operation.query):
            for value in WRONG.get(spec.kind, ()):
                answer = await world.send(
                    operation.method, path_of(operation), by=root, params={spec.wire: value}, **content
                )
                found += _faults(operation, spec, answer)
                seen.add(spec.kind)
    assert found == []
    assert seen == set(WRONG)


async def test_values_of_another_type_in_a_body_are_refused_by_each_operation(world: World, root: Any) -> None:
    found, seen = list[str](), set[str]()
    for operation in (each for each in operations() if each.sends_body and each.credentials is Credentials.CALLER):
        for spec in fields_of(operation.body):
            for value in WRONG_IN_BODIES.get(spec.kind, ()):
                answer = await world.send(operation.method, path_of(operation), by=root, json={spec.wire: value})
                found += _faults(operation, spec, answer)
                seen.add(spec.kind)
    assert found == []
    assert seen >= {"integer", "boolean", "date", "datetime"}


@pytest.mark.parametrize(
    "moment",
    [
        "2026-01-01",
        "2026-01-01T10:00",
        "2026-01-01T10:00:00Z",
        "2026-01-01T10:00:00.123456+02:00",
        "2026-01-01T10:00:00 0200",
    ],
)
async def test_each_usual_form_of_a_moment_is_read(world: World, root: Any, moment: str) -> None:
    query = {"fromCreationDate": moment, "limit": "5", "isActive": "True", "sortOrder": "-1"}
    page = granted(await world.get("/api/svc/authentication/v1.0/apikeys", by=root, params=query))
    assert (page["limit"], page["total"]) == (5, 0)
