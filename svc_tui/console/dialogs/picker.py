"""A choice among many, found by typing a part of it: actions, columns, values to copy, records of the service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence

from textual import on, work
from textual.content import Content
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from svc_tui.client.errors import ServiceError
from svc_tui.console.core.choice import Choice, matching
from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE, DOWN, PAGE_DOWN, PAGE_UP, UP
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.line_input import LineInput
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

#: Pause after the last key before the service is asked.
SEARCH_PAUSE = 0.25


Search = Callable[[str], Awaitable[Sequence[Choice]]]


class Choices(OptionList):
    """The entries. Unlike that of `OptionList`, the style of the selected entry may be in reverse."""

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        style = super().get_visual_style(*component_classes, partial=partial)
        reverse = any(self.get_component_styles(each).text_style.reverse for each in component_classes)
        return style + Style(reverse=True) if reverse else style


class Picker(Box[str]):
    """Returns the value of the chosen entry, None when closed."""

    DEFAULT_CSS = """
    Picker > .box { width: 98; max-width: 95%; }
    Picker OptionList {
        height: auto; max-height: 14; border: none; padding: 0; background: $surface;
        text-wrap: nowrap; text-overflow: ellipsis; scrollbar-size-vertical: 1;
        scrollbar-background: $surface; scrollbar-color: $panel;
    }
    Picker OptionList > .option-list--option-highlighted {
        background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
    }
    Picker OptionList:ansi > .option-list--option-highlighted {
        background: ansi_default; color: ansi_default; text-style: reverse;
    }
    Picker OptionList:ansi > .option-list--option-disabled { text-style: dim; }
    Picker OptionList:focus { border: none; }
    """
    KEYS = (ACCEPT.labelled(_("Choose")), UP, DOWN, PAGE_UP, PAGE_DOWN, CLOSE)

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice] = (),
        search: Search | None = None,
        current: str = "",
        when_typed: Sequence[Choice] = (),
        read: Callable[[str], Choice | None] = lambda text: None,
        *,
        text: str = "",
        empty: str = "",
    ) -> None:
        """`current` is the entry that is selected first, not the first one. Those in `when_typed` are only found.

        `read` makes a choice of a text that is one itself, such as a date. `text` is searched for first, and `empty` is
        why there are no choices at all.
        """
        super().__init__(title)
        self._first_text, self._empty = text, empty
        self._current = current
        self._choices, self._when_typed, self._read = list(choices), list(when_typed), read
        self._search = search
        self._shown: list[Choice] = []
        #: The text that is searched for.
        self._text = ""
        #: The text whose results are shown; None before the first search.
        self._found_for: str | None = None
        #: Whether an entry was chosen before the results of the current text arrived.
        self._chosen_early = False

    def body(self) -> Iterable[Widget]:
        yield LineInput(self._first_text, placeholder=_("Type to search"), id="search")
        yield Choices(id="choices", markup=False)
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.query_one(Input).focus()
        if self._search is None:
            self._show(self._choices)
        else:
            self._text = self._first_text
            self._ask(self._text)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._follow(event.value)

    def _follow(self, text: str) -> None:
        """Search for another text."""
        if text == self._text:
            return
        self._text, self._chosen_early = text, False
        if self._search is not None:
            self._ask(text)
        elif text.strip():
            typed = self._read(text.strip())
            self._show([*filter(None, (typed,)), *matching([*self._choices, *self._when_typed], text)])
        else:
            self._show(self._choices)

    @work(exclusive=True, group="search", exit_on_error=False)
    async def _ask(self, text: str) -> None:
        assert self._search is not None
        if text:
            await asyncio.sleep(SEARCH_PAUSE)
        try:
            found = await self._search(text)
        except Exception as error:
            self._chosen_early = False
            if not isinstance(error, ServiceError | ReadError):
                raise
            self.show_error(str(error))
            return
        self._found_for = text
        self._show(found)
        if self._chosen_early:
            self._chosen_early = False
            self._choose()

    def _show(self, choices: Sequence[Choice]) -> None:
        self._shown = list(choices)
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options([Option(_line(choice), disabled=bool(choice.reason)) for choice in self._shown])
        possible = [index for index, choice in enumerate(self._shown) if not choice.reason]
        chosen = [index for index in possible if self._shown[index].value == self._current and not self._text]
        options.highlighted = next(iter((*chosen, *possible)), None)
        nothing = self._empty if self._empty and not self._text else _("No results.")
        self.show_error("" if self._shown else nothing)

    def move(self, by: int) -> None:
        options = self.query_one(OptionList)
        options.action_cursor_down() if by > 0 else options.action_cursor_up()

    def page(self, by: int) -> None:
        options = self.query_one(OptionList)
        turn: Callable[[], object] = options.action_page_down if by > 0 else options.action_page_up
        turn()

    def action_accept(self) -> None:
        # The key may come before the message that the text has changed.
        self._follow(self.query_one(Input).value)
        if self._search is None or self._found_for == self._text:
            self._choose()
            return
        # The results are those of another text: the first result of this one is chosen when it arrives.
        self._chosen_early = True
        self.show_error(_("Searching…"))
        if not any(worker.group == "search" and not worker.is_finished for worker in self.workers):
            self._ask(self._text)

    def _choose(self) -> None:
        index = self.query_one(OptionList).highlighted
        if index is not None and not self._shown[index].reason:
            self.dismiss(self._shown[index].value)

    @on(OptionList.OptionSelected)
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._shown[event.option_index].value)


def _line(choice: Choice) -> Content:
    parts: list[Content | str | tuple[str, str]] = [safe_text(choice.label).text]
    if choice.reason:
        parts.append((f"  {safe_text(choice.reason).text}", "italic"))
    elif choice.detail:
        parts.append(f"  {safe_text(choice.detail).text}")
    return Content.assemble(*parts)
