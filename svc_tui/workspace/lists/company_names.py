"""The names of companies by their IDs, for lists whose rows name only the ID: from the cache, else by few requests."""

from __future__ import annotations

from collections.abc import Collection

from svc_tui.cache.cached import RecordDict
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.lists.listing import FRESH_SECONDS
from svc_tui.workspace.lists.source import ListService, ListSource

#: The most companies whose names are read; a request reads as many as the service allows.
MOST_NAMED = 5_000


class CompanyNames:
    """The names of companies that the user may see. The service is asked once for an ID without a name."""

    def __init__(self, service: ListService) -> None:
        self._service = service
        self._cache = service.cache
        self._names: dict[str, str] = {}
        self._unnamed: set[str] = set()
        self._changes = 0

    def get(self, company_id: object) -> str:
        """The name of a company; empty while it is not known."""
        return self._known.get(str(company_id), "")

    def lacks(self, company_ids: Collection[str]) -> bool:
        """Whether one of these companies may have a name that is not known yet."""
        return any(each not in self._known and each not in self._unnamed for each in company_ids)

    async def load(self, company_ids: Collection[str]) -> bool:
        """Find the names of these companies; whether names have changed."""
        before = self._changes
        await self.load_cached(company_ids)
        if self.lacks(company_ids) and self._service.obstacle() is None and await self._read():
            self._unnamed.update(each for each in company_ids if each not in self._known)
        return self._changes > before

    async def load_cached(self, company_ids: Collection[str]) -> None:
        """Find the names of these companies in the cache."""
        for found in await self._service.cache.read_records("companies", company_ids):
            self._take(found)

    async def load_all(self) -> bool:
        """Read the names of all companies, unless they were just read; whether names have changed."""
        before = self._changes
        await self._read()
        return self._changes > before

    async def _read(self) -> bool:
        """Read the list of companies, from the cache while it is fresh; False when it cannot be read."""
        query = {"format": "small", "sortField": "name", "sortOrder": 1}
        count = 0
        try:
            async for row in ListSource(self._service, "list_companies", {}, query).all_rows(FRESH_SECONDS):
                self._take(row)
                count += 1
                if count >= MOST_NAMED:
                    break
        except ReadError:
            return False
        return True

    def _take(self, company: RecordDict) -> None:
        company_id, name = str(company.get("id") or ""), str(company.get("name") or "")
        if company_id and name and self._known.get(company_id) != name:
            self._known[company_id] = name
            self._changes += 1

    @property
    def _known(self) -> dict[str, str]:
        """The names; those of another user, who has another cache, are forgotten."""
        if self._cache is not self._service.cache:
            self._cache, self._names, self._unnamed = self._service.cache, {}, set()
        return self._names
