"""Who has a value that the service refused because another record has it: looked for where the caller may read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from svc_tui.client.errors import Refused, plain
from svc_tui.interface.telephone_numbers import read_number
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError, Service
from svc_tui.workspace.kinds.registry import SEARCH_RULES
from svc_tui.workspace.kinds.search_rule import SearchRule
from svc_tui.workspace.search.ranking import SearchResult
from svc_tui.workspace.search.search import Search


class Holders:
    """Names the holders of values that were refused, within the requests of a search for each.

    The records of a file often have the same holder, so the CloudPBX of the last one is asked first. After a holder
    that was not found, the next searches end with the first CloudPBXs.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._last = ""
        self._found = True

    async def name(self, error: Refused, path: Mapping[str, str], body: object) -> None:
        """Add to the sentence of a refusal who has the value, and what leads there, or that it was not found."""
        rule = next((each for each in SEARCH_RULES if error.code in each.taken), None)
        if rule is None or error.code is None or not isinstance(body, Mapping):
            return
        value = str(body.get(rule.taken[error.code]) or "")
        system = path.get("systemId", "")
        if "number" in rule.holds:
            country = (await self._data("get_cloudpbx", {"systemId": system})).get("country")
            value = read_number(value, str(country or "") or None).number or value
        error.sentence = plain(f"{error.sentence} {await self._sentence(rule, value, system)}")
        error.args = (error.sentence,)

    async def _sentence(self, rule: SearchRule, value: str, system: str) -> str:
        search = Search(self._service, value, {rule.within: self._last or system}, kinds=(rule.kind,))
        try:
            hit = await self._first(search, rule)
        finally:
            search.close()
        self._found = hit is not None
        if hit is not None:
            self._last = hit.above[rule.within]
            where = await self._data("get_cloudpbx", {"systemId": self._last})
            company = await self._data("get_company", {"companyId": str(where.get("companyId"))})
            return _("It is in {system} of {company}: {holder}. `:find {value}` leads there.").format(
                system=where.get("name") or self._last,
                company=company.get("name") or where.get("companyId"),
                holder=", ".join(str(hit.record[name]) for name in rule.holder if hit.record.get(name)) or _("free"),
                value=value,
            )
        gaps = [gap for gap in search.gaps if gap.kind == rule.kind]
        if left := next((gap for gap in gaps if gap.asked < gap.total), None):
            return _("It is not in {asked} of {total} CloudPBXs. `:find {value}` asks the others.").format(
                asked=left.asked, total=left.total, value=value
            )
        if gaps or search.error_message:
            return _("Who has it could not be read.")
        return _("No CloudPBX that you may read has it.")

    async def _first(self, search: Search, rule: SearchRule) -> SearchResult | None:
        """The first result that the service confirms; the search is then not continued."""
        found: asyncio.Future[SearchResult | None] = asyncio.get_running_loop().create_future()

        def look(_changed: None) -> None:
            hits = (each for each in search.hits.values() if each.kind == rule.kind and not each.cached)
            hit = next(hits, None)
            if not found.done() and (hit is not None or search.finished):
                found.set_result(hit)

        search.changed(look)
        search.start()
        if self._found:
            search.persist()
        return await found

    async def _data(self, operation_id: str, path: Mapping[str, str]) -> Mapping[str, object]:
        """A record; empty where it cannot be read."""
        try:
            body = await self._service.read(operation_id, path, {"format": "full"})
        except ReadError:
            return {}
        data = body.get("data") if isinstance(body, dict) else None
        return data if isinstance(data, Mapping) else {}
