"""Records with hostile values: every editor is opened and saved, and nothing is sent."""

from __future__ import annotations

import pytest

from svc_tui.console.core.form import TYPED
from svc_tui.console.dialogs.box import Box
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.views.form import FormView
from tests.stories.driver import Story, profile, story


def _form(person: Story) -> FormView:
    view = person.app.frame.top
    assert isinstance(view, FormView), view
    return view


def _is_open(person: Story) -> bool:
    """Whether an editor is on the screen, over the form or instead of it."""
    return isinstance(person.app.screen, Box)


@pytest.mark.parametrize("place", ["companies", "applications"])
async def test_every_editor_of_a_form_is_opened_and_saved_and_nothing_is_sent(hostile_service: str, place: str) -> None:
    async with story(profile(hostile_service, "hostile@demo.example"), place=place) as person:
        await person.is_ready()
        await person.press("e")
        await person.until(lambda: isinstance(person.app.frame.top, FormView), "no form")
        form = _form(person)
        before = dict(form.form.values)
        for spec in form.fields():
            if form.form.why_not(spec.wire) or (spec.kind in TYPED and not spec.facet.multiline):
                continue
            form.go_to_field(spec.wire)
            await person.pilot.pause()
            await person.press("enter")
            if _is_open(person):
                await person.press("esc" if isinstance(person.app.screen, Picker) else "ctrl+o")
                await person.until(lambda: not _is_open(person), "the editor is still open")
        assert form.form.values == before
        assert not form.form.dirty
        await person.press("ctrl+o")
        await person.sees("No changes to send.")
