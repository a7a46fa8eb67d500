"""Who reads which field of a record: what fields declare of their readers, as the guard of what an operation returns.

A field without readers is read by all who read the record. `Facet.readers` limits it to roles with their reach, in the
terms of operations, and `Facet.only_in` to the operations that return it. `svc_tui/server/readers.py` applies the guard
where records leave the service; the console, the command line and the reference describe the same declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, get_origin

from svc_tui.interface.access import Access, Reach, Role
from svc_tui.interface.field_specs import FieldSpec, fields_of, records_in
from svc_tui.interface.records import Record


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose a record is, by its fields (`Record.BELONGS`): what it says of the user, company and sites."""

    user_id: str = ""
    company_id: str = ""
    organisation_id: str = ""
    #: The CloudPBX that it is part of.
    system_id: str = ""
    site_ids: tuple[str, ...] = ()
    is_demo: bool = False


#: Whether a field with these readers is read, of a record that is whose.
Reads = Callable[[Access, Whose], bool]


@dataclass(frozen=True, slots=True)
class Inner:
    """The records inside a field. `named`: they are the values of an object with free names."""

    guards: tuple[Guard, ...]
    named: bool = False

    def readable(self, value: Any, reads: Reads, whose: Whose | None) -> Any:
        if isinstance(value, list | tuple):
            return [self.readable(each, reads, whose) for each in value]
        if not isinstance(value, Mapping):
            return value
        if self.named:
            each_of = replace(self, named=False)
            return {name: each_of.readable(each, reads, whose) for name, each in value.items()}
        for guard in self.guards:
            value = guard.readable(value, reads, whose)
        return value


@dataclass(frozen=True, slots=True)
class Guard:
    """The fields of a record that not every caller gets, by their wire names, and those of the records inside it."""

    model: type[Record]
    #: Those that the caller gets of no record.
    withheld: frozenset[str] = frozenset()
    #: Those that depend on whose record it is, with their readers.
    limited: tuple[tuple[str, Access], ...] = ()
    inner: tuple[tuple[str, Inner], ...] = ()

    @property
    def is_limited(self) -> bool:
        """Whether it depends on whose record it is, here or further inside."""
        return bool(self.limited) or any(guard.is_limited for _, inner in self.inner for guard in inner.guards)

    def of(self, names: frozenset[str]) -> Guard | None:
        """The guard of a read format that has only these fields."""
        limited, inner = (tuple(each for each in part if each[0] in names) for part in (self.limited, self.inner))
        return _guard(self.model, self.withheld & names, limited, inner)

    def readable(self, document: Mapping[str, Any], reads: Reads, whose: Whose | None = None) -> dict[str, Any]:
        """The document without what this reader does not read. The document itself stays as it is.

        What is inside a record is whose the record is.
        """
        if whose is None:
            whose = whose_is(self.model, document)
        known = whose or Whose()
        gone = self.withheld | {wire for wire, who in self.limited if wire in document and not reads(who, known)}
        kept = {wire: value for wire, value in document.items() if wire not in gone}
        for wire, inner in self.inner:
            if wire in kept:
                kept[wire] = inner.readable(kept[wire], reads, whose)
        return kept

    def reads_path(self, path: str, reads: Reads, whose: Whose) -> bool:
        """Whether the value at a path in the record, `cloudpbx.language`, is read.

        A value with records of which something is withheld, such as a list of them, is not read as a whole.
        """
        name, _, rest = path.partition(".")
        if name in self.withheld or any(wire == name and not reads(who, whose) for wire, who in self.limited):
            return False
        inner = dict(self.inner).get(name)
        if inner is None:
            return True
        inside = rest.partition(".")[2] if inner.named else rest
        return bool(inside) and all(guard.reads_path(inside, reads, whose) for guard in inner.guards)


