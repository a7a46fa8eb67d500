"""`svc-tui export company`, `plan`, `apply` and `drift`: a company as a document."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from svc_tui.client.api import Client
from svc_tui.commands import event_loop, output, prompts, report
from svc_tui.commands.connection import ClientService, UserService, connected
from svc_tui.commands.exits import CommandExit, Exit, UsageError, print_message
from svc_tui.commands.failures import describe
from svc_tui.commands.options import ProfileName
from svc_tui.interface.data import RecordData
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.interface.problems import why_not_settable
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded, folders
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.core.suggestions import suggestion
from svc_tui.workspace.files import (
    company_document,
    company_drift,
    company_export,
    company_plan,
    company_steps,
)
from svc_tui.workspace.files.company_document import Document
from svc_tui.workspace.files.company_steps import FieldChange, Plan, Step
from svc_tui.workspace.files.positioned_yaml import FaultyDocument
from svc_tui.workspace.files.saved_files import write_private
from svc_tui.workspace.users import company_users

app = App(name="export", version_flags=[], help_epilogue="", help=_("Write a company as a document."))
_SIGNS = {"create": "+", "update": "~", "remove": "-"}
#: Standard input, as the path of a document; the parser writes it for `-`.
_INPUT = Path("/dev/stdin")
_DONE = {"create": _("created"), "update": _("updated"), "remove": _("removed")}

Files = Annotated[
    tuple[Path, ...],
    Parameter(name="FILE", help="YAML file of `svc-tui export company`, or `-`; one or more."),
]
PlanOutput = Annotated[Literal["text", "json"], Parameter(name="--output", help="Output format.")]


@app.command
def company(
    name: Annotated[str, Parameter(help="ID or name of the company.")],
    /,
    *,
    output: Annotated[
        Path | None, Parameter(show_default=False, help="File to write. Default: standard output.")
    ] = None,
    only: Annotated[
        Literal["telephony"] | None,
        Parameter(show_default=False, help="Only who has which extension, numbers, devices."),
    ] = None,
    profile: ProfileName = "",
) -> None:
    """Write settings, users with their telephony, and the CloudPBX of a company as YAML, without secrets."""
    event_loop.run(_export(name, output, profile, telephony=only is not None))


@app.command
def schema() -> None:
    """Write the JSON Schema of documents, with which editors complete and check them."""
    output.write_json(company_export.schema())


def plan(files: Files, /, *, output: PlanOutput = "text", profile: ProfileName = "") -> int:
    """Show what documents would change. Nothing is sent."""
    _check(files)
    return event_loop.run(_show(files, output, profile))


def apply(
    files: Files,
    /,
    *,
    yes: Annotated[bool, Parameter(negative="", show_default=False, help="Do not ask; needs --plan.")] = False,
    plan: Annotated[str, Parameter(show_default=False, help="Do exactly the plan with this ID.")] = "",
    prune: Annotated[
        bool, Parameter(negative="", show_default=False, help="Remove what a list with `exactly:` does not name.")
    ] = False,
    profile: ProfileName = "",
) -> int:
    """Make companies as their documents say."""
    if yes and not plan:
        raise UsageError(_("--yes needs --plan ID, which `svc-tui plan` shows."))
    _check(files)
    return event_loop.run(_apply(files, yes, plan, prune, profile))


def drift(
    source: Annotated[str, Parameter(name="FILE", help="YAML file, `-`, or ID or name of a company.")],
    companies: Annotated[
        tuple[str, ...],
        Parameter(name="COMPANY", show_default=False, help="IDs or names. Default: the company of the file."),
    ] = (),
    /,
    *,
    group: Annotated[str, Parameter(show_default=False, help="Compare with all companies of this group.")] = "",
    only: Annotated[
        str, Parameter(show_default=False, help="Components, with commas: sites,users,telephony. Default: all.")
    ] = "",
    output: PlanOutput = "text",
    profile: ProfileName = "",
) -> int:
    """Show what differs between a document and companies, or between two companies."""
    chosen = [part.strip() for part in only.split(",") if part.strip()]
    for part in chosen:
        if part not in company_drift.CHOICES:
            hint = suggestion(part, company_drift.CHOICES, ", ".join(company_drift.CHOICES))
            raise UsageError(_("Unknown component “{name}”. {hint}").format(name=part, hint=hint))
    if group and companies:
        raise UsageError(_("Use --group or companies, not both."))
    path = Path(source)
    is_file = path == _INPUT or path.suffix in (".yaml", ".yml") or expanded(path).is_file()
    if not is_file and not companies and not group:
        raise UsageError(_("Name a second company, a group, or a file: a company alone is compared with nothing."))
    document = document_of(path) if is_file else None
    return event_loop.run(_drift(document, source, companies, group, chosen, output, profile))


class CompanyService(UserService):
    """The client, with the rights of its user."""

    def why_not_settable(self, spec: FieldSpec) -> str:
        return why_not_settable(spec, self.caller.roles)


async def _service(client: Client) -> CompanyService:
    return CompanyService(client, await client.users.get_own())


# --- export ------------------------------------------------------------------------------------------------------


async def _export(wanted: str, file: Path | None, profile: str, *, telephony: bool) -> None:
    async with connected(profile, read_only=True) as client:
        service = ClientService(client)
        try:
            found = await company_document.companies_named(service, wanted, wanted)
            lines = company_export.exported(service, _only_one(found, wanted), telephony=telephony)
            text = "\n".join([line async for line in lines]) + "\n"
        except ReadError as error:
            raise _cause(error) from None
    if file is None:
        output.write_text(text)
        return
    path = expanded(file)
    try:
        write_private(path, text)
    except OSError as error:
        raise UsageError(_("{path} cannot be written: {reason}.").format(path=path, reason=error.strerror)) from None
    print_message(_("Written: {path}").format(path=path))


def _only_one(found: Sequence[RecordData], wanted: str) -> RecordData:
    """The one company that was found. UsageError."""
    if len(found) > 1:
        ids = ", ".join(str(row["id"]) for row in found)
        raise UsageError(_("Several companies have the name “{name}”. Use an ID: {ids}").format(name=wanted, ids=ids))
    if not found:
        raise UsageError(_("No company has the ID or name “{name}”.").format(name=wanted))
    return found[0]


def _cause(error: ReadError) -> Exception:
    return error.__cause__ if isinstance(error.__cause__, Exception) else error


# --- plan and apply ----------------------------------------------------------------------------------------------


@cache
def _input() -> bytes:
    """Standard input to its end; a document is read twice."""
    return sys.stdin.buffer.read()


def _name(file: Path) -> str:
    return _("Standard input") if file == _INPUT else str(file)


def document_of(file: Path) -> Document:
    """The checked document of a file, or of standard input for `-`. UsageError with the place of each fault."""
    path = _name(expanded(file))
    try:
        return company_users.document_in(_input(), Path()) if file == _INPUT else company_users.document_at(Path(path))
    except UnicodeError:
        raise UsageError(_("{path} is not UTF-8 text.").format(path=path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(_("Cannot read {path}: {reason}.").format(path=path, reason=reason)) from None
    except FaultyDocument as faulty:
        raise UsageError("\n".join(f"{path}: {fault}" for fault in faulty.faults[:50])) from None


def _check(files: Sequence[Path]) -> None:
    """UsageError for the first faulty document, before anything is asked of the service. None of them is kept."""
    for file in files:
        document_of(file)


async def _planned(service: CompanyService, files: Sequence[Path], number: int) -> Plan | None:
    """The plan of the document with this number. Its file is read again: many together would not be small.

    None, with a message, when a read for one of several is refused.
    """
    part, prefix = [""], _part(files, number)
    document = document_of(files[number])
    try:
        async with event_loop.progress(lambda: f"{prefix}{part[0]}"):
            journals = folders().data / "imports"
            return await company_plan.planned(service, document, lambda text: part.__setitem__(0, text), journals)
    except ReadError as error:
        sentence, code = describe(_cause(error))
        if len(files) == 1 or code is not Exit.REFUSED:
            raise _cause(error) from None
    text = _("{file}: not planned. {part}: {reason}")
    print_message(text.format(file=_name(files[number]), part=part[0], reason=sentence))
    return None


def _part(files: Sequence[Path], number: int) -> str:
    """Which of several documents it is, before its progress."""
    return _("{number} of {documents}: ").format(number=number + 1, documents=len(files)) if len(files) > 1 else ""


def _id_of(plans: Sequence[str]) -> str:
    """The ID of one plan, or one for exactly these plans in this order; one that could not be made has none."""
    return plans[0] if len(plans) == 1 else hashlib.sha256("\n".join(plans).encode()).hexdigest()[:16]


async def _show(files: Sequence[Path], format: str, profile: str) -> int:
    exits, plans, wires = [], [], []
    async with connected(profile, read_only=True) as client:
        service = await _service(client)
        for number, file in enumerate(files):
            found = await _planned(service, files, number)
            if found is None:
                plans.append("")
                exits.append(Exit.REFUSED)
                continue
            if format == "json":
                wires.append({"file": str(file), **_wire(found)} if len(files) > 1 else _wire(found))
            else:
                _write_plan(found, file if len(files) > 1 else None)
            plans.append(found.id)
            exits.append(Exit.REFUSED if found.refused else Exit.CHANGES if found.steps else Exit.DONE)
    if format == "json":
        output.write_json(wires[0] if len(files) == 1 else {"id": _id_of(plans), "plans": wires})
    elif len(files) > 1:
        _write_together(plans)
    return next((code for code in (Exit.REFUSED, Exit.CHANGES) if code in exits), Exit.DONE)


def _wire(found: Plan) -> dict[str, Any]:
    """The plan for programs."""
    steps = [step.wire() for step in found.steps]
    return {"id": found.id, "company": found.company, "steps": steps, "unchecked": [*found.unchecked]}


def _write_steps(steps: Iterable[Step], indent: str = "") -> None:
    for step in steps:
        output.write_line(f"{indent}{_step_line(step)}")
        if step.effect == "update":
            for change in step.changes:
                output.write_line(f"{indent}    {_change_line(change)}")


def _write_together(plans: Sequence[str]) -> None:
    text = _("{documents} together: plan {id}")
    output.write_line(text.format(documents=counted(sum(map(bool, plans)), "document"), id=_id_of(plans)))


def _write_plan(found: Plan, file: Path | None) -> None:
    """Write a plan; with a file, as one of several."""
    if file is not None:
        output.write_line(f"{_name(file)}:")
    _write_steps(found.steps, "  " if file else "")
    counts = {effect: sum(step.effect == effect for step in found.steps) for effect in _SIGNS}
    if not found.steps:
        output.write_line(_("No changes."))
        return
    for sentence in found.unchecked:
        output.write_line(sentence)
    text = _("{create} to create, {update} to update, {remove} to remove, {refused} refused. Plan {id}")
    output.write_line(text.format(**counts, refused=len(found.refused), id=found.id))


def _step_line(step: Step) -> str:
    line = f"{_SIGNS[step.effect]} {step.component.name} {step.name}"
    if step.price:
        line = f"{line}  ({step.price.text})"
    return f"{line}  ! {step.refusal}" if step.refusal else line


def _change_line(change: FieldChange) -> str:
    before, after = (output.json_text(value, None) for value in (change.before, change.after))
    return f"{change.field}: {before} -> {after}"


async def _apply(files: Sequence[Path], yes: bool, wanted: str, prune: bool, profile: str) -> int:
    async with connected(profile) as client:
        service = await _service(client)
        changes, plans = False, []
        for number, file in enumerate(files):
            found = await _planned(service, files, number)
            if found is not None:
                _write_plan(found, file if len(files) > 1 else None)
                changes = changes or bool(found.steps)
            plans.append(found.id if found else "")
        code = Exit.DONE if all(plans) else Exit.REFUSED
        if len(files) > 1:
            _write_together(plans)
        id = _id_of(plans)
        if wanted and id != wanted:
            print_message(_("Nothing was sent: the plan is no longer {id}. Look at the new one.").format(id=wanted))
            return Exit.REFUSED
        if not changes:
            return code
        if not yes:
            if not prompts.interactive():
                raise UsageError(_("Nothing was sent. Use --yes --plan {id} to continue.").format(id=id))
            if prompts.prompt_line(_("Apply? [y/N] ")).casefold() not in ("y", "yes"):
                print_message(_("Nothing was sent."))
                raise CommandExit(Exit.REFUSED)
        if len(files) == 1 and found:
            return await _do(service, found, prune)
        for number, file in enumerate(files):
            # What was done for the documents before it can have changed it, and so can others.
            found = await _planned(service, files, number) if plans[number] else None
            if found is None:
                code = Exit.REFUSED
            elif found.id != plans[number]:
                text = _("{file}: not sent, its plan has changed. Look at the new one.")
                print_message(text.format(file=_name(file)))
                code = Exit.REFUSED
            elif found.steps:
                print_message(f"{_part(files, number)}{_name(file)}")
                code = await _do(service, found, prune) or code
        return code


async def _do(service: CompanyService, found: Plan, prune: bool) -> Exit:
    """Do the steps of a plan, and report them."""
    steps: list[Step] = []

    def amount() -> event_loop.Amount:
        total = len(found.steps)
        text = _("{done} of {steps}").format(done=len(steps), steps=counted(total, "step"))
        return len(steps), total, text, _("steps")

    async with event_loop.counting(amount) as line:
        async for step in company_steps.apply(service, found, prune=prune):
            steps.append(step)
            if step.outcome == "done":
                line.clear()
                print_message(f"{_DONE[step.effect]} {step.component.name} {step.name}")
    bad = [step for step in steps if step.outcome != "done"]
    for step in bad:
        print_message(f"{step.component.name} {step.name}: {step.outcome}. {step.sentence}")
    text = _("{done} of {steps} done.")
    print_message(text.format(done=len(steps) - len(bad), steps=counted(len(steps), "step")))
    return Exit.REFUSED if bad else Exit.DONE


# --- drift -------------------------------------------------------------------------------------------------------


async def _drift(
    document: Document | None,
    source: str,
    wanted: Sequence[str],
    group: str,
    only: Sequence[str],
    format: str,
    profile: str,
) -> int:
    found: list[company_drift.Drift] = []
    unread: list[ReadError] = []
    part = [""]
    async with connected(profile, read_only=True) as client:
        service = await _service(client)
        members = await report.members_of(client, group) if group else None
        try:
            every = await company_document.companies_named(service, "", "")
            companies = {str(row["id"]): row for row in every}
            own = document.company if document else None
            asked = [_only_one(company_document.named_among(every, word, word), word) for word in wanted]
            asked += [companies[id] for id in sorted(members or ()) if id in companies]
            if own and not asked and not group:
                asked = [_only_one(company_document.named_among(every, own.id, own.name), own.name or own.id)]
            if document is None:
                model = _only_one(company_document.named_among(every, source, source), source)
                document = await company_export.document_from(service, model, whole=True)
        except ReadError as error:
            raise _cause(error) from None
        async with event_loop.progress(lambda: part[0]):
            for company in asked:
                part[0] = str(company.get("name") or company["id"])
                try:
                    found.append(await company_drift.drift(service, document, company, only))
                except ReadError as error:
                    unread.append(error)
                    print_message(_("Not compared: {name}. {reason}").format(name=part[0], reason=error.sentence))
    if missing := len(members or ()) - len([id for id in members or () if id in companies]):
        print_message(
            _("Not compared: {companies}, not found.").format(companies=counted(missing, "company", "companies"))
        )
    if format == "json":
        output.write_json([each.wire() for each in found])
    else:
        _write_drift(found)
    if unread or missing:
        return Exit.UNREACHABLE if any(error.offline for error in unread) else Exit.REFUSED
    return Exit.CHANGES if any(each.steps for each in found) else Exit.DONE


def _write_drift(found: Sequence[company_drift.Drift]) -> None:
    for each in found:
        many = counted(len(each.steps), "difference") if each.steps else _("no differences")
        output.write_line(f"{each.company.get('name') or each.company['id']}: {many}")
        _write_steps(each.steps, "  ")
        if each.inherited:
            fields, text = ", ".join(each.inherited), _("  equal by the template {template}: {fields}")
            output.write_line(text.format(template=each.template, fields=fields))
