"""The applications of users who leave: each keeps its owner, or gets the successor."""

from __future__ import annotations

from collections.abc import Mapping

from svc_tui.client.errors import ServiceError
from svc_tui.interface.access import Role, roles_of
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.changes.bulk import JobStep
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.changes.leaving import Holding, LeaveService, Leaving, listed, now_of, sequence
from svc_tui.workspace.kinds.registry import KINDS

#: The roles that set the owner of an application (2.6).
_OWNERS = {Role.SUPERADMIN, Role.APP_SUPERADMIN}


class ApplicationHoldings:
    """The applications that a user owns."""

    kinds: Mapping[str, str] = {"application": _("Application")}

    async def read(
        self, service: LeaveService, user: RecordData, successor: RecordData | None, unread: dict[str, str]
    ) -> list[Holding]:
        """The applications; proposed is that they go to the successor. ReadError."""
        query = {"ownerId": user["id"], "format": "small"}
        found = await listed(service, "list_applications", query, user, self.kinds["application"], unread)
        return [_application(service, each, successor) for each in found if each.get("state") != "deleted"]

    def step(self, service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
        """The request of a choice."""
        return _application_step(service, leaving, holding)

    def objections(self, leaving: Leaving) -> Mapping[str, str]:
        """None: they do not depend on each other."""
        return {}


def _application(service: LeaveService, record: RecordData, successor: RecordData | None) -> Holding:
    roles = service.caller.roles if service.caller else frozenset()
    if not _OWNERS & roles:
        note = _("only the roles superadmin and app_superadmin change owners")
    elif successor is None:
        note = _("needs a successor")
    elif Role.APP_ADMIN not in roles_of(map(str, successor.get("roles") or ()), None):
        note = _("the successor needs the role app_admin")
    else:
        note = ""
    choices, choice = (("keep",), "keep") if note else (("keep", "hand-over"), "hand-over")
    name = str(record.get("name") or record["id"])
    return Holding(kind="application", id=str(record["id"]), name=name, choices=choices, choice=choice, note=note)


def _application_step(service: LeaveService, leaving: Leaving, holding: Holding) -> JobStep:
    path, body = {"appId": holding.id}, {"ownerId": leaving.successor["id"]}
    before = {"id": holding.id, "ownerId": leaving.user["id"]}
    label = _("Owner of {name}").format(name=holding.name)
    undo = UndoEntry.of_update(label, KINDS["applications"], "update_application", path, body, before)
    # What an owner may do is no matter here: the role may do it with all applications, or it is not offered.
    step = JobStep(holding.id, path=path, body=body, operation_id="update_application", undo=undo)

    async def check() -> JobStep | None:
        record = await now_of(service, "get_application", path)
        if record is None or record.get("ownerId") == leaving.successor["id"]:
            return None
        if record.get("ownerId") != leaving.user["id"]:
            raise ServiceError(_("It has another owner by now."))
        return step

    return sequence([step], check)
