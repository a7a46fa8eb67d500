"""How records of a kind are found by a text. Plain values, next to the kinds: the first screen loads no models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

#: What a text can be.
Meaning = Literal["email", "number", "extension", "mac", "id", "uuid", "reference", "word", "name"]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A search for the records that belong to a found record of another kind.

    The query parameter gets the value of the field `takes` of the found record, and rows count whose `field` has the
    value of its field `same`. Without a parameter the record itself is read by its id, which is in `takes`; a list
    that is in the path of the found record is read whole (`takes` empty).
    """

    kind: str
    takes: str = ""
    parameter: str = ""
    field: str = ""
    same: str = "id"
    #: Most rows that are shown.
    most: int = 20


@dataclass(frozen=True, slots=True)
class SearchRule:
    """How the records of a kind are found.

    `asks` names the query parameter by which the service finds a text with this meaning; a word, which is a part of a
    login, only when nothing is found by name. `holds` names the fields that contain it: they are compared in cached
    records, and in the rows of lists that the service cannot filter. A list that the service sorts by the field in
    `sorted_by` is halved until a whole value is found.
    """

    kind: str
    asks: Mapping[Meaning, str] = field(default_factory=dict)
    holds: Mapping[Meaning, tuple[str, ...]] = field(default_factory=dict)
    sorted_by: Mapping[Meaning, str] = field(default_factory=dict)
    #: The kind of the record in the path of its list: each such record is asked.
    within: str = ""
    #: Of the records in the path, only the one around the user, or the user's own, is asked.
    nearest: bool = False
    #: A list without a path and a filter is short: its first rows are read and compared.
    read: bool = False
    #: The query parameter that takes the ids of several of these records: they are asked with one request.
    together: str = ""
    #: The kind whose records these are too: used by roles that may not list that kind.
    instead: str = ""
    #: The query for the list of these records, if only some can have such records.
    within_query: Mapping[str, object] = field(default_factory=dict)
    follows: tuple[FollowUp, ...] = ()
    #: The query of its requests. A list that is not in a path is also asked with further ones, for records that the
    #: first one leaves out.
    queries: tuple[Mapping[str, object], ...] = ({},)
    #: The position of the group among the results: users first, then what they use.
    order: int = 50
    #: The fields that are shown beside the name.
    shows: tuple[str, ...] = ()
    #: Codes of refusals because another such record has the value of a field of the request, with that field.
    taken: Mapping[int, str] = field(default_factory=dict)
    #: The fields that name the record which has that value.
    holder: tuple[str, ...] = ()
