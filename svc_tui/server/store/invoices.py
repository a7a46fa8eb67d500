"""Issued invoices, with the party and the currency of their day: later changes of the company leave them alone."""

from __future__ import annotations

from collections.abc import Iterable

from svc_tui.interface.money import currency_in
from svc_tui.server.store import tables
from svc_tui.server.store.documents import DocumentCollection
from svc_tui.server.store.tables import Document
from svc_tui.server.store.transaction import Transaction

#: The fields of a company that an invoice shows.
_PARTY = ("name", "street", "postalCode", "city", "country")


def party_of(company: Document) -> Document:
    """The name and the address of a company, as an invoice shows them."""
    return {wire: company[wire] for wire in _PARTY if company.get(wire)}


class Invoices(DocumentCollection):
    """The invoices. One that is stored without a party or a currency gets those that its company has at this moment."""

    def __init__(self, transaction: Transaction) -> None:
        super().__init__(transaction, tables.INVOICES)
        self._companies = DocumentCollection(transaction, tables.COMPANIES)

    async def add_all(self, documents: Iterable[Document]) -> None:
        """Insert many invoices."""
        await super().add_all([await self._issued(document) for document in documents])

    async def put(self, document: Document) -> Document:
        """Insert or replace an invoice. It keeps its party and its currency."""
        before = await self.get(document["id"]) or {}
        kept = {wire: before[wire] for wire in ("billTo", "currency") if before.get(wire)}
        return await super().put(await self._issued({**kept, **document}))

    async def _issued(self, document: Document) -> Document:
        if document.get("billTo") and document.get("currency"):
            return document
        company = await self._companies.get(str(document.get("companyId") or ""))
        if company is None:
            return document
        currency = company.get("currency") or currency_in(company.get("country"))
        return {"billTo": party_of(company), "currency": currency, **document}
