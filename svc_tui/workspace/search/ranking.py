"""What a search found, in order: what the typed text names comes before what contains it or belongs to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from svc_tui.cache.cached import RecordDict
from svc_tui.workspace.kinds.search_rule import Meaning, SearchRule
from svc_tui.workspace.search.comparison import contains, texts, value_of


@dataclass(slots=True)
class SearchResult:
    """A found record. `above`: kind -> id of the records in the path of its list; `cached`: not confirmed yet.

    `rank` is how well it fits the text, the best first (see `ranking`).
    """

    kind: str
    id: str
    record: RecordDict
    rank: int
    above: Mapping[str, str] = field(default_factory=dict)
    cached: bool = False


@dataclass(frozen=True, slots=True)
class SearchGap:
    """Something that was not searched: `asked` of `total` records of a kind (`of`), or the reason as a sentence."""

    kind: str
    reason: str = ""
    of: str = ""
    asked: int = 0
    total: int = 0


#: How well a result fits, best first: the whole text of a field, its beginning, beginnings of its words, a part of
#: it; or none of these, as records that belong to a result.
WHOLE, BEGINNING, WORDS, PART, OTHER = range(5)
#: The meanings of which a part is typed; of the others, whole values are found.
_TYPED_IN_PARTS: frozenset[Meaning] = frozenset({"name", "word", "email", "reference"})
#: Fields of IDs: a text that is part of one says nothing to a user.
_IDS = ("id", "Id", "Ids")


def rank(rule: SearchRule, meanings: Mapping[Meaning, str], record: RecordDict) -> int:
    """How well a record fits a text, from WHOLE to OTHER."""
    if meanings.get("id") == str(record.get("id") or "").lower() != "":
        return WHOLE
    return min(_ranks(rule, meanings, record), default=OTHER)


def _ranks(rule: SearchRule, meanings: Mapping[Meaning, str], record: RecordDict) -> Iterator[int]:
    for meaning in rule.holds.keys() & meanings.keys():
        found = [text for field in rule.holds[meaning] for text in texts(value_of(record, field))]
        if meaning == "name":
            # A name can be in several fields.
            found.append(" ".join(found))
        for text in found:
            if contains(meaning, meanings[meaning], text, record):
                yield _rank(meanings[meaning].casefold(), text.casefold()) if meaning in _TYPED_IN_PARTS else WHOLE


def _rank(typed: str, text: str) -> int:
    if text == typed:
        return WHOLE
    if text.startswith(typed):
        return BEGINNING
    words = text.split()
    return WORDS if all(any(word.startswith(part) for word in words) for part in typed.split()) else PART


def in_groups(rules: Sequence[SearchRule], hits: Iterable[SearchResult]) -> list[tuple[SearchRule, list[SearchResult]]]:
    """The results by kind, the best first in each; kinds with the better result come first."""
    groups: dict[str, list[SearchResult]] = {}
    for hit in sorted(hits, key=lambda hit: hit.rank):
        groups.setdefault(hit.kind, []).append(hit)
    found = [(rule, groups[rule.kind]) for rule in rules if rule.kind in groups]
    return sorted(found, key=lambda group: group[1][0].rank)


def matching_field(meanings: Mapping[Meaning, str], record: RecordDict) -> tuple[str, str]:
    """The name and the text of the first field that contains a typed name; empty where no field does."""
    words = meanings.get("name", "").casefold().split()
    for name, value in record.items() if words else ():
        if not name.endswith(_IDS):
            for text in texts(value):
                if all(word in text.casefold() for word in words):
                    return name, text
    return "", ""
