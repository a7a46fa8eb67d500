"""The dialog that tests a number: its routing by the CloudPBX, step by step, while it is typed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from textwrap import wrap

from textual import on, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.picker import SEARCH_PAUSE
from svc_tui.console.terminal.text import fit, safe_text
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.interface.texts import bare
from svc_tui.interface.voice.dialling import CallSettings, DialResult, Verdict, dial
from svc_tui.language import _

#: The subscriber of an internal number; None when unknown.
Who = Callable[[str], Awaitable[dict[str, str] | None]]

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


class TryNumber(Box[None]):
    """Shows the steps for a number. `who` looks up internal numbers, after a short pause."""

    DEFAULT_CSS = """
    TryNumber #verdict { text-style: bold; margin: 1 0 0 0; }
    TryNumber #steps { height: auto; }
    TryNumber #about { color: $text-muted; }
    """

    def __init__(self, title: str, exchange: CallSettings, who: Who, about: str) -> None:
        super().__init__(title)
        self._exchange, self._who, self._about = exchange, who, about

    def body(self) -> Iterable[Widget]:
        yield plain(self._about, id="about")
        yield LineInput(placeholder=_("number as dialled, for example 0 21 099 2001"), id="number")
        yield plain("", id="verdict")
        yield plain("", id="steps")

    def on_mount(self) -> None:
        self.query_one(Input).focus()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        number = bare(event.value)
        if not number:
            self._show(None)
            return
        treatment = dial(number, self._exchange)
        self._show(treatment)
        self._ask(number, treatment)

    @work(exclusive=True, group="who", exit_on_error=False)
    async def _ask(self, number: str, treatment: DialResult) -> None:
        """Look up the subscriber of an internal number, which decides the result of the call."""
        if treatment.verdict is not Verdict.INTERNAL:
            return
        await asyncio.sleep(SEARCH_PAUSE)
        people = await self._who(treatment.number)
        if people is not None:
            self._show(dial(number, replace(self._exchange, names=people)))

    def _show(self, treatment: DialResult | None) -> None:
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