def whose_is(model: type[Record], document: Mapping[str, Any]) -> Whose | None:
    """Whose a record is. None when no field says it, as of the envelope of a response."""

    def value(names: tuple[str, ...]) -> Any:
        return next((document[name] for name in names if document.get(name)), "")

    names = model.BELONGS
    sites = value(names.site)
    found = Whose(
        user_id=str(value(names.user)),
        company_id=str(value(names.company)),
        system_id=str(value(names.system)),
        site_ids=tuple(map(str, sites)) if isinstance(sites, list | tuple) else (str(sites),) if sites else (),
    )
    if found == Whose():
        return None
    organisation, is_demo = str(document.get("organisationId") or ""), document.get("isDemo") is True
    return replace(found, organisation_id=organisation, is_demo=is_demo)


def nobody(_who: Access, _whose: Whose) -> bool:
    """`Reads` of a guard that depends on no record."""
    return False


def covers(who: Access, reached: frozenset[Reach], roles: frozenset[Role]) -> bool:
    """Whether readers with these roles read the field of every record that they reach so."""
    reading = who.of(roles)
    return Reach.ANY in reading or (bool(reached) and reached <= reading)


@lru_cache(1024)
def guard_for(result: Any, operation_id: str, roles: frozenset[Role]) -> Guard | None:
    """What callers with these roles do not get of a response or record of this type. None: they get everything."""
    found = _guards(result, operation_id, ())
    whole = found[0] if found else None
    if whole is not None and get_origin(result) is list:
        # A bare list is guarded as the field of an envelope.
        whole = Guard(Record, inner=(("data", Inner(found)),))
    return whole and _narrowed(whole, roles)


def limited_fields(result: Any, above: tuple[type[Record], ...] = ()) -> Iterator[tuple[str, FieldSpec]]:
    """The fields of a response, or of a record, that not every reader of the record gets, with their paths in it."""
    for model, _named in records_in(result):
        for spec in fields_of(model) if model not in above else ():
            if spec.facet.readers is not None or spec.facet.only_in is not None:
                yield spec.wire, spec
            # Records are in `data` of a response.
            path = "" if spec.wire == "data" and not above else f"{spec.wire}."
            for inside, inner in limited_fields(spec.annotation, (*above, model)):
                yield f"{path}{inside}", inner


def _guards(annotation: Any, operation_id: str, above: tuple[type[Record], ...]) -> tuple[Guard, ...]:
    found = (_declared(model, operation_id, above) for model, _named in records_in(annotation))
    return tuple(guard for guard in found if guard is not None)


def _declared(model: type[Record], operation_id: str, above: tuple[type[Record], ...]) -> Guard | None:
    if model in above:
        return None
    withheld, limited, inner = set(), [], []
    for spec in fields_of(model):
        facet = spec.facet
        if facet.only_in is not None and operation_id not in facet.only_in:
            withheld.add(spec.wire)
        elif facet.readers is not None:
            limited.append((spec.wire, facet.readers))
        if guards := _guards(spec.annotation, operation_id, (*above, model)):
            inner.append((spec.wire, Inner(guards, any(named for _, named in records_in(spec.annotation)))))
    return _guard(model, frozenset(withheld), tuple(limited), tuple(inner))


def _narrowed(guard: Guard, roles: frozenset[Role]) -> Guard | None:
    """The guard for these roles: without fields that they read of any record."""
    reached = {wire: who.of(roles) for wire, who in guard.limited}
    withheld = guard.withheld | {wire for wire, reaches in reached.items() if not reaches}
    limited = tuple(each for each in guard.limited if reached[each[0]] and Reach.ANY not in reached[each[0]])
    inner = tuple(
        (wire, Inner(guards, each.named))
        for wire, each in guard.inner
        if (guards := tuple(found for part in each.guards if (found := _narrowed(part, roles)) is not None))
    )
    return _guard(guard.model, withheld, limited, inner)


def _guard(model: type[Record], withheld: frozenset[str], limited: Any, inner: Any) -> Guard | None:
    return Guard(model, withheld, limited, inner) if withheld or limited or inner else None
