"""The base of widgets that draw their own lines in named styles."""

from __future__ import annotations

from rich.style import Style
from textual._styles_cache import StylesCache
from textual.css.styles import RenderStyles
from textual.dom import DOMNode
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget


class StyledWidget(Widget):
    """A widget that draws its own lines. A style `NAME` of it is its component class `styled--NAME`.

    `dim`, for hints and what is not available, is the same in all of them; a subclass adds its own styles.
    Textual makes a node for each style of each widget, most of which are never drawn: here, each is made when it is
    first used.
    """

    COMPONENT_CLASSES = {"styled--dim"}
    DEFAULT_CSS = """
    StyledWidget > .styled--dim { color: $text-disabled; }
    StyledWidget:ansi > .styled--dim { text-style: dim; }
    """

    def named_style(self, name: str) -> Style:
        """The style of this name in the present theme; that of the widget itself for an empty name."""
        return self.get_component_rich_style(f"styled--{name}") if name else self.rich_style

    def get_component_styles(self, *names: str) -> RenderStyles:
        """The styles of component classes. KeyError for a name that the class does not have."""
        for name in names:
            if name not in self._component_styles and name in super()._get_component_classes():
                node = DOMNode(classes=name)
                node._attach(self)
                self.app.stylesheet.apply(node, animate=False)
                self._component_styles[name] = node.styles
        return super().get_component_styles(*names)

    def _get_component_classes(self) -> frozenset[str]:  # type: ignore[override]
        """The component classes that Textual applies again when the theme or the state of the widget changes."""
        return frozenset(self._component_styles)


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
