"""The preview before every write: fields old → new, the exact request, and how many records it affects."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from svc_tui.client.errors import OutcomeUnknown, ServiceError, Unreachable
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.dialog_keys import CLOSE, DOWN, PAGE_DOWN, PAGE_UP, UP
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.core.stage import host_of
from svc_tui.console.dialogs.box import Box, confirmation_hint, confirmation_input, plain
from svc_tui.console.dialogs.command_lines import CommandLines
from svc_tui.console.terminal.text import safe_text
from svc_tui.interface.catalogue import operation
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.workspace.changes.unconfirmed_writes import VerifiedOutcome

#: Columns of a line inside the dialog.
_WIDTH = 71
#: Lines of the border, of the keys, and of the empty line above them.
_FRAME = 4
#: Lines for fields and request together, below which an error takes their place.
_LEAST = 2
#: Lines kept for an error on a terminal with at least this height.
_ERROR, _ROOMY = 3, 20
#: The texts below the request.
_TEXTS = ("#reach", "#warning", "#deprecated", "#error")
COMMAND = DialogKey("preview.command", ("ctrl+y",), "Command", "Copy the command that sends this request")
#: Shown while the outcome of a purchase is checked.
NO_RESPONSE = _("No response: the outcome is unknown.")
NOTHING_LOST = _("Your input is kept: {close} goes back.")
Send = Callable[[Change], Awaitable[Mapping[str, Any]]]
#: Finds out whether a change without a response took effect; None when its outcome is known.
CheckOutcome = Callable[[Change], Awaitable["VerifiedOutcome | None"]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The response, or the error of the service. `found` is the result of the check after a missing response."""

    answer: Mapping[str, Any] | None = None
    error: Exception | None = None
    found: str = ""


