"""The tour of the demo: it types by itself, with captions, through the same keys as a user. Any key stops it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence

from textual import events
from textual.app import App
from textual.screen import Screen
from textual.widgets import Static

from svc_tui.console.core.keys import DialogKey, KeyMap, textual_key
from svc_tui.console.core.stage import key_map_of
from svc_tui.console.core.tour import ActionKey, Step, Text, TourTask
from svc_tui.console.shell.key_dispatch import KeyDispatch
from svc_tui.console.shell.stage import StageScreen
from svc_tui.language import _
from svc_tui.workspace.core.tasks import start_task

#: Seconds until what a step expects must be on the screen.
PATIENCE = 30.0
#: Characters of a text by which its beginning is known.
SHORTEST = 12
#: Seconds between two typed characters, before a caption can be read, and for each of its words.
TYPING, GLANCE, WORD = 0.06, 1.2, 0.26


class Caption(Static):
    """Two lines at the bottom of the screen on top, which make room for them: what happens next, and how to stop."""

    DEFAULT_CSS = "Caption { dock: bottom; height: 2; width: 1fr; background: $primary; color: $text; }"

    def __init__(self) -> None:
        super().__init__(markup=False)


class TourFailed(Exception):
    """A step did not find what it expects."""


class Tour:
    """Types the tasks of a tour. `pace` scales the pauses; with 0 it is a test and ends the console."""

    def __init__(
        self,
        console: App[int],
        frame: Callable[[], StageScreen],
        tasks: Sequence[TourTask],
        pace: float,
        keys: KeyDispatch,
    ) -> None:
        self._console, self._frame_now, self._tasks, self._pace = console, frame, tasks, pace
        self._dispatch = keys
        self._drawn = asyncio.Event()
        self._task = start_task(self._run())

    # --- events of the console ---------------------------------------------------------------------------------

    def drawn(self) -> None:
        """The screen has changed."""
        self._drawn.set()

    def stops(self) -> bool:
        """Stop the tour for a key of a user, which does nothing else; False when it has ended."""
        if not self._task.done():
            self._task.cancel()
            self._close(
                _("The tour has stopped. {sentence}").format(
                    sentence=self._frame.registry.keys.sentence(_("{help} shows the keys."))
                )
            )
            return True
        return False

    # --- the tour ----------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        try:
            for number, task in enumerate(self._tasks, 1):
                for step in task.steps:
                    await self._take(
                        step,
                        _("{number} of {tasks}: {title}").format(
                            number=number, tasks=len(self._tasks), title=task.title
                        ),
                    )
        except TourFailed as failed:
            self._close(str(failed), "bad")
            if not self._pace:
                self._console.exit(1, message=str(failed))
            return
        self._close(
            _("The tour has ended. {sentence}").format(
                sentence=self._frame.registry.keys.sentence(_("{goto} lists all places."))
            )
        )
        if not self._pace:
            self._console.exit(0)

    async def _take(self, step: Step, place: str) -> None:
        caption = caption_of(step, key_map_of(self._console))
        await self._show(caption, place)
        await self._pause(reading_seconds(caption))
        for key in self._keys(step):
            await self._press(key)
            await self._pause(TYPING)
        try:
            async with asyncio.timeout(PATIENCE):
                while not is_shown(step.sees, shown_text(self._console.screen)):
                    self._drawn.clear()
                    await self._drawn.wait()
        except TimeoutError:
            raise TourFailed(
                _("The tour stopped at “{place}”: “{sees}” did not appear.").format(place=place, sees=step.sees)
            ) from None

    async def _press(self, key: str) -> None:
        """Press a key; return when it has done what it does."""
        self._dispatch.take(events.Key(*textual_key(key)))
        await self._dispatch.rest()

    async def _pause(self, seconds: float) -> None:
        if self._pace:
            await asyncio.sleep(seconds * self._pace)

    def _keys(self, step: Step) -> Iterator[str]:
        keys = key_map_of(self._console)
        for each in step.keys:
            if isinstance(each, Text):
                yield from each.text
            else:
                found = keys.keys(each.name) if isinstance(each, ActionKey) else keys.of(each)
                if not found:
                    raise TourFailed(_("The tour stopped: “{name}” has no key.").format(name=each.name))
                yield found[0]

    # --- the caption -------------------------------------------------------------------------------------------

    @property
    def _frame(self) -> StageScreen:
        return self._frame_now()

    async def _show(self, caption: str, place: str) -> None:
        screen = self._console.screen
        if not screen.query(Caption):
            await screen.mount(Caption())
        for each in self._console.screen_stack:
            for shown in each.query(Caption):
                shown.update(_(" {caption}\n Tour {place}   any key stops").format(caption=caption, place=place))

    def _close(self, message: str, style: str = "ok") -> None:
        for screen in self._console.screen_stack:
            screen.query(Caption).remove()
        # The last step may have opened a view that is still being drawn.
        self._frame.show_message(message, style, stays=True)


def caption_of(step: Step, keys: KeyMap) -> str:
    """The caption of a step with the current keys of its actions."""
    return keys.sentence(step.caption, [key for key in step.keys if isinstance(key, DialogKey)])


def reading_seconds(caption: str) -> float:
    """How long a caption is shown before its keys are pressed."""
    return GLANCE + WORD * len(caption.split())


def is_shown(text: str, screen: str) -> bool:
    """Whether a text is on a screen; in a narrow column it can end in `…`, or continue in the lines below."""
    if text in screen or any(f"{text[:end]}…" in screen for end in range(SHORTEST, len(text))):
        return True
    lines = screen.split("\n")
    ends = [end for end, char in enumerate(text) if char == " " and end >= SHORTEST]
    return any(
        _continues(text[end + 1 :], lines[row + 1 :], line.find(text[:end]))
        for end in ends
        for row, line in enumerate(lines)
        if text[:end] in line
    )


def _continues(text: str, lines: Sequence[str], column: int) -> bool:
    """Whether the rest of a text stands in a column of the first lines."""
    for line in lines:
        here = line[column:].split("  ")[0].split("│")[0].strip()
        if not here or not text.startswith(here):
            return False
        text = text.removeprefix(here).strip()
        if not text:
            return True
    return False


def shown_text(screen: Screen[object]) -> str:
    """The text of a screen, without the captions."""
    covered = {caption.region.y + row for caption in screen.query(Caption) for row in range(caption.region.height)}
    strips = screen._compositor.render_strips()
    return "\n".join(strip.text for row, strip in enumerate(strips) if row not in covered)
