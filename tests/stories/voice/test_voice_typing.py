"""Typing into the form of a CloudPBX faster than it draws."""

from __future__ import annotations

from textual import events

from svc_tui.console.views.form import FormView
from svc_tui.console.widgets.sheet import Sheet
from tests.stories.driver import Story, profile, send, story


async def edits_a_cloudpbx(person: Story) -> FormView:
    """Open the editor of the one CloudPBX."""
    await person.is_ready()
    await person.goes("cloudpbxs")
    await person.sees("Northwind voice")
    await person.press("e")
    await person.sees("no changes")
    form = person.app.frame.view
    assert isinstance(form, FormView)
    return form


async def test_text_typed_after_a_move_is_in_the_selected_field(service: str) -> None:
    async with story(profile(service)) as person:
        await edits_a_cloudpbx(person)
        send(person, *["down"] * 4, "9")
        await person.sees_line(r"\* Numbering prefix +9\b")


async def test_input_is_not_lost_when_the_editor_moves(service: str) -> None:
    async with story(profile(service)) as person:
        form = await edits_a_cloudpbx(person)
        await person.on_field("Numbering prefix")
        form.editor._on_focus(events.Focus())
        await form.editor._on_key(events.Key("9", "9"))
        form.take_focus()
        form.editor.action_cursor_left()
        # The word of a move before the last one comes late.
        form.on_sheet_moved(Sheet.Moved("name"))
        assert (form.editor.value, form.editor.cursor_position) == ("9", 0)
        await person.sees_line(r"\* Numbering prefix +9\b")


async def test_the_first_line_of_several_is_pasted_without_unseen_characters(service: str) -> None:
    async with story(profile(service)) as person:
        form = await edits_a_cloudpbx(person)
        await person.on_field("Name")
        await person.press("end")
        person.app.post_message(events.Paste("\n\u200b\n, Lis\u200bbon\n  and Porto\n"))
        await person.sees_line(r"\* Name +.*, Lisbon ")
        person.app.post_message(events.Paste(" and Porto"))
        await person.sees_line(r"\* Name +.*, Lisbon and Porto ")
        assert form.form.values["name"] == "Northwind voice, Lisbon and Porto"
