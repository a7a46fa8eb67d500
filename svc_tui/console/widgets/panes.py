"""Titled panes with quiet borders, side by side.

with Panes():
    yield Pane(records, title="Applications", weight=3)
    yield Pane(beside, weight=2)

A view yields `Panes` around its widgets and sets `Pane.title` when its record changes; nothing else draws borders. The
first pane is always visible, further ones from TWO and THREE columns. Borders appear where they take nothing away:
from TWO columns and FRAMED rows. On a smaller terminal, the first pane has the whole screen, and its title is in the
top line anyway. Border and title are the same for every row of a list, so scrolling does not send them again; the
focus changes only the title.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.containers import Container, Horizontal
from textual.content import Content
from textual.widget import Widget

from svc_tui.console.terminal.text import safe_text

#: The smallest widths with two panes and with three.
TWO, THREE = 110, 180
#: The fewest rows between top line and status line with borders.
FRAMED = 25


class Pane(Container):
    """A part of a view with a title; `weight` is its share of the width, `title` may come from the service.

    A pane that is not `wanted` gives its place to the others, and so does one in fewer than its `least` columns.
    """

    DEFAULT_CSS = """
    Pane { width: 1fr; height: 1fr; }
    Pane.next { border-left: solid $border-blurred; }
    """

    def __init__(self, *children: Widget, title: str = "", weight: int = 1, least: int = 0) -> None:
        super().__init__(*children)
        self.styles.width = f"{weight}fr"
        self.wanted = True
        self.least = least
        self.title = title

    @property
    def title(self) -> str:
        """The title, safe to draw."""
        return self._title

    @title.setter
    def title(self, title: str) -> None:
        self._title = safe_text(title).text
        # A text is drawn as it is; a string would be read as markup.
        self.border_title = Content(self._title) if self._title else None


class Panes(Horizontal):
    """As many panes as the width allows."""

    DEFAULT_CSS = """
    Panes { width: 1fr; height: 1fr; }
    Panes.framed Pane { border: round $border-blurred; border-title-color: $text-muted; }
    Panes.framed Pane:focus-within { border-title-color: $primary; border-title-style: bold; }
    """

    @property
    def panes(self) -> Sequence[Pane]:
        """All panes, visible or not."""
        return [child for child in self.children if isinstance(child, Pane)]

    @property
    def shown(self) -> Sequence[Pane]:
        """The visible panes."""
        return [pane for pane in self.panes if pane.display]

    def shows(self, widget: Widget) -> bool:
        """Whether the pane of a widget is visible."""
        return widget.parent in self.shown

    def want(self, widget: Widget, wanted: bool) -> None:
        """Give the pane of a widget its place, or leave it to the others."""
        pane = widget.parent
        if isinstance(pane, Pane) and pane.wanted != wanted:
            pane.wanted = wanted
            self.rearrange()

    def focus_next(self) -> None:
        """Focus the widget in the pane after the focused one, in a circle."""
        panes = self.shown
        at = next((n for n, pane in enumerate(panes) if pane.has_focus_within), 0)
        for pane in (*panes[at + 1 :], *panes[:at]):
            found = next((child for child in pane.children if child.focusable), None)
            if found is not None:
                found.focus()
                return

    def on_mount(self) -> None:
        self.rearrange()

    def on_resize(self) -> None:
        self.rearrange()

    def rearrange(self) -> None:
        """Show the panes for which there is room."""
        columns, rows = self.app.size.width, self.app.size.height - 3
        most = 1 + (columns >= TWO) + (columns >= THREE)
        self.set_class(columns >= TWO and rows >= FRAMED, "framed")
        wanted = [pane for pane in self.panes if pane.wanted and columns >= pane.least]
        for pane in self.panes:
            pane.display = pane in wanted[:most]
            pane.set_class(pane is not self.panes[0], "next")