class Preview(Box[Outcome]):
    """Shows a change and sends it; returns None when it was not sent. A refusal stays visible here and in the form."""

    DEFAULT_CSS = """
    Preview .fields { height: auto; scrollbar-size-vertical: 1; }
    Preview .request { color: $text-muted; height: auto; scrollbar-size-vertical: 1; }
    Preview #reach { text-style: bold; }
    Preview #warning { color: $warning; }
    """

    KEYS = (
        DialogKey("preview.send", ("enter",), "Send", "Send the change"),
        *(key.labelled(_("Scroll")) for key in (UP, DOWN)),
        PAGE_UP,
        PAGE_DOWN,
        COMMAND,
        CLOSE.labelled(_("Back")),
    )

    def __init__(self, change: Change, send: Send, check: CheckOutcome | None = None) -> None:
        super().__init__(change.label)
        self.change = change
        self._send, self._check = send, check
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
            yield plain(_("Deprecated: replaced by {replaced}.").format(replaced=replaced), id="deprecated")
        if change.confirm:
            requested = safe_text(change.confirm).text.strip() or _("its ID")
            yield confirmation_input(_("Type {requested} to confirm").format(requested=requested))
        yield plain("", id="error", classes="error")

    def on_resize(self) -> None:
        self._share_room()

    def show_error(self, text: str) -> None:
        super().show_error(text)
        self._share_room()

    def _share_room(self) -> None:
        """Share the lines between fields and request, the fields first, so that the key line stays in the dialog.

        On a small terminal, an error takes the place of the texts above it.
        """
        height, width = self.size.height, max(1, min(_WIDTH, self.size.width * 98 // 100 - 5))
        texts = {name: _lines(str(each.render()), width) for name in _TEXTS for each in self.query(name)}
        error = texts.pop("#error", 0)
        free = height - _FRAME - bool(self.change.confirm) - error
        fits = free - sum(texts.values()) >= _LEAST or not error
        for name in texts:
            self.query_one(name).display = fits
        room = free - (sum(texts.values()) if fits else 0)
        if height >= _ROOMY:
            room -= max(0, _ERROR - error)
        parts = self.query(VerticalScroll)
        for part in parts:
            part.display = room >= _LEAST or not error
        room = max(len(parts), room)
        request = min(self.change.request().count("\n") + 1, max(1, room // 3))
        for listed in self.query(".fields"):
            listed.styles.max_height = max(1, room - request)
        # Long values wrap. More than fits is not measured.
        values = (_as_text(item)[: room * width] for item in self.change.fields)
        fields = min(sum(_lines(value, width) for value in values), room - request)
        self.query_one(".request").styles.max_height = max(1, room - fields)

    def on_mount(self) -> None:
        if self.change.confirm:
            self.query_one("#confirm", Input).focus()
        else:
            self.set_focus(None)

    def current_keys(self) -> Sequence[DialogKey]:
        if self._sending:
            return ()
        if self._outcome is not None:
            return (CLOSE if self._outcome.answer else CLOSE.labelled(_("Back")),)
        return self.KEYS

    @property
    def loss(self) -> str:
        return _("A change is being sent. Its outcome would not be known.") if self._sending else ""

    def hint_now(self) -> str:
        if self._sending:
            return _("Sending…")
        if not self.change.confirm or self._outcome is not None:
            return ""
        # The key line is made before the input.
        typed = "".join(each.value for each in self.query("#confirm").results(Input))
        return confirmation_hint(typed, self._accepted) or _("type the name, then")

    @on(Input.Changed, "#confirm")
    def _confirmation_typed(self) -> None:
        self.show_keys()

    def action_send(self) -> None:
        if not self.change.confirm or self.query_one("#confirm", Input).value.strip() in self._accepted:
            self._begin()
        else:
            self.show_error(_("The name does not match."))

    async def action_command(self) -> None:
        lines = [host_of(self.app).command(call) for call in self.change.calls]
        await self.app.push_screen(CommandLines(lines))

    def move(self, by: int) -> None:
        """Scroll fields and request together."""
        for part in self.query(VerticalScroll):
            part.scroll_relative(y=by, animate=False)

    def page(self, by: int) -> None:
        self.move(5 * by)

    @property
    def _accepted(self) -> set[str]:
        """What confirms the change: the name, the name as drawn, or the ID."""
        name = self.change.confirm
        return {name.strip(), safe_text(name).text.strip(), *self.change.path.values()} - {""}

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
            self._outcome = await self._outcome_after(error)
            self._sending = False
            self.show_keys()
            return
        self.dismiss(Outcome(answer=answer))

    async def _outcome_after(self, error: Exception) -> Outcome:
        """The outcome of a change that was refused or got no response. It is never sent again from here."""
        sentence = self._sentence(error)
        found = await self._check_result(error, sentence)
        if found is not None:
            sentence = found.sentence if found.done is not None else f"{NO_RESPONSE}\n{found.sentence}"
            if found.done:
                self.show_error(sentence)
                return Outcome(answer={"data": found.record}, found=found.sentence)
        unchanged = [_("Nothing was changed.")] if isinstance(error, Unreachable) else []
        self.show_error("\n".join((sentence, *unchanged, self.with_keys(NOTHING_LOST))))
        return Outcome(error=error, found=found.sentence if found else "")

    async def _check_result(self, error: Exception, sentence: str) -> VerifiedOutcome | None:
        if self._check is None or not isinstance(error, OutcomeUnknown) or not self.change.costs:
            return None
        self.show_error(_("{problem}\nChecking whether the change was made…").format(problem=NO_RESPONSE))
        try:
            return await self._check(self.change)
        except Exception as error:
            self.show_error(f"{sentence}\n{self._sentence(error)}")
            return None

    def _sentence(self, error: Exception) -> str:
        return str(error) if isinstance(error, ServiceError) else host_of(self.app).report_internal_error(error)

    def action_close(self) -> None:
        if not self._sending:
            self.dismiss(self._outcome)


def _lines(text: str, width: int) -> int:
    """The lines that a text takes."""
    return sum(max(1, len(wrap(line, width, break_on_hyphens=False))) for line in text.splitlines())


def _as_text(item: FieldChange) -> str:
    return f"{item.label}: {item.old} → {item.new}"


def _arrow(label: str, old: str, new: str) -> Content:
    return Content.assemble((f"{label}: ", "bold"), (old, "dim"), " → ", new)
