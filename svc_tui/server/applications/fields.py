"""Checks of the fields in a creation or update of an application (2.6): setters, dependencies, owner, name."""

from __future__ import annotations

from svc_tui.interface.access import Role
from svc_tui.interface.applications.records import TRUSTED, ApplicationCreation, ApplicationSettings
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import field_by_wire, fields_of
from svc_tui.interface.problems import Problem
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import with_values
from svc_tui.server.rules import AnyCall
from svc_tui.server.security.own_clients import has_name_of_own_client
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication, StoredUser

#: Default of `kpi`.
DEFAULT_KPI = "business"


def check_needs(model: type[Record], values: Document, application: StoredApplication) -> None:
    """Refuse (400000) fields that require a value of another field in the resulting application."""
    specs, resulting = field_by_wire(model), document_of(application)
    problems = [
        Problem(wire, str(needs), value)
        for wire, value in values.items()
        if value is not None and (needs := specs[wire].facet.needs) and not needs.met(resulting)
    ]
    if problems:
        raise invalid(*problems)


def defaults() -> Document:
    """The defaults of a new application."""
    values = {spec.wire: spec.default for spec in fields_of(ApplicationSettings) if spec.default is not None}
    return {**values, "oauthRedirectUris": [], "termsOfServiceUrl": [], "privacyPoliciesUrl": [], "kpi": DEFAULT_KPI}


def merged(application: StoredApplication, values: Document) -> StoredApplication:
    """The application with these values; null restores the default. Refusal 400000 for null in a required field."""
    changed = with_values(document_of(application), values, defaults=defaults(), required=_REQUIRED)
    return typed(StoredApplication, changed)


_REQUIRED = frozenset({"ownerId", *(spec.wire for spec in fields_of(ApplicationCreation) if spec.required)})


async def check_owner(store: Store, owner_id: str) -> None:
    """Refuse (400000) an owner without the role app_admin."""
    owner = typed(StoredUser, await store.users.get(owner_id))
    if owner is None or owner.is_terminated or Role.APP_ADMIN.value not in owner.roles:
        raise invalid(Problem("ownerId", "must be a user with the role app_admin", owner_id))


def lock_of_owner(id: str) -> str:
    """The lock on which applications an owner has."""
    return f"applications of:{id}"


async def keep_owner(store: Store, owner_id: str) -> None:
    """Refuse (400000) an owner who was deleted in this moment; until the end of this change the owner is not."""
    await store.lock(lock_of_owner(owner_id))
    owner = typed(StoredUser, await store.users.get(owner_id))
    if owner is None or owner.is_terminated:
        raise invalid(Problem("ownerId", "is not a user", owner_id))


async def check_name(store: Store, application: StoredApplication) -> None:
    """Refuse (409000) the name of another application of the same owner, unless that one is deleted, and names of the
    service's own clients."""
    # Of two simultaneous requests with the same name, the second waits here and then finds the first.
    await store.lock(lock_of_owner(application.owner_id))
    alike = await store.applications.find(Is("ownerId", application.owner_id), Is("name", application.name))
    for other in all_typed(StoredApplication, alike.documents):
        # The store's comparison ignores case.
        same = other.name == application.name and other.id != application.id
        if same and other.state != "deleted":
            raise Refusal(Code.ALREADY_EXISTS, f"the owner already has an application with this name: {other.id}")
    if await has_name_of_own_client(application, store):
        raise Refusal(Code.ALREADY_EXISTS, "one of the service's own clients has this name, or one that looks like it")


def check_built_in(call: AnyCall, application: StoredApplication, values: Document) -> None:
    """Refuse (403000) another name or address of a built-in client without the role superadmin: its logins end there
    without a confirmation, and no other application has its name."""
    present = document_of(application)
    changed = [wire for wire in TRUSTED if wire in values and values[wire] != present.get(wire)]
    if changed and application.is_svc_client_default and Role.SUPERADMIN not in call.known_caller.roles:
        reason = "needs superadmin, because the application is one of the service's own clients"
        raise Refusal(Code.ROLE_MISSING, [Problem(wire, reason, values[wire]).wire() for wire in changed])
