"""The linear mode: prints each page as lines, then what changes, and the line with the cursor last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from textual.app import App
from textual.timer import Timer

from svc_tui.console.core.stage import host_of
from svc_tui.console.shell.frame import Frame
from svc_tui.console.shell.linear_page import LinearPage, page_of
from svc_tui.console.terminal.driver import LinearDriver
from svc_tui.console.terminal.text import safe_text
from svc_tui.language import _

#: Seconds after the last change of the screen, so that a page is read once.
PAUSE = 0.08
#: A page with more new lines is read as a whole.
MOST_CHANGES = 12
_PERCENT = re.compile(r"\s*\d+\s?%")
_REFRESHING = _(" · refreshing")
#: The end of a line whose text is still being computed.
_COMPUTED = "…"
#: Pages of which only changes are read when they are seen again.
MOST_KNOWN = 20


def whole(page: LinearPage) -> list[str]:
    """All lines of a page, with its keys and message, and the lines with the cursor last."""
    lines = [line.text for line in page.lines if not line.current]
    keys = [_("Keys: {keys}").format(keys=page.keys)] if page.keys else []
    return [line for line in (page.title, *lines, page.status, *keys, page.message, *page.current) if line]


def changes(before: LinearPage | None, now: LinearPage) -> list[str]:
    """The lines to read after a change of the screen; `before` is what was read of it."""
    if before is None:
        return whole(now)
    known = {line.without_cursor for line in before.lines}
    moved = [line for line in now.current if line not in before.current]
    new = [
        line.text
        for line in now.lines
        if line.text not in known and not line.current and not (line.scrolls and moved and before.current)
    ]
    if now.status and now.status != before.status:
        new.append(now.status)
    # Lines whose value alone has changed, such as a count that has arrived, do not make another page.
    labels = {_label(line.without_cursor) for line in before.lines}
    if sum(_label(text) not in labels for text in new) > MOST_CHANGES:
        return whole(now)
    # A value that is taken away until another one is computed says nothing.
    new = [text for text in new if not (text.endswith(":") and _label(text) in labels)]
    # A message that only loses its end, such as the age of what is refreshed, says nothing new.
    message = [now.message] if now.message and not _said(before.message).startswith(_said(now.message)) else []
    said = [*new, *message, *moved]
    # The cursor of the terminal returns to the selected line; to one that is being computed with its text.
    returned = [line for line in now.current if not line.endswith(_COMPUTED)]
    return said if not said or moved else [*said, *returned]


def _label(line: str) -> str:
    return line.partition(": ")[0].rstrip(":")


def _said(message: str) -> str:
    """A message without its percentage and its note of a refresh, which are not read each time that they change."""
    return _PERCENT.sub("", message).replace(_REFRESHING, "")


class LinearMode:
    """Reads the screen of the console to the terminal."""

    def __init__(self, app: App[int]) -> None:
        self._app = app
        #: What was read of each page, by its title, the latest one last.
        self._known: dict[str, LinearPage] = {}
        self._waiting: Timer | None = None
        self._last = ""
        #: All lines so far, for tests.
        self.read: list[str] = []

    def drawn(self) -> None:
        """The screen has changed."""
        if self._waiting is None:
            self._waiting = self._app.set_timer(PAUSE, self._read)
        else:
            self._waiting.reset()

    def read_again(self) -> None:
        """Read the whole page with the next change."""
        self._known.clear()
        self.drawn()

    def _read(self) -> None:
        self._waiting = None
        screens = self._app.screen_stack
        if not screens:
            # The console is leaving.
            return
        frame = next((screen for screen in screens if isinstance(screen, Frame)), None)
        page = page_of(screens[-1], frame)
        latest = next(reversed(self._known), None)
        before = self._known.pop(page.title, None)
        # A message hides the status, which is read again only if it differs afterwards.
        self._known[page.title] = replace(page, status=before.status) if before and page.message else page
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        lines = changes(before, page)
        if before is not None and latest != page.title:
            # Back on a page that was read: its title, what has changed, and where the cursor is.
            lines = [page.title, *(line for line in lines if line not in page.current), *page.current]
        if lines:
            self._print(lines)

    def _print(self, lines: Sequence[str]) -> None:
        unicode = host_of(self._app).terminal.unicode
        safe = [safe_text(line, unicode).text for line in lines]
        driver = self._app._driver
        if len(safe) == 1 and self._last and safe[0].startswith(self._last):
            # The same line has grown: what is typed is read like the echo of a terminal.
            self.read[-1] = safe[0]
            if isinstance(driver, LinearDriver):
                driver.extend(safe[0].removeprefix(self._last))
        else:
            self.read += safe
            if isinstance(driver, LinearDriver):
                driver.append(safe)
        self._last = safe[-1]
