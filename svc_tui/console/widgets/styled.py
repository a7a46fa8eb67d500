"""The base of widgets that draw their own lines in named styles."""

from __future__ import annotations

from rich.style import Style
from textual.widget import Widget


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
