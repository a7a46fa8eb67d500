"""Users who leave: what they hold as a list with a choice for each, carried out now, or on a day when `:due` asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from svc_tui.console.core.actions import RECORDS, Action, find_action
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.shell.resources import AREAS, BY_NAME
from svc_tui.interface.access import Role
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.changes import leaving
from svc_tui.workspace.changes.leaving import CHOICES, Leaving, Leavings, LeavingsError
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.kinds.registry import KINDS

if TYPE_CHECKING:
    from svc_tui.console.shell.stage import StageScreen
    from svc_tui.workspace.workspace import Workspace

_HOLDINGS = tuple(each for area in AREAS for each in area.holdings)
_TITLES = {kind: title for each in _HOLDINGS for kind, title in each.kinds.items()}
#: The values of what is no holding: carry out now, on a day, and no successor.
_NOW, _DAY, _NONE = "now", "day", "none"
#: Most users in one answer of the search for a successor.
_SHOWN = 50


def _store(workspace: Workspace) -> Leavings:
    return Leavings(workspace.folders.data_of(workspace.profile.name))


async def leave(context: Context) -> None:
    """Choose a successor, and for everything that the users hold whether it goes there; carry it out, or plan it."""
    try:
        users = await _users(context)
        heir = await _successor(context, users)
        if heir is None:
            return
        day = leaving.today(context.workspace)
        plans, unread = [], dict[str, str]()
        for each in users:
            plan, missing = await leaving.plan(context.workspace, _HOLDINGS, each, heir or None, day.isoformat())
            plans.append(plan)
            unread |= missing
        await _choose(context, plans, unread)
    except ReadError as error:
        context.stage.show_message(error.sentence, "warn")
    except LeavingsError as error:
        context.stage.show_message(str(error), "bad")


async def _users(context: Context) -> list[RecordData]:
    """The marked users, or the one under the cursor, as they are now. ReadError."""
    ids = context.marked or (str(context.require_record()["id"]),)
    read = context.workspace.read
    return [(await read("get_user", {"userId": id}, {"format": "full"})).get("data") or {} for id in ids]


async def _successor(context: Context, users: Sequence[RecordData]) -> RecordData | None:
    """The chosen user, empty for none; None when it is cancelled. ReadError."""
    company, leaving_ids = users[0].get("companyId"), {each["id"] for each in users}
    roles = ",".join([*(role.value for role in Role), "admin"])

    async def search(text: str) -> Sequence[Choice]:
        query = {"companyId": company, "roles": roles, "limit": _SHOWN, "offset": 0, "format": "medium"}
        found = await context.workspace.read("list_users", {}, {**query, **({"displayName": text} if text else {})})
        none = [] if text else [Choice(_NONE, _("No successor"))]
        return none + [
            Choice(str(each["id"]), leaving.name_of(each), str(each.get("loginEmail") or ""))
            for each in found.get("data") or ()
            if each["id"] not in leaving_ids
        ]

    if any(each.get("companyId") != company for each in users):
        # A successor belongs to the company of who leaves.
        return {}
    chosen = await context.stage.ask(Picker(_("Successor"), search=search))
    if chosen is None or chosen == _NONE:
        return None if chosen is None else {}
    return (await context.workspace.read("get_user", {"userId": chosen}, {"format": "full"})).get("data") or {}


async def _choose(context: Context, plans: list[Leaving], unread: dict[str, str]) -> None:
    """Let each choice be changed, until it is carried out, planned or cancelled."""
    current = _NOW
    missing = ", ".join(unread)
    while True:
        wrong = {
            f"{each.id} {key}": text for each in plans for key, text in leaving.objections(_HOLDINGS, each).items()
        }
        left = counted(sum(len(each.left) for each in plans), "change")
        first = next(iter(wrong.values()), "")
        held = [(plan, each) for plan in plans for each in plan.holdings]
        several = len(plans) > 1
        choices = [
            Choice(_NOW, _("Carry out now: {changes}").format(changes=left), reason=first),
            Choice(_DAY, _("Carry out on a day to come"), reason=first),
            *(
                Choice(
                    f"{plan.id} {each.key}",
                    f"{CHOICES[each.choice]:<12} {_TITLES[each.kind]} {each.name}",
                    "  ".join(
                        part
                        for part in (
                            leaving.name_of(plan.user) if several else "",
                            wrong.get(f"{plan.id} {each.key}") or each.note,
                        )
                        if part
                    ),
                )
                for plan, each in held
            ),
        ]
        title = counted(len(plans), "user")
        names = leaving.name_of(plans[0].user) if not several else title
        without = _("   cannot be read: {names}").format(names=missing) if missing else ""
        chosen = await context.stage.ask(
            Picker(_("{name} leaves{without}").format(name=names, without=without), choices, current=current)
        )
        if chosen is None:
            return
        if chosen == _NOW:
            _store(context.workspace).add(plans)
            await _carry_out(context, plans)
            return
        if chosen == _DAY:
            if day := await _ask_day(context):
                _store(context.workspace).add(replace(each, day=day) for each in plans)
                text = _("Planned for {day}: `:due` carries it out on that day or later.")
                context.stage.show_message(text.format(day=day), "ok")
                return
            continue
        current = chosen
        plans = [_with_next(plan, chosen) for plan in plans]


def _with_next(plan: Leaving, chosen: str) -> Leaving:
    """The plan with the next choice of one of its holdings."""
    id, _space, key = chosen.partition(" ")
    if id != plan.id:
        return plan
    held = next(each for each in plan.holdings if each.key == key)
    at = held.choices.index(held.choice) + 1 if held.choice in held.choices else 0
    return plan.choosing({key: held.choices[at % len(held.choices)]})


async def _ask_day(context: Context) -> str | None:
    today = leaving.today(context.workspace)

    def problem(text: str) -> str:
        try:
            day = date.fromisoformat(text.strip())
        except ValueError:
            return _("{text} is no day: write it like 2027-01-31.").format(text=text)
        return "" if day > today else _("{text} is no day to come.").format(text=text)

    return await context.stage.ask(LineBox(_("Carry out on a day to come"), "2027-01-31", problem))


async def _carry_out(context: Context, plans: Sequence[Leaving]) -> None:
    """Carry plans out as a job. What was not tried at all is not planned either."""
    workspace, store = context.workspace, _store(context.workspace)
    job = leaving.job_of(workspace, _HOLDINGS, plans, store)
    action = replace(find_action(context, "users.leave"), label=_("Carry out"))
    changes = replace(BY_NAME["users"], kind=KINDS["users"], singular="change", plural="changes")
    await context.stage.ask(BulkBox(workspace.journal, action, changes, job, {}))
    if job.state in ("new", "checked") and all(not each.results for each in plans):
        for each in plans:
            store.remove(each.id)
        return
    store.add_results(job.results, workspace.now())
    show_result(context, action.label, job)


async def due(frame: StageScreen, login: str) -> None:
    """Carry out what is due, for one login or for all."""
    context = frame.context()
    if context is None:
        return
    try:
        plans = _store(frame.workspace).due(leaving.today(frame.workspace))
        chosen = [each for each in plans if login in ("", each.user["loginEmail"])]
        if not chosen:
            frame.show_message(_("Nothing is due."), "ok")
            return
        await _carry_out(context, chosen)
    except LeavingsError as error:
        frame.show_message(str(error), "bad")


def due_logins(frame: StageScreen) -> Sequence[str]:
    """The logins of the users for whom something is due."""
    try:
        return [each.user["loginEmail"] for each in _store(frame.workspace).due(leaving.today(frame.workspace))]
    except LeavingsError:
        return ()


ACTIONS: tuple[Action, ...] = (
    Action(
        name="users.leave",
        keys=("Q",),
        label="Leave",
        help="Keep, free or hand over everything that the user holds",
        run=leave,
        group="Change",
        views=RECORDS,
        resource="users",
        operation="update_user",
        needs="records",
    ),
)
