"""Companies as documents in the console: the plan of a document as a view, applied from there; export, comparison, and
a new company like another one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from svc_tui.console.core.actions import RECORDS, REPORT, Action
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.messages import Notice
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.save import SaveBox
from svc_tui.console.dialogs.text_editor import TextEditor
from svc_tui.console.shell.stage import StageScreen
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.files.downloads import first_path
from svc_tui.workspace.files.saved_files import reason_of, saved_file

if TYPE_CHECKING:
    from svc_tui.console.views import plan_view
else:
    # It loads the declarations and YAML, which a start does not need.
    plan_view = lazy_import("svc_tui.console.views.plan_view")

#: The place of a plan.
PLACE = Place(("plan",))


# --- what a user does in a plan ----------------------------------------------------------------------------------


def _frame(context: Context) -> StageScreen:
    if not isinstance(context.stage, StageScreen):
        raise TypeError("plans are shown by the console only")
    return context.stage


async def plan(frame: StageScreen, file: str) -> None:
    """`:plan FILE`: show what a document would change."""
    chosen: Path | None = Path(file)
    if not file:
        chosen = await frame.ask(_FileBox(_("Plan of a document")))
    if chosen is not None:
        path = expanded(chosen)
        await frame.show(plan_view.of_file(path, frame.workspace))


class _FileBox(PathBox[Path]):
    """Returns the path of a document."""

    ENDINGS = (".yaml", ".yml")

    def __init__(self, title: str) -> None:
        super().__init__(title, _("A YAML file, as the export of a company writes it."))

    async def take(self, path: str) -> None:
        self.dismiss(expanded(Path(path)))


def in_plan(context: Context) -> bool:
    """Whether a plan is on top."""
    return context.view.place == PLACE


async def open_step(context: Context) -> None:
    """Open the record that the selected step changes, or show the request that creates it."""
    step = context.require_view(plan_view.PlanView).step
    if step is None:
        return
    place = plan_view.place_of(step)
    if place is not None:
        await context.stage.open(place)
        return
    content = [f"{step.operation_id} {json.dumps(step.path)}" if step.path else step.operation_id]
    content.append(json.dumps(step.body or {}, indent=2, ensure_ascii=False))
    await context.stage.ask(
        Notice(f"{plan_view.SIGNS[step.effect]} {step.name}", "\n".join([*content, step.refusal]).strip())
    )


async def _filter(context: Context) -> None:
    view = context.require_view(plan_view.PlanView)
    text = await context.stage.ask(LineBox(_("Filter the plan"), _("a part of any value"), start=view.filter_text))
    if text is not None:
        view.filter_text = text
        view.draw()
        view.home()
        view.notify_changed()


def _cannot_apply(context: Context) -> str:
    view = context.require_view(plan_view.PlanView)
    if view.applying:
        return _("the plan is being applied")
    if view.plan is None or not view.plan.steps:
        return _("there is nothing to do")
    if any(step.outcome for step in view.plan.steps):
        return _("this plan was applied: plan again first")
    return ""


async def _apply(context: Context) -> None:
    view = context.require_view(plan_view.PlanView)
    if view.plan is None:
        return
    steps = view.plan.steps
    removed = [step.name for step in steps if step.effect == "remove"]
    choices = [Choice("apply", _("Apply {changes}").format(changes=counted(len(steps) - len(removed), "change")))]
    if removed:
        text = _("Apply {changes}, and remove what is left over").format(changes=counted(len(steps), "change"))
        choices.append(Choice("prune", text, ", ".join(removed)))
    chosen = await context.stage.ask(Picker(view.crumb, choices))
    if chosen:
        view.apply(prune=chosen == "prune")


# --- what a user does with a company -----------------------------------------------------------------------------


async def _document(context: Context) -> None:
    """Export the company, compare it with a file, or begin another one like it."""
    company = context.require_record()
    name = str(company.get("name") or company["id"])
    choices = (
        Choice("export", _("Export as a document")),
        Choice("compare", _("Compare with a file")),
        Choice("like", _("New company like this, with what it has")),
    )
    chosen = await context.stage.ask(Picker(name, choices))
    frame = _frame(context)
    try:
        if chosen == "export":
            await _export(frame, company)
        elif chosen == "compare":
            await _compare(frame, company)
        elif chosen == "like":
            await _like(frame, company)
    except ReadError as error:
        frame.show_message(error.sentence, "bad")


async def _read(frame: StageScreen, company: RecordData) -> RecordData:
    """The company with all fields. ReadError."""
    found = await frame.workspace.read("get_company", {"companyId": str(company["id"])}, {"format": "full"})
    return found.get("data") or company


async def _export(frame: StageScreen, company: RecordData) -> None:
    target = await frame.ask(SaveBox(_("Export as a document"), first_path(str(company.get("name") or ""), ".yaml")))
    if target is None:
        return
    frame.show_message(_("Reading…"), "accent")
    lines = plan_view.exported(frame.workspace, await _read(frame, company))
    text = "\n".join([line async for line in lines]) + "\n"
    file = expanded(target.path)
    try:
        with saved_file(file, overwrite=target.overwrite) as saved:
            saved.write(text.encode())
    except OSError as error:
        sentence = _("{file} cannot be written: {reason}. Nothing was exported.")
        frame.show_message(sentence.format(file=file, reason=reason_of(error)), "bad")
    else:
        frame.show_message(_("Exported to {file}. `:plan` shows what differs.").format(file=file), "ok")


async def _compare(frame: StageScreen, company: RecordData) -> None:
    path = await frame.ask(_FileBox(_("Compare with a file")))
    if path is None:
        return
    await frame.show(plan_view.of_file(path, frame.workspace, await _read(frame, company)))


async def _like(frame: StageScreen, company: RecordData) -> None:
    frame.show_message(_("Reading…"), "accent")
    model = await plan_view.model_of(frame.workspace, await _read(frame, company))
    frame.show_message("")
    title = _("New company like {name}").format(name=company.get("name"))
    hint = _("A user, number or device without a new value is left out.")
    text = await frame.ask(
        TextEditor(title, plan_view.questions(model), hint, lambda text: plan_view.fault(model, text))
    )
    if text is not None:
        await frame.show(plan_view.like(title, model, text, frame.workspace))


def files(frame: StageScreen) -> Sequence[str]:
    """The documents in the current folder."""
    return sorted(str(path) for path in Path().glob("*.y*ml"))


ACTIONS: tuple[Action, ...] = (
    Action(
        name="plan.filter",
        keys=("/",),
        label="Filter",
        help="Show the lines of the plan with a text",
        run=_filter,
        group="Plan",
        views=REPORT,
        belongs=in_plan,
        footer=20,
    ),
    Action(
        name="plan.apply",
        keys=("A",),
        label="Apply",
        help="Do the steps of the plan",
        run=_apply,
        group="Plan",
        views=REPORT,
        operation="update_company",
        possible=_cannot_apply,
        belongs=in_plan,
        footer=30,
    ),
    Action(
        name="companies.document",
        keys=("w",),
        label="Document",
        help="Export the company as a document, compare it with one, or begin another like it",
        run=_document,
        group="Change",
        views=RECORDS,
        resource="companies",
        needs="record",
    ),
)
