"""The companies and CloudPBXs whose lists are asked: the likely ones first, and never more than a few at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from svc_tui.cache.cached import RecordDict
from svc_tui.interface.access import Caller, Subject
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.kinds.search_rule import SearchRule
from svc_tui.workspace.lists.list_reader import ListReader
from svc_tui.workspace.search.lookup import Budget
from svc_tui.workspace.search.ranking import SearchResult

#: Companies, or CloudPBXs, that are asked at a time.
AT_A_TIME = 20

#: A kind, and the query of the list of its records.
Key = tuple[str, tuple[tuple[str, object], ...]]


class Scopes:
    """The records of a kind, in the order in which they are asked: those near the user, then those of the list.

    With `companies`, only these and what belongs to them.
    """

    def __init__(
        self, budget: Budget, near: Mapping[str, str], caller: Caller | None, companies: Sequence[str] | None = None
    ) -> None:
        self._budget, self._near, self._caller = budget, near, caller
        self._companies = companies
        self._rows: dict[Key, dict[str, RecordDict]] = {}
        self._read: dict[Key, int] = {}
        self._totals: dict[Key, int] = {}
        self._asked: dict[str, set[str]] = {}
        #: The list of the records that a rule asks, by its kind.
        self._lists: dict[str, Key] = {}

    async def load(self, kind_name: str, query: tuple[tuple[str, object], ...]) -> None:
        """Read the next records of the list. ReadError when it cannot be read."""
        key = (kind_name, query)
        kind, rows = KINDS[kind_name], self._rows.setdefault(key, {})
        first = self._read.get(key, 0)
        if first and first >= self._totals[key]:
            return
        if self._companies is not None:
            await self._load_of_group(key, self._companies[first : first + AT_A_TIME])
            return
        if not first:
            for id in (self._near.get(kind_name, ""), kind.own_id(self._caller)):
                if id:
                    rows.setdefault(id, {})
            await self._load_of_company(kind_name, self._near.get("companies", ""), rows)
        reader = ListReader(self._budget, kind.list, {}, dict(query))
        fetched = await reader.fetch(first, AT_A_TIME)
        self._read[key], self._totals[key] = first + len(fetched.rows), fetched.total
        for row in fetched.rows:
            rows[kind.id_of(row)] = row

    async def _load_of_group(self, key: Key, companies: Sequence[str]) -> None:
        """The next companies of the group, or what belongs to them."""
        kind_name, rows = key[0], self._rows[key]
        self._totals[key] = len(self._companies or ())
        for company in companies:
            if kind_name == "companies":
                rows.setdefault(company, {})
            else:
                await self._load_of_company(kind_name, company, rows)
            self._read[key] = self._read.get(key, 0) + 1

    async def _load_of_company(self, kind_name: str, company: str, rows: dict[str, RecordDict]) -> None:
        """The records of a company, where the list has that filter."""
        found = KINDS[kind_name].server_filters.get("companyId")
        if company and found is not None:
            reader = ListReader(self._budget, KINDS[kind_name].list, {}, {found.parameter: company})
            for row in (await reader.fetch(0, AT_A_TIME)).rows:
                rows[KINDS[kind_name].id_of(row)] = row

    def add(self, found: Iterable[SearchResult]) -> None:
        """Found records of these kinds are asked first."""
        for hit in found:
            key = (hit.kind, ())
            if key in self._rows and hit.id not in self._rows[key]:
                self._rows[key] = {hit.id: hit.record, **self._rows[key]}

    def next_for(self, rule: SearchRule) -> dict[str, RecordDict]:
        """The next records that a rule asks."""
        asked = self._asked.setdefault(rule.kind, set())
        if rule.nearest:
            own = KINDS[rule.within].own_id(self._caller)
            nearest = self._near.get(rule.within) or own
            asked.add(nearest)
            return {nearest: {}} if nearest else {}
        key = self._lists[rule.kind] = key_of(rule)
        rows = self._rows.get(key, {})
        chosen = dict([(id, row) for id, row in rows.items() if id not in asked][:AT_A_TIME])
        asked.update(chosen)
        return chosen

    def give_back(self, rule: SearchRule, scopes: Iterable[str]) -> None:
        """The search of these was stopped: they are asked again."""
        self._asked[rule.kind].difference_update(scopes)

    def counts(self, rule: SearchRule) -> tuple[int, int]:
        """How many records a rule asked, and how many there are."""
        key, asked = key_of(rule), len(self._asked.get(rule.kind, ()))
        total = self._totals.get(key, 0)
        if self._companies is not None:
            # A company may have none of them.
            total += len(self._rows.get(key, ())) - self._read.get(key, 0)
        return asked, max(asked, total)

    def hold(self, kind_name: str, id: str, record: RecordDict, above: Mapping[str, str]) -> bool:
        """Whether a record is one of the companies that are searched, or belongs to one, also through its list."""
        if self._companies is None:
            return True
        rows = [rows.get(above.get(kind, ""), {}) for (kind, _), rows in self._rows.items()]
        companies = [above.get("companies"), *(row.get("companyId") for row in (record, *rows))]
        return any(each in self._companies for each in ([id] if kind_name == "companies" else companies))

    def subject(self, company: str) -> Subject | None:
        """A record of a company that the caller sees, within the scope of all roles; None for no company."""
        caller = self._caller
        if not company or caller is None:
            return None
        return Subject(
            company_id=company,
            owner_id=caller.user_id,
            organisation_id=caller.organisation_id,
            bp_id=caller.company_id,
            site_id=caller.site_id,
            is_demo=True,
            vad_id=caller.company_id,
        )

    def of_company(self, kind_name: str, company: str, found: Iterable[SearchResult]) -> list[str]:
        """The records of a company among those known."""
        known = {id: row for (kind, _), rows in self._rows.items() if kind == kind_name for id, row in rows.items()}
        known |= {hit.id: hit.record for hit in found if hit.kind == kind_name}
        return [id for id, row in known.items() if company and row.get("companyId") == company]

    def name_of(self, kind_name: str, id: str) -> str:
        """The name of a record; empty while it is not known."""
        found = (rows[id] for (kind, _), rows in self._rows.items() if kind == kind_name and id in rows)
        return next((str(row["name"]) for row in found if row.get("name")), "")

    @property
    def more(self) -> bool:
        """Whether records are left that were not asked by every rule."""
        behind = any(len(self._asked[kind]) < len(self._rows.get(key, ())) for kind, key in self._lists.items())
        return behind or any(read < self._totals[key] for key, read in self._read.items())


def key_of(rule: SearchRule) -> Key:
    """The list of the records in whose path a rule asks."""
    return (rule.within, tuple(rule.within_query.items()))
