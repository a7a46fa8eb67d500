"""The dialog that tests a number: its routing by the CloudPBX, step by step, while it is typed.

A number of the CloudPBX itself answers from its side: why it rings or not.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import TYPE_CHECKING

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.console.core.dialog_keys import CLOSE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.picker import SEARCH_PAUSE
from svc_tui.console.terminal.text import fit, safe_text
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.interface.texts import bare
from svc_tui.interface.voice.dialling import CallSettings, DialResult, Verdict, dial
from svc_tui.language import _
from svc_tui.workspace.voice import calls

if TYPE_CHECKING:
    from svc_tui.interface.voice import call_path, call_steps
    from svc_tui.workspace.core.service import Service


@dataclass(frozen=True, slots=True)
class Own:
    """A number or extension of the CloudPBX, with the name by which it was asked for."""

    called: call_steps.Called
    name: str


#: The subscriber of an internal number; None when unknown.
Who = Callable[[str], Awaitable[dict[str, str] | None]]
#: A number as one of the CloudPBX itself; None for another.
FindOwn = Callable[[str], Awaitable[Own | None]]

_SAID: dict[Verdict, tuple[str, str]] = {
    Verdict.INTERNAL: (_("is an internal call"), "$success"),
    Verdict.PEER: (_("goes to the peer"), "$success"),
    Verdict.UNASSIGNED: (_("is not assigned"), "$warning"),
    Verdict.OUTSIDE: (_("is an external call"), "$success"),
    Verdict.EMERGENCY: (_("is an emergency call"), "$success"),
    Verdict.SERVICE: (_("reaches a service"), "$success"),
    Verdict.SHORT_CODE: (_("is a short code"), "$success"),
    Verdict.BARRED: (_("is barred"), "$error"),
    Verdict.INCOMPLETE: (_("is incomplete"), "$warning"),
    Verdict.IMPOSSIBLE: (_("cannot be called"), "$error"),
}
_ABOUT_WIDTH = 17
FOLLOW = DialogKey(
    "number.follow", ("enter",), "Follow the call", "Follow a call to the number: at another time, with changes"
)


class TryNumber(Box[Own]):
    """Shows the steps for a number. `who` looks up internal numbers, after a short pause.

    Returns one of the CloudPBX's own numbers, to follow a call to it; `start` is that without a typed number.
    """

    KEYS = (FOLLOW, CLOSE)

    DEFAULT_CSS = """
    TryNumber #verdict { text-style: bold; margin: 1 0 0 0; }
    TryNumber #steps { height: auto; }
    TryNumber #about { color: $text-muted; }
    """

    def __init__(
        self,
        title: str,
        exchange: CallSettings,
        who: Who,
        own: FindOwn,
        service: Service,
        about: str,
        start: Own | None = None,
    ) -> None:
        super().__init__(title)
        self._exchange, self._who, self._own, self._about = exchange, who, own, about
        self._service, self._start, self._found = service, start, start
        #: What would happen to the number that was typed last.
        self.tested: DialResult | None = None

    def body(self) -> Iterable[Widget]:
        yield plain(self._about, id="about")
        yield LineInput(placeholder=_("number as dialled, for example 0 21 099 2001"), id="number")
        yield plain("", id="verdict")
        yield plain("", id="steps")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        self._look_up("", None)

    def current_keys(self) -> Sequence[DialogKey]:
        return self.KEYS if self._found is not None else (CLOSE,)

    def action_follow(self) -> None:
        """Follow the call to the number that is shown."""
        self.dismiss(self._found)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        number = bare(event.value)
        self._found = None if number else self._start
        self.show_keys()
        treatment = dial(number, self._exchange) if number else None
        self._show(treatment)
        self._look_up(number, treatment)

    @work(exclusive=True, group="own", exit_on_error=False)
    async def _look_up(self, number: str, treatment: DialResult | None) -> None:
        """Show the path of the call to a number of the CloudPBX's own, or look up the subscriber of another one."""
        if number:
            await asyncio.sleep(SEARCH_PAUSE)
            dialled = treatment.number if treatment is not None and treatment.number else number
            self._found = await self._own(dialled)
            self.show_keys()
        if self._found is not None:
            reader = calls.CallReader(self._service, self._found.called)
            await reader.load(lambda: self._show_path(reader.path()), lambda: None)
        elif treatment is not None:
            self._ask(number, treatment)

    def _show_path(self, path: call_path.CallPath) -> None:
        if self._found is None or not self.is_attached:
            return
        name = (
            ""
            if self._found is self._start
            else _("{number} is a number of your own. ").format(number=self._found.name)
        )
        self.query_one("#verdict", Static).update(Content(safe_text(name + path.verdict).text))
        room = max(20, self.query_one("#steps").size.width - _ABOUT_WIDTH)
        steps = (_step(step.about, f"{step.name}  {step.sentence}".strip(), room) for step in path.steps)
        self.query_one("#steps", Static).update(Content("\n").join(steps))

    @work(exclusive=True, group="who", exit_on_error=False)
    async def _ask(self, number: str, treatment: DialResult) -> None:
        """Look up the subscriber of an internal number, which decides the result of the call."""
        if treatment.verdict is not Verdict.INTERNAL:
            return
        people = await self._who(treatment.number)
        if people is not None:
            self._show(dial(number, replace(self._exchange, names=people)))

    def _show(self, treatment: DialResult | None) -> None:
        self.tested = treatment
        verdict, steps = Content(""), Content("")
        if treatment is not None:
            text, style = _SAID[treatment.verdict]
            verdict = Content.assemble(f"{safe_text(treatment.dialled).text} ", (text, style))
            room = max(20, self.query_one("#steps").size.width - _ABOUT_WIDTH)
            steps = Content("\n").join(_step(step.about, step.sentence, room) for step in treatment.steps)
        self.query_one("#verdict", Static).update(verdict)
        self.query_one("#steps", Static).update(steps)


def _step(about: str, sentence: str, room: int) -> Content:
    """The subject of a step, and its sentence beside it in as many lines as needed."""
    first, *more = wrap(safe_text(sentence).text, room) or [""]
    indented = "".join(f"\n{' ' * _ABOUT_WIDTH}{line}" for line in more)
    return Content.assemble((fit(about, _ABOUT_WIDTH), "dim"), first + indented)
