"""How a field of a record is declared: `field()`, its `Facet`, and the conditions under which it can be set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from svc_tui.interface.access import Access, Role
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    import pydantic
    from pydantic.fields import FieldInfo
else:
    pydantic = lazy_import("pydantic")

#: The group of fields without a group.
UNGROUPED = _("General")
#: In a `Needs`: any value.
SET = object()


@dataclass(frozen=True, slots=True)
class Needs:
    """A field can be set only while another field has this value, one of a tuple, or any value (`SET`)."""

    wire: str
    value: object

    @property
    def values(self) -> tuple[object, ...]:
        """The values that meet the condition; empty for any value."""
        return () if self.value is SET else self.value if isinstance(self.value, tuple) else (self.value,)

    def __str__(self) -> str:
        """The condition with names of the API: `only when isBP is true`."""
        values = [str(value).lower() if isinstance(value, bool) else str(value) for value in self.values]
        return _("only when {wire} is {values}").format(wire=self.wire, values=_(" or ").join(values) or "set")

    def in_words(self, label: str, words: Mapping[str, str]) -> str:
        """The condition with the label of the other field and the words for its values: `needs Street`."""
        values = [_value_in_words(value, words) for value in self.values]
        return (
            _("only when {label} is {values}").format(label=label, values=_(" or ").join(values))
            if values
            else _("needs {label}").format(label=label)
        )

    def met(self, record: Mapping[str, Any]) -> bool:
        found = record.get(self.wire)
        if self.value is SET:
            return found not in (None, "")
        return found in self.value if isinstance(self.value, tuple) else found == self.value


def _value_in_words(value: object, words: Mapping[str, str]) -> str:
    """A value of a condition: yes, no, its label in quotes, or itself, as codes in capitals are: `DR`."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    text = str(value)
    return f'"{words[text]}"' if text in words and not text.isupper() else text


@dataclass(frozen=True, slots=True)
class Provided:
    """A role can set a field only when a field of the record has a value, or the profile has a feature."""

    role: Role
    needs: Needs
    feature: str = ""

    def __str__(self) -> str:
        """The condition with names of the API."""
        return self._text(str(self.needs))

    def in_words(self, label: str, words: Mapping[str, str]) -> str:
        """The condition with the label of the field and the words for its values."""
        return self._text(self.needs.in_words(label, words))

    def _text(self, condition: str) -> str:
        return f"{self.role.value} {condition}" + (
            _(" or with the feature {feature}").format(feature=self.feature) if self.feature else ""
        )

    def met(self, record: Mapping[str, Any], features: Collection[str]) -> bool:
        return self.needs.met(record) or self.feature in features


@dataclass(frozen=True, slots=True)
class OwnField:
    """In `Facet.accepts`: the value of another field of the record that is edited."""

    wire: str


@dataclass(frozen=True, slots=True)
class Facet:
    """Description of a field beyond its type, in the metadata of the field."""

    help: str = ""
    label: str = ""
    group: str = UNGROUPED
    setters: frozenset[Role] | None = None
    #: The same with the reach of each role, where it depends on the owner of the record.
    within: Access | None = None
    provided: tuple[Provided, ...] = ()
    #: Who reads it, if not every reader of the record.
    readers: Access | None = None
    #: The ids of the operations that return it, if not all that return the record.
    only_in: tuple[str, ...] | None = None
    #: Of a query: the fields of the record that it filters by, if not the one of its name.
    filters: tuple[str, ...] = ()
    needs: Needs | None = None
    refers: str = ""
    unit: str = ""
    secret: bool = False
    #: It holds personal data: names of human beings, logins, numbers, addresses, free text. `personal.py` masks it.
    personal: bool = False
    multiline: bool = False
    deprecated: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    suggested: Any = None
    ends: bool = False
    unique: str = ""
    #: The list that its value is chosen from, where it holds no id of a record.
    picks: str = ""
    #: The same where it depends on another field: that field, and its values with their lists.
    picks_by: tuple[str, tuple[tuple[str, str], ...]] | None = None
    #: The query that limits the records it refers to; `OwnField` stands for a value of the record itself.
    accepts: tuple[tuple[str, object], ...] = ()
    #: Codes and their names.
    codes: tuple[tuple[str, str], ...] = ()
    #: Fields of the same record that hold the name of what it refers to, the first one that is set.
    named_by: tuple[str, ...] = ()
    #: Its values are texts: edited as `key=value`, one a line.
    pairs: bool = False
    #: Set by its own action; no form asks for it.
    by_action: bool = False
    #: A time that stands for its day of UTC, such as the last day of a subscription: shown as a day in every zone.
    day: bool = False
    #: A query that repeats it is refused. Of other repeated parameters the first valid value counts.
    once: bool = False
    #: Of a query: a text of several values, which programs write as a list; the type of each value.
    several: Any = None
    #: The text between these values.
    between: str = ","


