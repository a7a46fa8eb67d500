"""Composes what changed on a screen from the lines and widgets that can be seen."""

from __future__ import annotations

from collections.abc import Iterable

from textual._compositor import Compositor
from textual.geometry import Region
from textual.strip import Strip


class VisibleCompositor(Compositor):
    """The compositor of Textual, which draws every line of every widget for a change of one line.

    A change is drawn front to back, and a cell that is drawn is not drawn again. So what is outside the change, and
    what is behind a widget that covers all of it, cannot be seen.
    """

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        if crop is None:
            crop = self.size.region
        for widget, (region, clip) in self.visible_widgets.items():
            seen = region.intersection(clip)
            # Whole lines of the widget: it keeps them as they are.
            rows = seen.intersection(Region(seen.x, crop.y, seen.width, crop.height))
            if rows and rows.overlaps(crop):
                yield region, rows, widget.render_lines(rows.translate(-region.offset))
                if rows.contains_region(crop):
                    return
