"""Requests in the audit log: who sent them, from where, and what they did."""

from __future__ import annotations

from svc_tui.interface.access import Caller
from svc_tui.interface.operations import CSV, AnyOperation
from svc_tui.server.log_lines import current_request
from svc_tui.server.rules import AnyCall, Headers
from svc_tui.server.service import Service
from svc_tui.server.store.audit import Origin, act_as
from svc_tui.server.store.tables import Document

#: The entries of a directory: the report of an import has their numbers.
OF_IMPORTS = frozenset({"directory_entries"})


def request_origin(operation: AnyOperation, headers: Headers, service: Service) -> Origin:
    """The origin of the changes of a request. Its user is known later."""
    unrecorded = OF_IMPORTS if operation.takes == CSV else frozenset()
    return Origin(
        service.clock.now, operation.id, address=headers.address, request=current_request().id, unrecorded=unrecorded
    )


def note_actor(operation: AnyOperation, caller: Caller | None, user: Document, application: Document) -> None:
    """The caller of the request, with the roles that allow the operation."""
    if caller is not None:
        act_as(user, application, [role.value for role in operation.who.allowing(caller.roles)])


def record_performed(call: AnyCall) -> None:
    """Record an operation that changes something other than records, such as an image or the end of a session."""
    if call.operation.reads or call.caller is None or call.store.audit.recorded:
        return
    name = next((part for part in reversed(call.operation.parameters)), "")
    record_id = call.path.get(name, "") if name else call.user.id
    kind = "" if name and name != "userId" else "users"
    call.store.audit.performed("perform", kind=kind, record_id=record_id)
