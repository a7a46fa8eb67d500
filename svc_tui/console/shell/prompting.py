"""The prompt of the main screen: places and commands with a menu, and the filter."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from textual import events

from svc_tui.console.core.dialog_keys import PROMPT_KEYS
from svc_tui.console.core.keys import key_name
from svc_tui.console.shell import commands, place_menu
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.widgets.bars import Footer, Piece
from svc_tui.console.widgets.menu import Menu, MenuLine
from svc_tui.console.widgets.prompt import FILTER, GO, PromptRequest
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.console.shell.navigator import Navigator


class Prompting:
    """Opens the prompt of a frame in place of its status line, and does what is typed there."""

    def __init__(self, frame: StageScreen, navigator: Navigator) -> None:
        self._frame, self._navigator = frame, navigator
        #: Every entry of the menu, read when the prompt opens.
        self._entries: dict[str, MenuLine] = {}

    def verb(self, event: events.Key) -> str:
        """The verb of a key in the prompt; empty for a key that is typed."""
        keys = self._frame.registry.keys
        return "" if event.is_printable else keys.verb(PROMPT_KEYS, key_name(event.key, event.character))

    def open(self, request: PromptRequest) -> None:
        """Open the prompt, as in `Prompt.open`."""
        frame = self._frame
        frame.query_one("#status").display = False
        self._entries = self._all_entries() if request.mark == GO else {}
        frame.prompt.open(request)
        self._suggest()

    def typed(self, mark: str, text: str) -> None:
        """The text has changed."""
        self._suggest()
        if mark == FILTER and self._frame.view is not None:
            self._frame.view.filter_typed(text)

    def closed(self, mark: str, text: str | None) -> None:
        """The text was accepted, or the prompt was cancelled (None)."""
        frame = self._frame
        frame.query_one("#status").display = True
        frame.query_one(Menu).show(())
        frame.query_one(Footer).show([])
        if frame.view is not None:
            frame.view.take_focus()
        if mark == GO and text:
            frame.begin(self._navigator.go_typed(text))
        elif mark == FILTER and frame.view is not None:
            frame.view.filter_done(text)
            if not frame.view.ready:
                # Keys that are typed after the filter wait for its rows.
                frame.begin(asyncio.sleep(0))
        frame.query_one(Footer).on_resize()
        frame.update_bars()

    def _all_entries(self) -> dict[str, MenuLine]:
        frame = self._frame
        names = self._navigator.completions("")
        places = place_menu.place_lines(list(frame.resources), frame.workspace, declared=frame.declared)
        return {**places, **commands.command_lines(names, frame)}

    def _suggest(self) -> None:
        prompt = self._frame.prompt
        candidates = prompt.candidates
        if prompt.mark == GO:
            self._suggest_places()
        elif candidates:
            key = self._frame.registry.keys.sentence("{complete}", PROMPT_KEYS)
            words = [Piece(f" {key} {candidates[0]} ", "key"), *(Piece(f"  {word}", "dim") for word in candidates[1:8])]
            self._frame.query_one(Footer).show(words)
        else:
            self._show_keys()

    def _suggest_places(self) -> None:
        """The menu of what can be typed, and what the chosen entry is."""
        frame, prompt = self._frame, self._frame.prompt
        lines = [self._entries.get(name, MenuLine(name)) for name in prompt.candidates]
        if not prompt.stem:
            places = {line.name: line for line in lines if line.name in frame.resources}
            rest = [line for line in lines if line.name not in places]
            lines = [*place_menu.grouped(places), MenuLine("", _("Console")), *rest]
        frame.query_one(Menu).show(lines, prompt.text)
        chosen = self._entries.get(prompt.text)
        if chosen is None:
            self._show_keys()
            return
        detail = [Piece(f"   {chosen.reason}", "warn")] if chosen.reason else []
        frame.query_one(Footer).show([Piece(f" {chosen.title}", "accent"), *detail])

    def _show_keys(self) -> None:
        frame = self._frame
        view = frame.view if frame.prompt.mark == FILTER and not frame.prompt.text else None
        hint = [Piece(f"   {view.filter_hint}")] if view is not None else []
        frame.query_one(Footer).show([Piece(f" {frame.registry.keys.line(PROMPT_KEYS)}", "dim"), *hint])
