"""Places and links: addresses inside the console, which can be typed, stored and passed to `svc-tui open`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, unquote

from svc_tui.language import _

#: The place of the search over everything, followed by the text.
FIND = "find"
#: The kind of the place of the start page.
HOME = "home"


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
        return self.parts[self._last_kind] if self.parts else ""

    @property
    def _last_kind(self) -> int:
        return (len(self.parts) - 1) // 2 * 2

    @property
    def record_id(self) -> str:
        """The ID of the record at the place; empty for a list."""
        return self.parts[-1] if self.parts and len(self.parts) % 2 == 0 else ""

    @property
    def parents(self) -> dict[str, str]:
        """Kind -> ID of the records above the place."""
        above = self.parts[: self._last_kind]
        return dict(zip(above[::2], above[1::2], strict=True))

    @property
    def records(self) -> dict[str, str]:
        """Kind -> ID of the records above the place, and of the record at it."""
        return {**self.parents, self.kind: self.record_id} if self.record_id else self.parents

    def named(self, kind: str) -> Place:
        """The place with another name for its kind, such as the kind of an alias."""
        at = self._last_kind
        return self if kind == self.kind else Place((*self.parts[:at], kind, *self.parts[at + 1 :]))

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


#: Characters of a link that need no quoting.
_PLAIN = "@.,:!~*>/ "


class InvalidLink(ValueError):
    """A link that cannot be read; its text is a sentence."""


@dataclass(frozen=True)
class Link:
    """A place with what its list shows: `users?filter=north&sort=-created&marks=ID,ID`.

    `filter` is what is typed after `/`, `sort` a column with `-` in front for the largest first, `where` the query of
    the filter form as JSON, `marks` the IDs of the marked records. Special characters are quoted (`&` is `%26`).
    """

    place: Place
    filter: str = ""
    sort: str = ""
    descending: bool = False
    where: Mapping[str, Any] = field(default_factory=dict)
    marks: tuple[str, ...] = ()

    def at(self, place: Place) -> Link:
        """The same content at another place."""
        return replace(self, place=place)

    def below(self, record: Place) -> Link:
        """The same content at its place below a record."""
        return self.at(record.below(self.place))

    @classmethod
    def parse(cls, text: str) -> Link:
        """Parse a link. InvalidLink for a part that is not known or not readable."""
        place, __, rest = text.strip().partition("?")
        values: dict[str, str] = {}
        for part in rest.split("&") if rest else ():
            name, __, value = part.partition("=")
            if name not in ("filter", "sort", "where", "marks"):
                raise InvalidLink(
                    _("Unknown part “{name}” in the link. Use filter, sort, where or marks.").format(name=name)
                )
            values[name] = unquote(value)
        sort = values.get("sort", "")
        return cls(
            Place.parse(place),
            values.get("filter", ""),
            sort.removeprefix("-"),
            sort.startswith("-"),
            _query(values.get("where", "{}")),
            tuple(each for each in values.get("marks", "").split(",") if each),
        )

    def __str__(self) -> str:
        where = json.dumps(self.where, ensure_ascii=False, separators=(",", ":")) if self.where else ""
        sort = f"-{self.sort}" if self.descending and self.sort else self.sort
        parts = {"filter": self.filter, "sort": sort, "where": where, "marks": ",".join(self.marks)}
        written = "&".join(f"{name}={quote(value, safe=_PLAIN)}" for name, value in parts.items() if value)
        return f"{self.place}?{written}" if written else str(self.place)


def _query(text: str) -> dict[str, Any]:
    try:
        query = json.loads(text)
    except ValueError:
        query = None
    if not isinstance(query, dict):
        raise InvalidLink(_("The “where” part of the link is not a JSON object."))
    return query
