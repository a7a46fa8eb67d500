"""The preview that stands before every write: fields old -> new, the exact request, how far it reaches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from textual import work
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.dialog_keys import CLOSE, DOWN, PAGE_DOWN, PAGE_UP, UP
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, confirming, plain
from svc_tui.console.terminal.text import shown
from svc_tui.interface.catalogue import operation

if TYPE_CHECKING:
    from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome

#: Cells of a line inside the box.
_WIDTH = 71
#: What is said of a purchase before it has been looked at.
NO_ANSWER = "No answer came: nobody knows yet whether it was done."
NOTHING_LOST = "Nothing that you typed is lost: {close} goes back."
Send = Callable[[Change], Awaitable[Mapping[str, Any]]]
#: Finds out what became of a change that got no answer; None where nothing is in doubt.
Look = Callable[[Change], Awaitable["VerifiedOutcome | None"]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the answer's body, or the error that the service gave; `found`: no answer came, and looking
    at the service told."""

    answer: Mapping[str, Any] | None = None
    error: Exception | None = None
    found: str = ""


class Preview(Box[Outcome]):
    """Shows a change and sends it. None when it was not sent; a refusal stays readable here and in the form."""

    DEFAULT_CSS = """
    Preview .fields { height: auto; scrollbar-size-vertical: 1; }
    Preview .request { color: $text-muted; height: auto; scrollbar-size-vertical: 1; }
    Preview #reach { text-style: bold; }
    Preview #warning { color: $warning; }
    """

    KEYS = (
        DialogKey("preview.send", ("enter",), "Send", "Send the change, once its name is typed where that is asked"),
        *(key.labelled("Scroll") for key in (UP, DOWN)),
        PAGE_UP,
        PAGE_DOWN,
        CLOSE.labelled("Back"),
    )

    def __init__(self, change: Change, send: Send, look: Look | None = None) -> None:
        super().__init__(change.label)
        self.change = change
        self._send, self._look = send, look
        self._sending = False
        self._outcome: Outcome | None = None

    def body(self) -> Iterable[Widget]:
        change = self.change
        if change.fields:
            with_arrow = [_arrow(item.label, item.old, item.new) for item in change.fields]
            yield VerticalScroll(Static(Content("\n").join(with_arrow)), classes="fields")
        yield VerticalScroll(plain(change.request()), classes="request")
        if change.reach:
            yield plain(change.reach, id="reach")
        if change.warning:
            yield plain(change.warning, id="warning")
        if replaced := operation(change.operation).deprecated:
            yield plain(f"Deprecated: {replaced} took its place.")
        if change.confirm:
            wanted = shown(change.confirm).text.strip() or "its id"
            yield confirming(f"type {wanted} to confirm")
        yield plain("", id="trouble", classes="trouble")

    def on_resize(self) -> None:
        """Fields and request share what the other lines leave, the fields first."""
        room = max(5, self.size.height - 8 - bool(self.change.confirm) - 2 * bool(self.change.warning))
        request = min(self.change.request().count("\n") + 1, max(2, room // 3))
        for part in self.query(".fields"):
            part.styles.max_height = max(3, room - request)
        # Long values fold. What they take beyond their share must not push the keys out of the box.
        width = min(_WIDTH, self.size.width - 8)
        lines = sum(len(wrap(_plainly(item), width, break_on_hyphens=False)) for item in self.change.fields)
        fields = min(lines, room - request)
        self.query_one(".request").styles.max_height = max(2, room - fields)

    def on_mount(self) -> None:
        if self.change.confirm:
            self.query_one("#confirm", Input).focus()
        else:
            self.set_focus(None)

    def keys_now(self) -> Sequence[DialogKey]:
        if self._sending:
            return ()
        if self._outcome is not None:
            return (CLOSE if self._outcome.answer else CLOSE.labelled("Back"),)
        return self.KEYS

    def hint_now(self) -> str:
        if self._sending:
            return "sending…"
        return "type the name, then" if self.change.confirm and self._outcome is None else ""

    def action_send(self) -> None:
        if not self.change.confirm or self._is_confirmed(self.query_one("#confirm", Input).value):
            self._begin()
        else:
            self._say("That is not the name.")

    def move(self, by: int) -> None:
        """Scroll what does not fit, both parts alike."""
        for part in self.query(VerticalScroll):
            part.scroll_relative(y=by, animate=False)

    def page(self, by: int) -> None:
        self.move(5 * by)

    def _is_confirmed(self, typed: str) -> bool:
        """The name as it is, as it is drawn, or the id: blanks around it do not matter, a blank name has its id."""
        name = self.change.confirm
        accepted = {name.strip(), shown(name).text.strip(), *self.change.path.values()} - {""}
        return typed.strip() in accepted

    def _begin(self) -> None:
        if not self._sending and self._outcome is None:
            self._sending = True
            self.show_keys()
            self._perform()

    @work(exit_on_error=False, group="send")
    async def _perform(self) -> None:
        try:
            answer = await self._send(self.change)
        except Exception as error:
            self._outcome = await self._after(error)
            self._sending = False
            self.show_keys()
            return
        self.dismiss(Outcome(answer=answer))

    async def _after(self, error: Exception) -> Outcome:
        """What came of a change that was refused or got no answer. It is never sent again from here."""
        sentence = self._sentence(error)
        found = await self._found(error, sentence)
        if found is not None:
            sentence = found.sentence if found.done is not None else f"{NO_ANSWER}\n{found.sentence}"
            if found.done:
                self._say(sentence)
                return Outcome(answer={"data": found.record}, found=found.sentence)
        self._say(f"{sentence}\n{self.with_keys(NOTHING_LOST)}")
        return Outcome(error=error, found=found.sentence if found else "")

    async def _found(self, error: Exception, sentence: str) -> VerifiedOutcome | None:
        from svc_tui.client.errors import OutcomeUnknown

        if self._look is None or not isinstance(error, OutcomeUnknown) or not self.change.costs:
            return None
        self._say(f"{NO_ANSWER}\nLooking at the service whether it was done…")
        try:
            return await self._look(self.change)
        except Exception as trouble:
            self._say(f"{sentence}\n{self._sentence(trouble)}")
            return None

    def _sentence(self, error: Exception) -> str:
        from svc_tui.client.errors import ServiceError

        return str(error) if isinstance(error, ServiceError) else host_of(self.app).report_internal_error(error)

    def _say(self, text: str) -> None:
        self.query_one("#trouble", Static).update(Content("\n".join(shown(line).text for line in text.split("\n"))))

    def action_close(self) -> None:
        if not self._sending:
            self.dismiss(self._outcome)


def _plainly(item: FieldChange) -> str:
    return f"{item.label}: {item.old} → {item.new}"


def _arrow(label: str, old: str, new: str) -> Content:
    return Content.assemble((f"{label}: ", "bold"), (old, "dim"), " → ", new)
