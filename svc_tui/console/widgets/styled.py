"""The base of widgets that draw their own lines in named styles."""

from __future__ import annotations

from rich.style import Style
from textual._styles_cache import StylesCache
from textual.geometry import Region
from textual.strip import Strip
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


class LineCache(StylesCache):
    """The lines of a widget without borders and padding whose lines are as wide as it is, as the widget draws them.

    Textual looks for borders, opacity and the like in each line, which takes longer than drawing it.
    """

    def render_widget(self, widget: Widget, crop: Region) -> list[Strip]:
        """The lines of a part of the widget; only those that changed are drawn."""
        width, height = widget.content_size
        if width != self._width:
            self.clear()
            self._width = width
        # A widget that was removed is drawn once more, without a size and without its styles.
        strips = [self._line(widget, y) if y < height else Strip.blank(crop.right) for y in crop.line_range]
        self._dirty_lines.difference_update(crop.line_range)
        if filters := widget.get_line_filters():
            background = widget.background_colors[1]
            for each in filters:
                strips = [strip.apply_filter(each, background) for strip in strips]
        if crop.column_span != (0, width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def _line(self, widget: Widget, y: int) -> Strip:
        if y in self._dirty_lines or y not in self._cache:
            self._cache[y] = widget.render_line(y)
        return self._cache[y]
