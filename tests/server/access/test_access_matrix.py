"""Every role against every operation, with records in reach and out of reach: the specification's table, over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from tests.server.access.matrix import OPERATIONS, Caller, Matrix, places
from tests.server.access.requests import STATE
from tests.server.access.specified_access import ANYBODY, NOT_DEMO, SHOWS_CUSTOMERS, WITH_A_KEY, beyond, reaches

REACHES, BEYOND = reaches(), beyond()
_IDENTIFIER = re.compile(r"\b[0-9a-f]{24}\b|zq[0-9a-f]{10}|[\w.+-]+@[\w.-]+")


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
    for place in places(operation, caller, reached):
        answer, said = matrix.run(matrix.answer(operation, caller, place))
        if not _as_specified(operation, caller.role, reached, place, answer):
            yield f"{caller.role} at {place}: {answer.status_code} {answer.text[:200]}"
        elif shown := _shown(answer, said, matrix.hidden(caller, about)):
            yield f"{caller.role} at {place} sees {sorted(shown)}: {answer.text[:200]}"
        elif "any" not in reached and _counts_others(answer):
            yield f"{caller.role} at {place} learns of others by a count: {answer.text[-100:]}"


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
