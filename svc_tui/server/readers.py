"""What a caller reads: the one place that applies the readers of fields where records leave the service.

The application passes the result of every rule through `Readers.of`, and `page_of` (`rules.py`) a list, whose JSON is
kept by what was withheld. Events and entries of the audit log, which hold values of records that their receiver did not
ask for, use `Readers.of_record` and `of_values`. `check_query` refuses to sort and filter by what is withheld.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from svc_tui.interface.access import Access, Caller, Reach, Role, Subject, decide
from svc_tui.interface.field_specs import field_by_wire, fields_of, records_in
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.problems import Problem
from svc_tui.interface.readers import Guard, Reads, Whose, covers, guard_for, nobody
from svc_tui.interface.records import Record, names_of
from svc_tui.server.refusal import invalid
from svc_tui.server.store.conditions import In
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document


class Readers:
    """What the caller of an operation reads. Without a caller only fields that need no role."""

    def __init__(
        self,
        caller: Caller | None,
        store: Store,
        operation: AnyOperation | None = None,
        path: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`operation` is what returns the records; an event is returned by none."""
        self._caller, self._store, self._path = caller, store, path
        self._roles: frozenset[Role] = caller.roles if caller else frozenset()
        self._result: Any = operation.result if operation else None
        self._id = operation.id if operation else ""
        self._reached = operation.who.of(self._roles) if operation else frozenset()

    async def of(self, result: Any) -> Any:
        """The result of a rule, JSON, without what the caller does not read."""
        guard = guard_for(self._result, self._id, self._roles)
        if guard is None:
            return result
        if isinstance(result, list):
            return (await self._readable(guard, {"data": result}))["data"]
        return await self._readable(guard, result) if isinstance(result, dict) else result

    async def of_record(self, model: type[Record], document: Document, whose: Whose | None = None) -> Document:
        """One record, or some of its fields. `whose` it is, where these do not say it."""
        guard = guard_for(model, self._id, self._roles)
        return document if guard is None else await self._readable(guard, document, whose)

    async def of_values(self, values: Sequence[tuple[type[Record] | None, Whose, str]]) -> list[bool]:
        """Whether the caller reads each of these values: of a record, whose it is, and the path of the value in it."""
        guards = [guard_for(model, self._id, self._roles) if model else None for model, _whose, _path in values]
        some = [(guard, whose, path) for guard, (_, whose, path) in zip(guards, values, strict=True) if guard]
        reads = await self._reads(lambda note: [guard.reads_path(path, note, whose) for guard, whose, path in some])
        each = iter([guard.reads_path(path, reads, whose) for guard, whose, path in some])
        return [next(each) if guard else True for guard in guards]

    async def withheld(self, model: type[Record], whose: Whose) -> frozenset[str]:
        """The fields that the caller does not read of the records of an export, all of which are whose."""
        names = [spec.wire for spec in fields_of(model)]
        reads = await self.of_values([(model, whose, name) for name in names])
        return frozenset(name for name, is_read in zip(names, reads, strict=True) if not is_read)

    def may_read(self, model: type[Record], name: str) -> bool:
        """Whether the caller reads this field of any record."""
        guard = guard_for(model, self._id, self._roles)
        return guard is None or name not in guard.withheld

    def in_list(self, model: type[Record], format: str) -> Guard | None:
        """What the caller does not get of the records of a list in this format."""
        guard = guard_for(model, self._id, self._roles)
        names = names_of(model, format)
        return guard if guard is None or names is None else guard.of(frozenset(names))

    def withheld_in_lists(self, model: type[Record]) -> frozenset[str]:
        """The fields that the caller does not read of every record that the operation can return."""
        guard = guard_for(model, self._id, self._roles)
        if guard is None:
            return frozenset()
        return guard.withheld | {wire for wire, who in guard.limited if not covers(who, self._reached, self._roles)}

    def check_query(self, query: Record) -> None:
        """Refuse (400000) to sort or filter by a field that the caller does not read, as by one that does not exist."""
        model = listed_record(self._result)
        withheld = self.withheld_in_lists(model) if model is not None and query.model_fields_set else None
        if not withheld:
            return
        for spec in fields_of(type(query)):
            if spec.name not in query.model_fields_set:
                continue
            value = getattr(query, spec.name)
            if spec.wire == "sortField":
                if value in withheld:
                    raise invalid(Problem("sortField", "is not a field that this list can be sorted by", value))
            elif withheld.intersection(spec.facet.filters or (spec.wire,)):
                raise invalid(Problem(spec.wire, "is not a field that this list can be filtered by", str(value)))

    async def _readable(self, guard: Guard, document: Document, whose: Whose | None = None) -> Document:
        reads = await self._reads(lambda note: guard.readable(document, note, whose)) if guard.is_limited else nobody
        return guard.readable(document, reads, whose)

    async def _reads(self, ask: Callable[[Reads], object]) -> Reads:
        """What the caller reads, of the records that `ask` asks about."""
        asked: dict[Whose, list[Access]] = {}

        def note(who: Access, whose: Whose) -> bool:
            asked.setdefault(whose, []).append(who)
            return False

        ask(note)
        if not asked:
            return nobody
        subjects = await self._subjects(set(asked))
        caller = await self._with_bp(asked.values())
        return lambda who, whose: bool(decide(who, caller, subjects[whose]))

    async def _with_bp(self, asked: Iterable[list[Access]]) -> Caller | None:
        """The caller, with the partner of the caller's company where a reader is its administrator."""
        if self._caller is None or not any(Reach.OWN_BP in who.of(self._roles) for each in asked for who in each):
            return self._caller
        own = await self._store.companies.get(self._caller.company_id) or {}
        return replace(self._caller, bp_id=str(own.get("bpId") or ""))

    async def _subjects(self, asked: set[Whose]) -> dict[Whose, Subject]:
        """The records as subjects of access rules. One that does not say whose it is belongs to what the path names."""
        path, store = self._path, self._store
        of_path = Whose(path.get("userId", ""), path.get("companyId", ""), "", path.get("systemId", ""))
        owners = {each: each if each != Whose() else of_path for each in asked}
        parts = await _found(store.cloudpbxs, (each.system_id for each in owners.values()))
        alone = (each.user_id for each in owners.values() if not (each.company_id or each.system_id))
        users = await _found(store.users, alone)
        placed = {each: _placed(whose, parts, users) for each, whose in owners.items()}
        companies = await _found(store.companies, (each.company_id for each in placed.values()))
        partners = await _found(store.companies, (str(each.get("bpId") or "") for each in companies.values()))
        return {each: self._subject(whose, {**partners, **companies}) for each, whose in placed.items()}

    def _subject(self, whose: Whose, companies: Mapping[str, Document]) -> Subject:
        company = companies.get(whose.company_id, {})
        bp_id = str(company.get("bpId") or "")
        own = self._caller.site_id if self._caller else ""
        return Subject(
            owner_id=whose.user_id,
            company_id=whose.company_id,
            organisation_id=whose.organisation_id or str(company.get("organisationId") or ""),
            bp_id=bp_id,
            site_id=own if own in whose.site_ids else next(iter(whose.site_ids), ""),
            is_demo=whose.is_demo,
            vad_id=str(companies.get(bp_id, {}).get("bpId") or ""),
        )


@cache
def listed_record(result: Any) -> type[Record] | None:
    """The record of a list, or the one in a response."""
    data = field_by_wire(result).get("data") if isinstance(result, type) and issubclass(result, Record) else None
    found = next(records_in(data.annotation if data else result), None)
    return found[0] if found else None


def _placed(whose: Whose, parts: Mapping[str, Document], users: Mapping[str, Document]) -> Whose:
    """Where it is, by its CloudPBX or its user where the record itself does not say it."""
    part, user = parts.get(whose.system_id, {}), users.get(whose.user_id, {})
    sites = whose.site_ids or tuple(part.get("siteId") or ()) or ((str(user["siteId"]),) if user.get("siteId") else ())
    return replace(
        whose,
        company_id=whose.company_id or str(part.get("companyId") or user.get("companyId") or ""),
        organisation_id=whose.organisation_id or str(user.get("organisationId") or ""),
        site_ids=sites,
    )


async def _found(collection: DocumentCollection, ids: Iterable[str]) -> dict[str, Document]:
    named = tuple(sorted(set(ids) - {""}))
    found = (await collection.find(In("id", named))).documents if named else []
    return {str(each["id"]): each for each in found}
