"""Dialogs work with the keys of the key map, whatever they are."""

from __future__ import annotations

from textual import events
from textual.app import App

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.keys import KeyMap
from svc_tui.console.dialogs.box import KeyLine
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.text_editor import TextEditor
from svc_tui.console.shell.key_dispatch import KeyDispatch, Typed
from svc_tui.console.terminal.capabilities import Capabilities, capabilities

FRUIT = [Choice(name, name) for name in ("apple", "banana", "cherry")]


class Console(App[None]):
    """An application with a key map."""

    def __init__(self, changes: dict[str, str] | None = None) -> None:
        super().__init__()
        self.keys = KeyDispatch(self)
        self.key_map = KeyMap([], changes or {})
        self.answers: list[str | None] = []

    @property
    def terminal(self) -> Capabilities:
        return capabilities({})

    def report_internal_error(self, error: BaseException) -> str:
        return str(error)

    def command(self, call: object) -> object:
        raise NotImplementedError

    async def copied(self, text: str) -> str:
        return text

    async def leave(self) -> None:
        self.exit()

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, Typed) and not event.is_forwarded:
            self.keys.take(event)
        else:
            await super().on_event(event)


async def test_a_changed_key_works_in_a_dialog_and_is_shown() -> None:
    app = Console({"dialog.accept": "ctrl+y", "dialog.down": "ctrl+n"})
    async with app.run_test() as pilot:
        await app.push_screen(Picker("Fruit", FRUIT), app.answers.append)
        await pilot.press("ctrl+n")
        assert str(app.screen.query_one(KeyLine).visual).startswith("ctrl+y Choose   ↑/ctrl+n Move")
        await pilot.press("enter")
        assert app.answers == []
        await pilot.press("ctrl+y")
        assert app.answers == ["banana"]


async def test_what_is_typed_right_before_the_key_counts() -> None:
    app = Console({})
    async with app.run_test() as pilot:
        await app.push_screen(Picker("Fruit", FRUIT), app.answers.append)
        await pilot.press(*"cher", "enter")
        await app.push_screen(LineBox("Name", "a name"), app.answers.append)
        await pilot.press(*"pear", "enter")
        assert app.answers == ["cherry", "pear"]


async def test_a_letter_is_typed_and_no_key_while_text_is_edited() -> None:
    app = Console({"dialog.save": "s"})
    async with app.run_test() as pilot:
        await app.push_screen(TextEditor("Text", ""), app.answers.append)
        await pilot.press(*"yes")
        assert app.answers == []
        await pilot.press("escape")
        warning = app.screen.query_one("#unsaved").visual
        assert str(warning) == "Unsaved changes: s saves, esc again discards."
        await pilot.press("escape")
        assert app.answers == [None]
