"""What a creation or update may set of an application (2.6): setters, dependencies, defaults, the owner, the name."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.access import Role
from svc_tui.interface.applications.records import ApplicationCreation, ApplicationSettings
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem, may_not_set
from svc_tui.interface.records import Record, field_by_wire, fields_of
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document

#: How use is counted where nobody said otherwise.
DEFAULT_KPI = "business"


def given(body: Record) -> Document:
    """The declared fields that were sent, as they are stored; null stands for 'none'. Unknown ones are left out."""
    known = field_by_wire(type(body))
    return {name: value for name, value in body.wire().items() if name in known}


def check_setters(call: Call[Any, Any], values: Document) -> None:
    """Refuse (403000) fields that the caller's roles may not set, each with the roles that may."""
    assert call.caller is not None
    body: type[Record] = type(call.body)
    specs = field_by_wire(body)
    problems = [
        Problem(wire, reason, None if specs[wire].facet.secret else value)
        for wire, value in values.items()
        if (reason := may_not_set(specs[wire], call.caller.roles))
    ]
    if problems:
        raise Refusal(Code.ROLE_MISSING, [problem.wire() for problem in problems])


def check_needs(model: type[Record], values: Document, application: Document) -> None:
    """Refuse (400000) fields that may be set only while another one of the resulting application has a value."""
    specs = field_by_wire(model)
    problems = [
        Problem(wire, str(needs), value)
        for wire, value in values.items()
        if value is not None and (needs := specs[wire].facet.needs) and not needs.met(application)
    ]
    if problems:
        raise invalid(*problems)


def defaults() -> Document:
    """What a new application has where nothing is given."""
    found = {spec.wire: spec.default for spec in fields_of(ApplicationSettings) if spec.default is not None}
    return {**found, "kpi": DEFAULT_KPI}


def merged(application: Document, values: Document) -> Document:
    """The application with these values; null brings back the default. Refusal 400000 for what must have a value."""
    changed = dict(application)
    for wire, value in values.items():
        if value is not None:
            changed[wire] = value
        elif wire == "ownerId" or (wire in _REQUIRED):
            raise invalid(Problem(wire, "must not be empty"))
        elif wire in defaults():
            changed[wire] = defaults()[wire]
        else:
            changed.pop(wire, None)
    return changed


_REQUIRED = frozenset(spec.wire for spec in fields_of(ApplicationCreation) if spec.required)


async def check_owner(store: Store, owner_id: str) -> None:
    """Refuse (400000) an owner who is no user with the role app_admin."""
    owner = await store.users.get(owner_id)
    if owner is None or owner.get("isTerminated") or Role.APP_ADMIN.value not in (owner.get("roles") or ()):
        raise invalid(Problem("ownerId", "must be a user with the role app_admin", owner_id))


async def check_name(store: Store, application: Document) -> None:
    """Refuse (409000) a name that another application of the same owner has; deleted ones count no more."""
    owner_id = str(application["ownerId"])
    # Two of the same name at once: the second one waits here, and then finds the first.
    await store.lock(f"applications of:{owner_id}")
    alike = await store.applications.find(Is("ownerId", owner_id), Is("name", application["name"]))
    for other in alike.documents:
        # The store's comparison ignores case.
        same = other["name"] == application["name"] and other["id"] != application["id"]
        if same and other.get("state") != "deleted":
            raise Refusal(Code.ALREADY_EXISTS, f"the owner has an application of this name: {other['id']}")
