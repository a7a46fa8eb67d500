"""The prompt of the main screen: places and commands with a menu, and the filter."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from textual import events, on

from svc_tui.console.core.dialog_keys import PROMPT_KEYS
from svc_tui.console.core.keys import key_name
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.widgets.bars import Footer, Piece
from svc_tui.console.widgets.menu import Menu, MenuLine
from svc_tui.console.widgets.prompt import Prompt
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.console.shell import commands, place_menu
    from svc_tui.console.shell.navigator import Navigator
else:
    commands = lazy_import("svc_tui.console.shell.commands")
    place_menu = lazy_import("svc_tui.console.shell.place_menu")

#: The marks of the prompts for places and for filters.
GO, FILTER = ":", "/"


class PromptScreen(StageScreen, inherit_bindings=False):
    """A screen with a prompt in place of its status line."""

    navigator: Navigator
    #: Every entry of the menu, read when the prompt opens.
    _entries: dict[str, MenuLine]

    def update_bars(self) -> None:
        """Update the bars."""
        raise NotImplementedError

    def take_key(self, event: events.Key) -> bool:
        """Perform the action of a key; False when it belongs to the focused widget."""
        raise NotImplementedError

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)

    def prompt_verb(self, event: events.Key) -> str:
        """The verb of a key in the prompt; empty for a key that is typed."""
        return "" if event.is_printable else self.registry.keys.verb(PROMPT_KEYS, key_name(event.key, event.character))

    def open_prompt(self, mark: str, text: str = "", **options: Any) -> None:
        """Open the prompt in place of the status line."""
        self.query_one("#status").display = False
        self._entries = self._all_entries() if mark == GO else {}
        self.prompt.open(mark, text, **options)
        self._suggest()

    def _all_entries(self) -> dict[str, MenuLine]:
        names = self.navigator.completions("")
        places = place_menu.place_lines(
            [name for name in names if name in self.resources], self.workspace, declared=self.declared
        )
        return {**places, **commands.command_lines(names, self)}

    @on(Prompt.TextChanged)
    def _prompt_typed(self, event: Prompt.TextChanged) -> None:
        self._suggest()
        if event.mark == FILTER and self.view is not None:
            self.view.filter_typed(event.text)

    def _suggest(self) -> None:
        prompt = self.prompt
        candidates = prompt.candidates
        if prompt.mark == GO:
            self._suggest_places()
        elif candidates:
            key = self.registry.keys.sentence("{complete}", PROMPT_KEYS)
            words = [Piece(f" {key} {candidates[0]} ", "key"), *(Piece(f"  {word}", "dim") for word in candidates[1:8])]
            self.query_one(Footer).show(words)
        else:
            self._show_keys()

    def _suggest_places(self) -> None:
        """The menu of what can be typed, and what the chosen entry is."""
        prompt = self.prompt
        lines = [self._entries.get(name, MenuLine(name)) for name in prompt.candidates]
        if not prompt.stem:
            places = {name: line for name, line in self._entries.items() if name in self.resources}
            rest = [line for name, line in self._entries.items() if name not in places]
            lines = [*place_menu.grouped(places), MenuLine("", _("Console")), *rest]
        self.query_one(Menu).show(lines, prompt.text)
        chosen = self._entries.get(prompt.text)
        if chosen is None:
            self._show_keys()
            return
        detail = [Piece(f"   {chosen.reason}", "warn")] if chosen.reason else []
        self.query_one(Footer).show([Piece(f" {chosen.title}", "accent"), *detail])

    def _show_keys(self) -> None:
        view = self.view if self.prompt.mark == FILTER and not self.prompt.text else None
        hint = [Piece(f"   {view.filter_hint}")] if view is not None else []
        self.query_one(Footer).show([Piece(f" {self.registry.keys.line(PROMPT_KEYS)}", "dim"), *hint])

    @on(Prompt.LateKey)
    def _key_after_prompt(self, event: Prompt.LateKey) -> None:
        self.take_key(event.key)

    @on(Prompt.Closed)
    async def _prompt_done(self, event: Prompt.Closed) -> None:
        self.query_one("#status").display = True
        self.query_one(Menu).show(())
        self.query_one(Footer).show([])
        if self.view is not None:
            self.view.take_focus()
        if event.mark == GO and event.text:
            self.begin(self.navigator.go_typed(event.text))
        elif event.mark == "/" and self.view is not None:
            self.view.filter_done(event.text)
            if not self.view.ready:
                # Keys that are typed after the filter wait for its rows.
                self.begin(asyncio.sleep(0))
        self.query_one(Footer).on_resize()
        self.update_bars()
