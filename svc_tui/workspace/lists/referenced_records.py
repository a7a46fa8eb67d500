"""The records that fields of other records refer to by ID, for their names: from the cache, else each is read once; and
the company that a record belongs to.

The companies of a list are read together, with the list of all companies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.cache.cached import RecordDict
from svc_tui.interface import catalogue
from svc_tui.workspace.core.service import ListService, ReadError
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.list_reader import ListReader
from svc_tui.workspace.lists.listing import FRESH_SECONDS

#: Name of a kind, and the ID of a record.
Reference = tuple[str, str]
#: The most records that are read for one record.
MOST_READ = 8
#: The most companies that are read with their list; a request reads as many as the service allows.
MOST_LISTED = 5_000
COMPANIES = "companies"


class ReferencedRecords:
    """The records that the user may see, each in one of its formats.

    `may_read` is whether the role may call an operation.
    """

    def __init__(self, service: ListService, may_read: Callable[[str], bool]) -> None:
        self._service, self._may_read = service, may_read
        self._cache = service.cache
        self._records: dict[Reference, RecordDict] = {}
        self._unread: set[Reference] = set()
        #: The companies that their list does not have.
        self._unlisted: set[str] = set()

    def get(self, reference: Reference) -> RecordDict | None:
        """A record; None while it is not known."""
        return self._known.get(reference)

    def company(self, company_id: object) -> str:
        """The name of a company; empty while it is not known."""
        return str((self.get((COMPANIES, str(company_id))) or {}).get("name") or "")

    def may_open(self, kind: str) -> bool:
        """Whether the role may read records of a kind."""
        return self._may_read(KINDS[kind].get)

    async def load(self, references: Collection[Reference], *, cached_only: bool = False) -> bool:
        """Find these records; whether one is new or has changed."""
        before = [self.get(each) for each in references]
        await self._read_cached(references)
        missing = [each for each in references if each not in self._known and each not in self._unread]
        for each in missing[: 0 if cached_only else MOST_READ]:
            await self._read(each)
        return before != [self.get(each) for each in references]

    def lacks_companies(self, company_ids: Collection[str]) -> bool:
        """Whether one of these companies may have a name that is not known yet."""
        return any(not self.company(each) and each not in self._unlisted for each in company_ids)

    async def load_companies(self, company_ids: Collection[str]) -> bool:
        """Find the names of the companies of a list; whether one is new or has changed."""
        before = [self.company(each) for each in company_ids]
        await self._read_cached([(COMPANIES, each) for each in company_ids])
        if (
            self.lacks_companies(company_ids)
            and self._service.obstacle() is None
            and await self._read_list() is not None
        ):
            self._unlisted.update(each for each in company_ids if not self.company(each))
        return before != [self.company(each) for each in company_ids]

    async def load_all_companies(self) -> bool:
        """Read the names of all companies, unless they were just read; whether one is new or has changed."""
        return bool(await self._read_list())

    async def _read_list(self) -> int | None:
        """Read the list of companies, from the cache while it is fresh; the number of new names, None without it."""
        query = {"format": "small", "sortField": "name", "sortOrder": 1}
        count = new = 0
        try:
            async for row in ListReader(self._service, "list_companies", {}, query).all_rows(FRESH_SECONDS):
                reference = COMPANIES, KINDS[COMPANIES].id_of(row)
                if row.get("name") and row["name"] != self.company(reference[1]):
                    self._known[reference] = row
                    new += 1
                count += 1
                if count >= MOST_LISTED:
                    break
        except ReadError:
            return None
        return new

    async def _read_cached(self, references: Collection[Reference]) -> None:
        for kind in {kind for kind, _ in references}:
            ids = [record_id for name, record_id in references if name == kind]
            for found in await self._service.cache.read_records(kind, ids):
                self._known[kind, KINDS[kind].id_of(found)] = found

    async def _read(self, reference: Reference) -> None:
        """Read a record, unless its path needs more than its ID, or the link is slow or down."""
        name, record_id = reference
        kind, service = KINDS[name], self._service
        if service.frugal or service.obstacle() is not None:
            return
        self._unread.add(reference)
        if not self._may_read(kind.get) or catalogue.operation(kind.get).parameters != (kind.parameter,):
            return
        try:
            body = await service.read(kind.get, {kind.parameter: record_id}, {"format": "small"})
        except ReadError as error:
            if error.offline:
                self._unread.discard(reference)
            return
        except asyncio.CancelledError:
            # The next view reads it.
            self._unread.discard(reference)
            raise
        record = body.get("data") if isinstance(body, dict) else None
        if isinstance(record, dict):
            self._known[reference] = record
            await service.cache.store_record(
                name, record_id, record, operation_id=kind.get, form="small", fetched=service.now()
            )

    @property
    def _known(self) -> dict[Reference, RecordDict]:
        """The records; those of another user, who has another cache, are forgotten."""
        if self._cache is not self._service.cache:
            self._cache, self._records, self._unread, self._unlisted = self._service.cache, {}, set(), set()
        return self._records


USERS = "users"
#: The fields that name the company of a record: those of `Belongs`.
COMPANY_FIELDS = ("companyId", "ownedByCompany")
#: The longest way: a usage of an application, the application, its owner.
_STEPS = 3
_FORMS = ("full", "medium", "small")


@dataclass(frozen=True, slots=True)
class CompanyReference:
    """The ID of the company; without it, the record that leads to it."""

    company_id: str = ""
    kind: str = ""
    record_id: str = ""


def belonging(kind: Kind, record: Mapping[str, Any], above: Mapping[str, str]) -> CompanyReference | None:
    """The company of a record below these records (kind -> ID); None when it has none.

    The outermost of them is read, because its path needs no other record.
    """
    named = next((record[field] for field in COMPANY_FIELDS if record.get(field)), None)
    if company_id := named or above.get(COMPANIES):
        return CompanyReference(str(company_id))
    if kind.user_field and record.get(kind.user_field):
        return CompanyReference(kind=USERS, record_id=str(record[kind.user_field]))
    return next((CompanyReference(kind=name, record_id=id) for name, id in above.items() if name in KINDS), None)


async def company_of(service: ListService, found: CompanyReference) -> str:
    """The ID of the company, from cached records if possible; empty when there is none. ReadError without a
    response."""
    for _ in range(_STEPS):
        if found.company_id:
            return found.company_id
        kind = KINDS[found.kind]
        next_step = belonging(kind, await _record(service, kind, found.record_id), {})
        if next_step is None:
            return ""
        found = next_step
    return found.company_id


async def _record(service: ListService, kind: Kind, record_id: str) -> RecordDict:
    for form in _FORMS:
        cached = await service.cache.read_record(kind.name, record_id, form)
        if cached is not None and belonging(kind, cached.data, {}) is not None:
            return cached.data
    body = await service.read(kind.get, {kind.parameter: record_id}, {"format": "full"})
    record = body.get("data") if isinstance(body, dict) else None
    return record if isinstance(record, dict) else {}
