"""The cursor and the visible part of a list, as arithmetic."""

from dataclasses import dataclass


@dataclass(slots=True)
class Window:
    """Positions in a list of `count` records, of which `seen` fit on the screen from `top`."""

    cursor: int = 0
    top: int = 0
    count: int = 0
    seen: int = 0

    def go(self, index: int, leap: int = 0) -> None:
        """Move the cursor to a position, or the nearest one; scroll as little as needed, and `leap` rows more."""
        self.cursor = max(0, min(index, self.count - 1))
        self.keep_cursor_in_sight(leap)

    def page(self, by: int) -> None:
        """Move by pages that overlap by one line."""
        step = max(self.seen - 1, 1) * by
        self.top = self._clamp(self.top + step)
        self.go(self.cursor + step)

    def scroll(self, by: int) -> None:
        """Scroll; the cursor stays inside the visible rows."""
        self.top = self._clamp(self.top + by)
        self.go(max(self.top, min(self.cursor, self.top + self.seen - 1)))

    def follow(self, index: int) -> None:
        """Follow the selected record to another position, on the same line of the screen."""
        self.top = self._clamp(self.top + index - self.cursor)
        self.go(index)

    def keep_cursor_in_sight(self, leap: int = 0) -> None:
        """Scroll as little as needed to show the cursor, and `leap` rows more if anything is scrolled."""
        if self.seen and self.cursor < self.top:
            self.top = self.cursor - leap
        elif self.seen and self.cursor >= self.top + self.seen:
            self.top = self.cursor - self.seen + 1 + leap
        self.top = self._clamp(self.top)

    def stay(self) -> None:
        """Keep the cursor at a position that may have no record, and the window inside the list."""
        self.top = self._clamp(self.top)

    def near(self) -> tuple[int, int]:
        """The positions on the screen and one screen around it, both included; empty when the second is smaller."""
        return max(self.top - self.seen, 0), min(self.top + 2 * self.seen, self.count) - 1

    def _clamp(self, top: int) -> int:
        return max(0, min(top, self.count - self.seen))
