"""What widgets and views build on: lines in named styles, and work in the background."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from rich.style import Style
from textual.dom import DOMNode
from textual.widget import Widget
from textual.worker import Worker


def in_background(
    node: DOMNode, work: Callable[[], Coroutine[Any, Any, None]], *, group: str = "default", exclusive: bool = False
) -> Worker[None]:
    """Do work that ends with this part of the screen, and with `exclusive` when the group gets new work.

    The work is a function: when it ends before it began, no coroutine is left that nothing waits for.
    """
    return node.run_worker(work, group=group, exclusive=exclusive, exit_on_error=False)


class StyledWidget(Widget):
    """A widget that draws its own lines. A style `NAME` of it is its component class `styled--NAME`.

    `dim`, for hints and what is not available, is the same in all of them; a subclass adds its own styles.
    """

    COMPONENT_CLASSES = {"styled--dim"}
    DEFAULT_CSS = """
    StyledWidget > .styled--dim { color: $text-disabled; }
    StyledWidget:ansi > .styled--dim { text-style: dim; }
    """

    def named_style(self, name: str) -> Style:
        """The style of this name in the present theme; that of the widget itself for an empty name."""
        return self.get_component_rich_style(f"styled--{name}") if name else self.rich_style
