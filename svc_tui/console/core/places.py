"""Places: addresses inside the console, which can be typed, stored and passed to `svc-tui open`."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote


@dataclass(frozen=True, slots=True)
class Place:
    """Kinds and IDs in turn: `applications`, `applications/<id>`, `users/<id>/apikeys`."""

    parts: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Place:
        """Parse a typed place; empty parts and a leading slash are ignored."""
        return cls(tuple(unquote(part) for part in text.strip().split("/") if part))

    def __str__(self) -> str:
        return "/".join(quote(part, safe="@.") for part in self.parts)

    @property
    def kind(self) -> str:
        """The kind of the records at the place: the last odd part."""
        return self.parts[(len(self.parts) - 1) // 2 * 2] if self.parts else ""

    @property
    def record_id(self) -> str:
        """The ID of the record at the place; empty for a list."""
        return self.parts[-1] if self.parts and len(self.parts) % 2 == 0 else ""

    @property
    def parents(self) -> dict[str, str]:
        """Kind -> ID of the records above the place."""
        above = self.parts[: (len(self.parts) - 1) // 2 * 2]
        return dict(zip(above[::2], above[1::2], strict=True))

    def record(self, record_id: str) -> Place:
        """The place of one record of this list."""
        return Place((*self.parts, record_id))

    def related(self, kind: str) -> Place:
        """The place of a related list of this record."""
        return Place((*self.parts, kind))

    def below(self, rest: Place) -> Place:
        """A place below this record."""
        return Place((*self.parts, *rest.parts))

    @property
    def above(self) -> Place:
        """The place one step up."""
        return Place(self.parts[:-1])
