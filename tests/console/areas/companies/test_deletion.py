"""Deletion of a company, and access to companies (4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from svc_tui.client.errors import Refused
from svc_tui.console.areas.companies.deletion import failed_checks, refused_checks
from svc_tui.console.areas.companies.resources import COMPANIES
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.failed_checks import FailedCheck
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.interface.access import Caller, Role, decide
from svc_tui.interface.catalogue import operation
from svc_tui.interface.problems import Problem
from svc_tui.workspace.core.service import ReadError

COMPANY = {"id": "c1", "name": "Northwind", "bpId": "bp", "offerType": "premium"}


class Workspace:
    """Answers with this many records of each list; a negative number is a refusal."""

    def __init__(self, caller: Caller, **counts: int) -> None:
        self.caller, self._counts = caller, counts

    def decide(self, operation_id: str) -> bool:
        return bool(decide(operation(operation_id).who, self.caller))

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, Any]) -> Any:
        assert "c1" in query.values() or "c1" in path.values()
        count = self._counts.get(operation_id, 0)
        if count < 0:
            raise ReadError("not for you")
        if path:
            uncounted = [{"id": "default", "isDefault": True}, {"id": "old", "status": "terminated"}]
            return {"data": [*uncounted, *({"id": str(number), "status": "active"} for number in range(count))]}
        return {"data": [], "total": count}


def _context(role: Role, company_id: str, **counts: int) -> Context:
    caller = Caller("u", frozenset({role}), company_id)
    stage = SimpleNamespace(resources=BY_NAME)
    return Context(cast("Any", stage), cast("Any", Workspace(caller, **counts)), cast("Any", None))


async def test_every_condition_that_fails_is_found_with_the_key_that_goes_there() -> None:
    counts = {"list_companies": 2, "list_sites": 3, "list_company_subscriptions": 1, "list_users": 4}
    context = _context(Role.SUPERADMIN, "", **counts)
    assert await failed_checks(context, COMPANY) == [
        FailedCheck("companies are linked to this BP: 2", "c", "companies/c1/companies"),
        FailedCheck("the company has sites: 3", "s", "companies/c1/sites"),
        FailedCheck("the company has subscriptions besides the default one: 1", "b", "companies/c1/subscriptions"),
        FailedCheck("the company has users: 4", "u", "companies/c1/users"),
    ]


async def test_an_empty_company_can_be_deleted() -> None:
    assert await failed_checks(_context(Role.SUPERADMIN, ""), COMPANY) == []


@pytest.mark.parametrize(
    ("role", "company_id", "users", "hinders"),
    [
        (Role.COMPANY_ADMIN, "c1", 1, False),
        (Role.COMPANY_ADMIN, "c1", 2, True),
        (Role.SUPERADMIN, "", 1, True),
        (Role.SUPERADMIN, "c1", 1, True),
    ],
)
async def test_a_company_administrator_may_delete_the_company_as_its_last_user(
    role: Role, company_id: str, users: int, hinders: bool
) -> None:
    assert bool(await failed_checks(_context(role, company_id, list_users=users), COMPANY)) is hinders


async def test_what_cannot_be_counted_is_left_to_the_service() -> None:
    assert await failed_checks(_context(Role.SUPERADMIN, "", list_sites=-1, list_users=-1), COMPANY) == []


def test_a_refusal_lists_each_failed_check() -> None:
    problems = (Problem("sites", "", 2), Problem("subscriptions", "", 1))
    error = Refused("Not deleted.", status=403, code=403703, problems=problems)
    assert refused_checks(_context(Role.SUPERADMIN, ""), COMPANY, error) == [
        FailedCheck("the company has sites: 2", "s", "companies/c1/sites"),
        FailedCheck("the company has subscriptions besides the default one: 1", "b", "companies/c1/subscriptions"),
    ]


def test_a_refusal_without_checks_keeps_its_sentence() -> None:
    error = Refused("You do not manage this record.", status=403)
    assert refused_checks(_context(Role.SUPERADMIN, ""), COMPANY, error) == [
        FailedCheck("You do not manage this record.")
    ]


@pytest.mark.parametrize(
    ("role", "site_of", "allowed"),
    [
        (Role.SUPERADMIN, "c1", True),
        (Role.COMPANY_ADMIN, "own", True),
        (Role.COMPANY_ADMIN, "c1", False),
        (Role.BP_ADMIN, "c1", True),
        (Role.BP_ADMIN, "own", False),
        (Role.SUPPORT, "c1", False),
    ],
)
def test_roles_that_may_delete_a_visible_site(role: Role, site_of: str, allowed: bool) -> None:
    caller = Caller("u", frozenset({role}), "own")
    subject = BY_NAME["sites"].subject
    assert subject is not None
    found = decide(operation("delete_site").who, caller, subject({"id": "s", "companyId": site_of}, caller))
    assert bool(found) is allowed


@pytest.mark.parametrize(
    ("role", "company_id", "record", "allowed"),
    [
        (Role.BP_ADMIN, "bp", COMPANY, True),
        (Role.BP_ADMIN, "bp", {"id": "c1", "name": "a row of the list"}, True),
        (Role.BP_ADMIN, "vad", COMPANY, True),
        (Role.COMPANY_ADMIN, "c1", COMPANY, True),
        (Role.COMPANY_ADMIN, "other", COMPANY, False),
        (Role.SUPPORT, "", COMPANY, False),
        (Role.SUPERADMIN, "", COMPANY, True),
    ],
)
def test_roles_that_may_update_a_visible_company(role: Role, company_id: str, record: Any, allowed: bool) -> None:
    caller = Caller("u", frozenset({role}), company_id)
    assert COMPANIES.subject is not None
    assert bool(decide(operation("update_company").who, caller, COMPANIES.subject(record, caller))) is allowed