def field(
    default: Any = None,
    *,
    help: str = "",
    label: str = "",
    group: str = UNGROUPED,
    wire: str | None = None,
    setters: Iterable[Role] | Access | None = None,
    provided: Iterable[Provided] = (),
    readers: Access | None = None,
    only_in: tuple[str, ...] | None = None,
    filters: tuple[str, ...] = (),
    needs: Needs | None = None,
    refers: str = "",
    unit: str = "",
    secret: bool = False,
    personal: bool = False,
    multiline: bool = False,
    deprecated: str = "",
    choices: dict[str, str] | None = None,
    suggested: Any = None,
    ends: bool = False,
    unique: str = "",
    picks: str = "",
    picks_by: tuple[str, Mapping[str, str]] | None = None,
    accepts: Mapping[str, object] = MappingProxyType({}),
    codes: Mapping[str, str] = MappingProxyType({}),
    named_by: tuple[str, ...] = (),
    pairs: bool = False,
    by_action: bool = False,
    day: bool = False,
    once: bool = False,
    several: Any = None,
    between: str = ",",
    **constraints: Any,
) -> Any:
    """Declare a field: default, help, group, roles that can set it, and constraints of pydantic.

    `default=...` makes it required. `label` replaces the label of its wire name. `setters` are roles, or an Access
    where the right depends on the owner of the record; `provided` adds conditions for roles. `readers` is who reads it,
    if not every reader of the record, and `only_in` the operations that return it, if not all; `filters` are the fields
    that a query filters by, if not the one of its name. `refers` is the kind of record whose id it holds, `unit` the
    unit of the value, `choices` describes enumerated values, `deprecated` names the replacement, `suggested` is the
    initial value for a new record, `ends` marks the time when the record stops working, `unique` is the field that
    identifies an entry of a list, `once` refuses a query that repeats it, `personal` marks what an exported case masks,
    `secret` what is shown nowhere, `several` the type of the values of a query with `between`. `picks`, `picks_by`,
    `accepts`, `codes`, `named_by`, `pairs`, `by_action` and `day` set how a form edits and shows it (see `Facet`).
    """
    if wire is not None:
        constraints["alias"] = wire
    if "default_factory" not in constraints:
        constraints["default"] = default
    info: FieldInfo = pydantic.Field(description=help or None, **constraints)
    within = setters if isinstance(setters, Access) else None
    roles = setters.roles() if isinstance(setters, Access) else setters
    facet = Facet(
        help=_(help),
        label=_(label),
        group=_(group),
        setters=frozenset(roles) if roles is not None else None,
        within=within,
        provided=tuple(provided),
        readers=readers,
        only_in=only_in,
        filters=filters,
        needs=needs,
        refers=refers,
        unit=unit,
        secret=secret,
        personal=personal,
        multiline=multiline,
        deprecated=_(deprecated),
        choices=tuple((value, _(meaning)) for value, meaning in (choices or {}).items()),
        suggested=suggested,
        ends=ends,
        unique=unique,
        picks=picks,
        picks_by=(picks_by[0], tuple(picks_by[1].items())) if picks_by else None,
        accepts=tuple(accepts.items()),
        codes=tuple(codes.items()),
        named_by=named_by,
        pairs=pairs,
        by_action=by_action,
        day=day,
        once=once,
        several=several,
        between=between,
    )
    info.metadata.append(facet)
    return info
