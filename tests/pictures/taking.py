"""Taking a picture: the story is run on the console, and its screen exported."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

from svc_tui.console.dialogs.screen_file import as_svg
from svc_tui.console.shell.frame import Frame
from svc_tui.console.views.detail_pane import DetailPane
from svc_tui.console.widgets.panes import Pane
from tests.pictures.clock import console_stands_still
from tests.pictures.picture import Picture
from tests.stories.driver import Story, profile, story

#: The work that finds the names of the records to which fields refer.
NAMES = "names"


def _shows_its_record(pane: DetailPane) -> bool:
    """Whether a pane shows the record under the cursor: names are looked up between its timer and its title."""
    drawn = not (pane._known and pane.size.width) or cast("Pane", pane.parent).title == pane._title
    return pane._timer is None and drawn


@asynccontextmanager
async def posed(picture: Picture, url: str) -> AsyncIterator[Story]:
    """The console after the steps of a picture, with everything drawn."""
    with console_stands_still():
        async with story(profile(url, picture.login, **picture.changes), size=picture.size) as person:
            await picture.steps(person)
            await person.pilot.pause()
            frames = [screen for screen in person.app.screen_stack if isinstance(screen, Frame)]
            await person.until(lambda: all(frame.at_rest for frame in frames), "the bars belong to another row")
            panes = [pane for frame in frames for pane in frame.query(DetailPane)]
            await person.until(lambda: all(map(_shows_its_record, panes)), "a pane shows another record")
            names = [worker for worker in person.app.workers if worker.group == NAMES]
            await person.until(lambda: all(worker.is_finished for worker in names), "names are missing")
            yield person


def photographed(person: Story, url: str) -> str:
    """The screen as SVG, with the address of the documents instead of the service's."""
    return as_svg(person.app).replace(url, "http://127.0.0.1:8080")


async def taken(picture: Picture, url: str) -> str:
    """A picture as SVG."""
    async with posed(picture, url) as person:
        return photographed(person, url)
