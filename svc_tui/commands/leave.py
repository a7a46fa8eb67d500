"""`svc-tui leave` and `svc-tui due`: what users hold who leave, and what of it is carried out when."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import date
from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands import event_loop, output, prompts
from svc_tui.commands.connection import connected
from svc_tui.commands.exits import CommandError, CommandExit, Exit, UsageError, print_message
from svc_tui.commands.options import Output, ProfileName
from svc_tui.commands.users.files import run_job
from svc_tui.console.shell.resources import AREAS
from svc_tui.interface.access import Role
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.changes import leaving
from svc_tui.workspace.changes.leaving import CHOICES, Holding, Leaving, Leavings, LeavingsError
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.core.service import ReadError, rows_of
from svc_tui.workspace.workspace import Workspace

_HOLDINGS = tuple(each for area in AREAS for each in area.holdings)
_KINDS = {kind: title for each in _HOLDINGS for kind, title in each.kinds.items()}
_COLUMNS = ("plan", "user", "day", "kind", "name", "choice", "outcome", "note")

Chosen = Annotated[
    list[str] | None, Parameter(negative="", show_default=False, consume_multiple=False, help="Kind, name or ID.")
]
Yes = Annotated[bool, Parameter(name="--yes", negative="", show_default=False, help="Carry it out without asking.")]


class LeftOver(CommandError):
    """Nothing was sent, because choices are not possible or nothing confirms them."""

    code = Exit.REFUSED


def leave(
    *users: Annotated[str, Parameter(help="Login or ID of a user; several for several users.")],
    successor: Annotated[
        str, Parameter(show_default=False, help="Login or ID of the user who gets what is handed over.")
    ] = "",
    keep: Chosen = None,
    free: Chosen = None,
    hand_over: Chosen = None,
    on: Annotated[str, Parameter(show_default=False, help="Day on which it is due, such as 2027-01-31.")] = "",
    dry_run: Annotated[
        bool, Parameter(name="--dry-run", negative="", show_default=False, help="List only; change nothing.")
    ] = False,
    yes: Yes = False,
    output: Output = None,
    profile: ProfileName = "",
) -> int:
    """Keep, free or hand over what users hold who leave."""
    if not users:
        raise UsageError(_("Name a user by login or ID."))
    choices = {"keep": keep or [], "free": free or [], "hand-over": hand_over or []}
    return event_loop.run(_leave(users, successor, choices, on, dry_run, yes, output, profile))


def due(
    *,
    all: Annotated[
        bool, Parameter(negative="", show_default=False, help="List all plans, also those that have ended.")
    ] = False,
    cancel: Annotated[str, Parameter(show_default=False, help="Forget the plan with this ID.")] = "",
    yes: Yes = False,
    output: Output = None,
    profile: ProfileName = "",
) -> int:
    """List and carry out what is due for users who leave."""
    return event_loop.run(_due(all, cancel, yes, output, profile))


async def _leave(
    users: Sequence[str],
    successor: str,
    choices: dict[str, list[str]],
    on: str,
    dry_run: bool,
    yes: bool,
    format: output.Format | None,
    profile: str,
) -> int:
    async with opened_workspace(profile) as workspace:
        day = _day(on, leaving.today(workspace))
        store = Leavings(workspace.folders.data_of(workspace.profile.name))
        store.read()
        heir = await _user(workspace, successor) if successor else None
        plans, unread = [], dict[str, str]()
        for each in [await _user(workspace, name) for name in dict.fromkeys(users)]:
            _check_successor(each, heir)
            found, missing = await leaving.plan(workspace, _HOLDINGS, each, heir, day.isoformat())
            plans.append(found)
            unread |= missing
        plans = _chosen(plans, choices)
        wrong = {f"{each.id} {key}": text for each in plans for key, text in _objections(each).items()}
        _write(plans, output.format_or_default(format), wrong)
        for title, reason in unread.items():
            print_message(_("Not included: {title}, because {reason}.").format(title=title, reason=reason.rstrip(".")))
        if wrong:
            raise LeftOver(_("Nothing was sent: choices that cannot be are named in their notes."))
        if dry_run:
            return Exit.DONE
        if day > leaving.today(workspace):
            store.add(plans)
            print_message(_("Planned for {day}: `svc-tui due` carries it out on that day or later.").format(day=day))
            return Exit.DONE
        if not any(each.left for each in plans):
            print_message(_("Nothing to carry out."))
            return Exit.DONE
        _confirm(plans, yes)
        store.add(plans)
        return await _carry_out(workspace, store, plans)


async def _due(all: bool, cancel: str, yes: bool, format: output.Format | None, profile: str) -> int:
    async with opened_workspace(profile) as workspace:
        store = Leavings(workspace.folders.data_of(workspace.profile.name))
        if cancel:
            if not store.remove(cancel):
                raise UsageError(_("No open plan has the ID {id}. `svc-tui due --all` lists them.").format(id=cancel))
            print_message(_("Cancelled: {id}").format(id=cancel))
            return Exit.DONE
        plans = store.due(leaving.today(workspace))
        _write(store.read() if all else plans, output.format_or_default(format), {})
        if all:
            return Exit.DONE
        if not plans:
            print_message(_("Nothing is due."))
            return Exit.DONE
        if not yes and not prompts.interactive():
            print_message(_("{users} due; --yes carries it out.").format(users=counted(len(plans), "user")))
            return Exit.CHANGES
        _confirm(plans, yes)
        return await _carry_out(workspace, store, plans)


@asynccontextmanager
async def opened_workspace(profile: str) -> AsyncIterator[Workspace]:
    """The workspace of a profile, whose changes the console can undo. CommandExit for what cannot be read."""
    async with connected(profile) as client:
        workspace = Workspace(client.profile, folders())
        workspace.attach(client)
        try:
            yield workspace
        except ReadError as error:
            print_message(error.sentence)
            raise CommandExit(Exit.UNREACHABLE if error.offline else Exit.REFUSED) from error
        except LeavingsError as error:
            raise CommandError(str(error)) from None
        finally:
            await workspace.close()


def _day(text: str, today: date) -> date:
    try:
        day = date.fromisoformat(text) if text else today
    except ValueError:
        raise UsageError(_("{text} is no day: write it like 2027-01-31.").format(text=text)) from None
    if day < today:
        raise UsageError(_("{text} is past.").format(text=text))
    return day


async def _user(workspace: Workspace, name: str) -> RecordData:
    """The user with a login or an ID. UsageError for none. ReadError."""
    if "@" not in name:
        try:
            return dict((await workspace.read("get_user", {"userId": name}, {"format": "full"})).get("data") or {})
        except ReadError as error:
            if error.offline:
                raise
    query = {"loginEmail": name, "roles": ",".join([*(role.value for role in Role), "admin"]), "format": "full"}
    found = [user async for user in rows_of(workspace, "list_users", {}, query)]
    if not found:
        raise UsageError(_("No user has the login or ID “{name}”.").format(name=name))
    return found[0]


def _check_successor(user: RecordData, heir: RecordData | None) -> None:
    if heir is None:
        return
    if heir["id"] == user["id"]:
        raise UsageError(_("A user cannot be the own successor: {name}").format(name=leaving.name_of(user)))
    if heir.get("companyId") != user.get("companyId"):
        text = _("{heir} is a user of another company than {name}.")
        raise UsageError(text.format(heir=leaving.name_of(heir), name=leaving.name_of(user)))


def _chosen(plans: Sequence[Leaving], choices: dict[str, list[str]]) -> list[Leaving]:
    """The plans with the choices of the command line: of a kind, or of one holding, which counts more. UsageError."""
    held = [each for plan in plans for each in plan.holdings]
    found: dict[str, str] = {}
    for exactly in (False, True):
        for choice, names in choices.items():
            for name in names:
                fits = [each for each in held if _fits(each, name)]
                if not fits and name not in _KINDS:
                    known = ", ".join(_KINDS)
                    raise UsageError(
                        _("Nothing to choose for “{name}”: no kind ({kinds}), and no name or ID of a holding.").format(
                            name=name, kinds=known
                        )
                    )
                # A kind chooses for those of it that have the choice.
                found |= {
                    each.key: choice
                    for each in fits
                    if exactly == (name not in _KINDS) and (exactly or choice in each.choices)
                }
    return [each.choosing(found) for each in plans]


def _fits(holding: Holding, name: str) -> bool:
    plain = name.replace(" ", "").casefold()
    return name == holding.kind or plain in (holding.id.casefold(), holding.name.replace(" ", "").casefold())


def _objections(plan: Leaving) -> dict[str, str]:
    return leaving.objections(_HOLDINGS, plan)


def _write(plans: Iterable[Leaving], format: output.Format, wrong: dict[str, str]) -> None:
    rows = [
        {
            "plan": plan.id,
            "user": plan.user["loginEmail"],
            "day": plan.day,
            "kind": each.kind,
            "id": each.id,
            "name": each.name,
            "choice": each.choice,
            "choices": list(each.choices),
            "outcome": plan.results.get(each.key, {}).get("outcome", ""),
            "note": wrong.get(f"{plan.id} {each.key}") or plan.results.get(each.key, {}).get("reason") or each.note,
            "successor": plan.successor.get("loginEmail", ""),
            "when": plan.results.get(each.key, {}).get("when", ""),
        }
        for plan in plans
        for each in plan.holdings
    ]
    if format == "json":
        output.write_json(rows)
    elif format == "jsonl":
        for row in rows:
            output.write_text(f"{output.json_text(row, None)}\n")
    elif format == "csv":
        output.Csv([*_COLUMNS, "id", "successor", "when"]).write(rows)
    elif rows:
        # What does not change is not worth a column.
        columns = [name for name in _COLUMNS if any(row[name] for row in rows)]
        titles = [{**row, "choice": CHOICES[str(row["choice"])]} for row in rows]
        output.write_table(titles, columns)


def _confirm(plans: Sequence[Leaving], yes: bool) -> None:
    """Ask before anything is sent. LeftOver without a terminal; CommandExit when it is not confirmed."""
    if yes:
        return
    changes = counted(sum(len(each.left) for each in plans), "change")
    users = counted(len(plans), "user")
    if not prompts.interactive():
        raise LeftOver(
            _("{changes} of {users}: nothing was sent. --yes carries it out.").format(changes=changes, users=users)
        )
    answer = prompts.prompt_line(_("Carry out {changes} of {users}? [y/N] ").format(changes=changes, users=users))
    if answer.casefold() not in ("y", "yes"):
        print_message(_("Nothing was changed."))
        raise CommandExit(Exit.REFUSED)


async def _carry_out(workspace: Workspace, store: Leavings, plans: Sequence[Leaving]) -> int:
    job = leaving.job_of(workspace, _HOLDINGS, plans, store)
    job.dry_run()
    message = await run_job(job) if job.left else ""
    store.add_results(job.results, workspace.now())
    for each in job.results:
        if each.outcome not in ("done", "unchanged", "waiting"):
            print_message(f"{each.step.label}: {each.sentence}")
    left = sum(each.outcome not in ("done", "unchanged") for each in job.results)
    text = _("{done} done, {left} left over.") if left else _("{done} done.")
    print_message(text.format(done=job.count("done", "unchanged"), left=left))
    if message:
        print_message(_("{reason} `svc-tui due` continues.").format(reason=message))
        return Exit.UNREACHABLE
    if left:
        print_message(_("`svc-tui due` tries again what is left over; `svc-tui due --cancel ID` forgets it."))
    return Exit.REFUSED if left else Exit.DONE
