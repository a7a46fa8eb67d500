"""Where one is in a list: the cursor and the part of the list that is seen, as plain arithmetic."""

from dataclasses import dataclass


@dataclass(slots=True)
class Window:
    """Positions in a list of `count` records of which `seen` fit on the screen; `top` is the first of them."""

    cursor: int = 0
    top: int = 0
    count: int = 0
    seen: int = 0

    def go(self, index: int) -> None:
        """Put the cursor on a position, as near as there is one, and scroll as little as needed to see it."""
        self.cursor = max(0, min(index, self.count - 1))
        self.keep_cursor_in_sight()

    def page(self, by: int) -> None:
        """Move by so many screens; one line of the last screen stays in sight."""
        step = max(self.seen - 1, 1) * by
        self.top = self._clamp(self.top + step)
        self.go(self.cursor + step)

    def scroll(self, by: int) -> None:
        """Scroll; the cursor moves only when it would leave the screen."""
        self.top = self._clamp(self.top + by)
        self.go(max(self.top, min(self.cursor, self.top + self.seen - 1)))

    def follow(self, index: int) -> None:
        """The record under the cursor stands elsewhere now: keep it on its line of the screen."""
        self.top = self._clamp(self.top + index - self.cursor)
        self.go(index)

    def keep_cursor_in_sight(self) -> None:
        """Scroll as little as needed to see the cursor."""
        if self.seen:
            self.top = max(min(self.top, self.cursor), self.cursor - self.seen + 1)
        self.top = self._clamp(self.top)

    def stay(self) -> None:
        """Keep the cursor where it is though there may be no record; what is seen is always a part of the list."""
        self.top = self._clamp(self.top)

    def near(self) -> tuple[int, int]:
        """The positions on the screen and one screen around it, both included; empty when the second is smaller."""
        return max(self.top - self.seen, 0), min(self.top + 2 * self.seen, self.count) - 1

    def _clamp(self, top: int) -> int:
        return max(0, min(top, self.count - self.seen))
