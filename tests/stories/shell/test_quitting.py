"""Quitting over a dialog asks first when something would be lost or is still being sent."""

from __future__ import annotations

from textual.widgets import TextArea

from svc_tui.console.dialogs.messages import Question
from tests.stories.driver import profile, story
from tests.stories.wire import wired

UPDATE = b"PUT /api/svc/applications/v1.0/applications/"


async def test_a_change_that_is_being_sent_is_not_left_without_a_question(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("S")
        await person.sees("Affects 1 application.")
        wire.hold = UPDATE
        await person.press("enter")
        await wire.held.wait()
        await person.stays_after_quitting("A change is being sent. Its outcome would not be known.")
        await person.sees("Sending…")
        await person.press("ctrl+c")
        await person.sees("Quit now?")
        # The response closes the dialog, and with it the question.
        wire.released.set()
        await person.sees("ctrl+z undoes it.")
        assert not isinstance(person.app.screen, Question)


async def test_a_bulk_action_that_runs_or_pauses_is_not_left_without_a_question(service: str) -> None:
    async with wired(service) as (wire, url), story(profile(url)) as person:
        await person.is_ready()
        await person.press("*", "S")
        await person.type((await person.sees_line(r"Type (\d+), the number of records"))[1])
        wire.hold = UPDATE
        await person.press("enter")
        await wire.held.wait()
        await person.stays_after_quitting("Stop has not ended: ", " left.")
        await person.press("space")
        await person.sees("paused")
        await person.stays_after_quitting("Stop has not ended: ")
        await person.press("s")
        wire.released.set()
        await person.sees("failed records stay marked")
        await person.press("ctrl+c")
        await person.until(lambda: not person.app.is_running, "the console asks although the action is over")


async def test_changes_in_an_editor_are_not_left_without_a_question(service: str) -> None:
    async with story(profile(service)) as person:
        await person.is_ready()
        await person.puts_cursor_on("Campus Client")
        await person.press("e")
        await person.on_field("Description")
        await person.press("enter")
        await person.until(lambda: person.app.screen.query(TextArea), "the editor is not open")
        await person.type("More. ")
        await person.stays_after_quitting("The changes in this dialog have not been saved.")
        await person.sees("More.", "esc Discard")
