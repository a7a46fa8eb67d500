"""Cases in the console: starting one, notes, the view of a case, and what it is copied and exported as."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from svc_tui.console.core.actions import READING, REPORT, Action
from svc_tui.console.core.case_steps import in_words
from svc_tui.console.core.places import FIND, HOME, InvalidLink, Link, Place
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.save import SaveBox
from svc_tui.console.shell.resources import BY_NAME, refused
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.views.sheet_view import WrappedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import moment
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.events import Event, SessionChanged
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files.cases import ENDING, MOST_TEXT, STEPS, Case, InvalidCase, Step, imported
from svc_tui.workspace.files.downloads import first_path
from svc_tui.workspace.files.saved_files import reason_of, saved_file
from svc_tui.workspace.workspace import Workspace

#: The steps that have a place.
_PLACED = ("view", "search", "finding")


class CaseView(WrappedView):
    """The steps of a case, as they are copied and exported: with personal data only after it was asked for.

    `read` returns the case as it is now. `is_own`: it is kept on this machine, not opened from a file.
    """

    kind = "report"
    LABEL, BESIDE = 24, 5

    def __init__(self, read: Callable[[], Case], workspace: Workspace, *, is_own: bool) -> None:
        super().__init__(Place(("case",)))
        self._read, self._workspace, self.is_own = read, workspace, is_own
        self.case = read()
        self.personal = False
        # The role decides which places can be opened.
        self._unsubscribe = workspace.subscribe(self._changed)

    def on_mount(self) -> None:
        if self.is_own:
            # What was done last is looked for first.
            self.call_after_refresh(self.end)

    def _changed(self, event: Event) -> None:
        if isinstance(event, SessionChanged):
            self.draw()

    def close(self) -> None:
        self._unsubscribe()

    @property
    def crumb(self) -> str:
        return _("Case {number}").format(number=self.case.number)

    @property
    def record(self) -> Mapping[str, Any] | None:
        return None

    def lines(self) -> Iterable[Line]:
        case = self.case
        yield Line("heading", label=_("Summary"))
        if case.subject:
            yield Line("field", _("Subject"), safe(case.subject))
        ended = moment(_iso(case.ended)) if case.ended else _("open")
        yield Line("field", _("Started"), moment(_iso(case.started)))
        yield Line("field", _("Ended"), ended)
        yield Line("field", _("Duration"), _("{minutes} min").format(minutes=case.minutes))
        yield Line("heading", label=_("Steps"))
        for number, step in enumerate(case.steps):
            label = f"{step.local[11:19]}  {STEPS[step.what]}"
            reason = self.why_closed(step)
            # What the user saw and did stands out between the requests.
            style = "dim" if step.what == "request" else ""
            text, *parts = map(safe, in_words(step, self.personal))
            yield Line("field", label, text, safe(reason), str(number), style=style, note_style="warn")
            yield from (Line("field", value=part, key=str(number)) for part in parts)

    @property
    def step(self) -> Step | None:
        """The selected step."""
        key = self.sheet.line.key if self.sheet.line is not None else ""
        return self.case.steps[int(key)] if key.isdigit() and int(key) < len(self.case.steps) else None

    def link_of(self, step: Step) -> Link | None:
        """The place of a view or a finding; None for another step, and for a place that cannot be read."""
        place = step.seen(self.personal).get("place")
        if step.what not in _PLACED or not isinstance(place, str):
            return None
        try:
            return Link.parse(place)
        except InvalidLink:
            return None

    def why_closed(self, step: Step) -> str:
        """Why the place of a view or a finding cannot be opened here; empty when it can, and for other steps."""
        if step.what not in _PLACED:
            return ""
        link = self.link_of(step)
        if link is None:
            return _("not a place of this console")
        if link.place.kind in (HOME, FIND):
            return ""
        kinds = link.place.parts[::2]
        if not kinds or any(kind not in BY_NAME for kind in kinds):
            return _("not a place of this console")
        return refused(BY_NAME[link.place.kind], self._workspace)

    def refresh_now(self) -> None:
        self.case = self._read()
        self.draw()
        self.notify_changed()

    def status(self) -> Sequence[Piece]:
        masks = _("   with personal data") if self.personal else _("   personal data is masked")
        return [
            Piece(f" {counted(len(self.case.steps), 'step')}"),
            Piece(masks if self.is_own else "", "warn" if self.personal else "dim"),
        ]


def _iso(at: float) -> str:
    return Step("", at).moment


# --- what a user does ------------------------------------------------------------------------------------------


async def _start_or_note(context: Context) -> None:
    """Start a case with one key; in an open one, the key asks for a note."""
    await start_or_note(_frame(context))


async def start_or_note(frame: StageScreen) -> None:
    """Start a case; in an open one, ask for a note."""
    if not frame.recorder.current:
        _start(frame, "")
        return
    text = await frame.ask(LineBox(_("Note for the case"), _("what was tried, said or found")))
    if text:
        _note(frame, text)


def _start(frame: StageScreen, subject: str) -> None:
    try:
        frame.recorder.start(subject[:MOST_TEXT])
    except OSError as error:
        frame.show_message(_("The case cannot be written: {reason}.").format(reason=reason_of(error)), "bad")
        return
    how = frame.registry.keys.sentence(_("{case} adds a note, `:case` shows it."))
    frame.show_message(_("A case is started. {how}").format(how=how), "ok")


def _note(frame: StageScreen, text: str) -> None:
    if not frame.recorder.current:
        _nothing_open(frame)
    elif frame.recorder.collect("note", {"text": text[:MOST_TEXT]}):
        frame.show_message(_("Noted. It is exported as it was typed."), "ok")
        _redraw(frame)


def _end(frame: StageScreen) -> None:
    number = frame.recorder.current
    if not number:
        _nothing_open(frame)
    elif frame.recorder.cases.end(number):
        frame.recorder.use("")
        frame.show_message(_("Case {number} is ended.").format(number=number), "ok")
        _redraw(frame)
    else:
        frame.show_message(frame.recorder.cases.error_message, "bad")


async def _delete(frame: StageScreen, number: str) -> None:
    number = number or frame.recorder.current
    if frame.recorder.cases.find(number) is None:
        _unknown(frame, number)
        return
    title = _("Delete case {number}?").format(number=number)
    if not await frame.ask(Question(title, _("Its steps and notes are removed."), yes=_("Delete"), no=_("Keep"))):
        return
    try:
        frame.recorder.cases.delete(number)
    except OSError as error:
        frame.show_message(_("Not deleted: {reason}.").format(reason=reason_of(error)), "bad")
        return
    if number == frame.recorder.current:
        frame.recorder.use("")
    if isinstance(frame.view, CaseView):
        await frame.back()
    frame.show_message(_("Case {number} is deleted.").format(number=number), "ok")


async def show(frame: StageScreen, number: str) -> None:
    """Show a case of this machine; an open one is collected from now on."""
    cases = frame.recorder.cases
    case = cases.find(number)
    if case is None:
        _unknown(frame, number)
        return
    if case.ended is None and number != frame.recorder.current:
        frame.recorder.use(number)
    await frame.show(CaseView(lambda: cases.find(number) or Case(number, ()), frame.workspace, is_own=True))


async def show_file(frame: StageScreen, file: str, *, replace: bool = False) -> str:
    """Show the case in a file; a sentence when it cannot be read."""
    try:
        case = imported(expanded(Path(file)))
    except InvalidCase as error:
        return str(error)
    await frame.show(CaseView(lambda: case, frame.workspace, is_own=False), replace=replace)
    return ""


def _unknown(frame: StageScreen, number: str) -> None:
    if number:
        known = ", ".join(case.number for case in frame.recorder.cases.all()[:5]) or _("none")
        text = _("There is no case {number}. Cases: {known}.").format(number=number, known=known)
        frame.show_message(text, "warn")
    else:
        _nothing_open(frame)


def _nothing_open(frame: StageScreen) -> None:
    frame.show_message(frame.registry.keys.sentence(_("No case is open. {case} starts one.")), "warn")


def _redraw(frame: StageScreen) -> None:
    if isinstance(frame.view, CaseView):
        frame.view.refresh_now()


def words(frame: StageScreen) -> Sequence[str]:
    """What can follow `:case`; nothing while no case is open."""
    if not frame.recorder.current:
        return ()
    return ("note", "new", "end", "delete", *(case.number for case in frame.recorder.cases.open()))


async def command(frame: StageScreen, text: str) -> None:
    """What follows `:case`: nothing, `new SUBJECT`, `note TEXT`, `end`, `delete`, the number of a case or a file."""
    word, __, rest = text.strip().partition(" ")
    if text.strip().endswith(ENDING):
        if reason := await show_file(frame, text.strip()):
            frame.show_message(reason, "warn")
    elif word == "new":
        _start(frame, rest.strip())
    elif word == "note":
        if rest.strip() or not frame.recorder.current:
            _note(frame, rest.strip())
        else:
            await start_or_note(frame)
    elif word == "end":
        _end(frame)
    elif word == "delete":
        await _delete(frame, rest.strip())
    else:
        await show(frame, word or frame.recorder.current)


# --- actions of the view ---------------------------------------------------------------------------------------


def _frame(context: Context) -> StageScreen:
    if not isinstance(context.stage, StageScreen):
        raise TypeError("cases are shown by the console only")
    return context.stage


def _in_case(context: Context) -> bool:
    return isinstance(context.view, CaseView)


def _in_own(context: Context) -> bool:
    return isinstance(context.view, CaseView) and context.view.is_own


def _no_place(context: Context) -> str:
    view = context.require_view(CaseView)
    if view.step is None or view.link_of(view.step) is None:
        return _("this step has no place")
    return view.why_closed(view.step)


async def _open_step(context: Context) -> None:
    view = context.require_view(CaseView)
    link = view.link_of(view.step) if view.step is not None else None
    if link is not None:
        await context.stage.open_link(link)


async def _copy(context: Context) -> None:
    view = context.require_view(CaseView)
    text = view.case.markdown(lambda step: "; ".join(in_words(step, view.personal)), personal=view.personal)
    await context.stage.copy(text, _("case"))


async def _copy_billing(context: Context) -> None:
    await context.stage.copy(context.require_view(CaseView).case.billing_line(), _("line for billing"))


def _personal(context: Context) -> None:
    view = context.require_view(CaseView)
    view.personal = not view.personal
    view.refresh_now()


async def _export(context: Context) -> None:
    view, stage = context.require_view(CaseView), context.stage
    title = _("Export the case with personal data") if view.personal else _("Export the case, notes as typed")
    target = await stage.ask(SaveBox(title, first_path(f"case-{view.case.number}", ENDING)))
    if target is None:
        return
    file = expanded(target.path)
    try:
        with saved_file(file, overwrite=target.overwrite) as saved:
            saved.write(view.case.exported(personal=view.personal))
    except OSError as error:
        text = _("{file} cannot be written: {reason}. Nothing was exported.")
        stage.show_message(text.format(file=file, reason=reason_of(error)), "bad")
    else:
        stage.show_message(_("Exported to {file}. `svc-tui open` shows it.").format(file=file), "ok")


ACTIONS = (
    Action(
        name="case",
        keys=("f6",),
        label="Case",
        help="Start a case, which collects what you do; in an open one, add a note",
        run=_start_or_note,
        group="Go",
        views=READING,
    ),
    Action(
        name="open_step",
        keys=("o",),
        label="Open",
        help="Open the place of this step",
        run=_open_step,
        group="Case",
        views=REPORT,
        possible=_no_place,
        belongs=_in_case,
        footer=10,
    ),
    Action(
        name="copy_case",
        keys=("c",),
        label="Copy",
        help="Copy the case as Markdown for a ticket",
        run=_copy,
        group="Case",
        views=REPORT,
        belongs=_in_case,
        footer=20,
    ),
    Action(
        name="export_case",
        keys=("W",),
        label="Export",
        help="Export the case to a file for a colleague",
        run=_export,
        group="Case",
        views=REPORT,
        belongs=_in_case,
        footer=30,
    ),
    Action(
        name="case_personal",
        keys=("p",),
        label="Personal data",
        help="Show, copy and export personal data too, or mask it again",
        run=_personal,
        group="Case",
        views=REPORT,
        belongs=_in_own,
        footer=40,
    ),
    Action(
        name="copy_billing",
        keys=("B",),
        label="Copy for billing",
        help="Copy one CSV line with start, end and minutes",
        run=_copy_billing,
        group="Case",
        views=REPORT,
        belongs=_in_case,
        footer=50,
    ),
)
