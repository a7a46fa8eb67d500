"""What a document buys: the offers that it names, what they cost, and a journal, so that nothing is bought twice.

A line is written to the journal before a step is sent, and its outcome afterwards; values of the document are not in
it. A purchase that was sent and has no outcome is looked up in the service by the next plan. While it can still be on
its way, it is not planned again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from svc_tui.cache.opening import private_folder
from svc_tui.client.errors import ServiceError
from svc_tui.interface.catalogue import operation
from svc_tui.interface.data import RecordData
from svc_tui.interface.money import amount
from svc_tui.language import _, number_text
from svc_tui.workspace.core.service import Performer
from svc_tui.workspace.core.suggestions import suggestion

#: Seconds in which a request without a response can still be on its way.
ON_ITS_WAY = 30
#: The fields of an offer that a document can name it by.
_NAMES = ("name", "offerReference", "id")


@dataclass(frozen=True, slots=True)
class Price:
    """What a step costs: once, and more (or less) per month than now. `unknown` is the reason why it is not known."""

    currency: str = ""
    once: Decimal | None = None
    monthly: Decimal | None = None
    unknown: str = ""

    @property
    def text(self) -> str:
        """The price for readers."""
        if self.unknown:
            return _("price unknown: {reason}").format(reason=self.unknown.rstrip("."))
        once, monthly = (
            f"{number_text(value or 0, '+,.2f' if sign else ',.2f')} {self.currency}"
            for value, sign in ((self.once, False), (self.monthly, True))
        )
        return _("{monthly} per month, {once} once").format(monthly=monthly, once=once)

    def wire(self) -> dict[str, Any]:
        """The price for programs; amounts are texts."""
        if self.unknown:
            return {"unknown": self.unknown}
        amounts = {"oneTime": self.once, "monthly": self.monthly}
        return {
            "currency": self.currency,
            **{name: None if value is None else str(value) for name, value in amounts.items()},
        }


def offer_named(offers: list[RecordData], name: str) -> tuple[str, str]:
    """The ID of the offer with a name, reference or ID; or else the reason why it is none."""
    for wire in _NAMES:
        found = [row for row in offers if str(row.get(wire) or "").casefold() == name.casefold()]
        if len(found) == 1:
            return str(found[0]["id"]), ""
        if found:
            ids = ", ".join(str(row.get("offerReference") or row["id"]) for row in found)
            return "", _("Several offers are called “{name}”. Use one of {ids}.").format(name=name, ids=ids)
    sentence = _("There is no offer “{name}” in the catalog.").format(name=name)
    return "", f"{sentence} {suggestion(name, (str(row.get('name') or '') for row in offers), '')}".rstrip()


async def price_of(service: Performer, company_id: str, body: Mapping[str, Any]) -> tuple[Price, str]:
    """The price of a QuotationRequest, and why the order would be refused, empty where it would not."""
    try:
        answer = await service.perform("create_quotation", path={"companyId": company_id}, body=body)
    except ServiceError as error:
        return Price(unknown=error.sentence), ""
    found = answer.get("data") or {}
    once = [
        amount(each.get("dtcv")) or Decimal(0)
        for each in found.get("chargeMetrics") or ()
        if not amount(each.get("mrr"))
    ]
    price = Price(str(found.get("currency") or ""), sum(once, Decimal(0)), amount(found.get("totalDeltaMrr")))
    return price, str(found.get("orderRefusal") or "")


# --- the journal -------------------------------------------------------------------------------------------------


class Journal:
    """The steps that were sent to a company, with their outcomes: a line of JSON each.

    It is removed when all steps of a plan were done.
    """

    def __init__(self, folder: Path, user_id: str, company_id: str) -> None:
        digest = hashlib.sha256(f"{user_id}\0{company_id}".encode()).hexdigest()
        self._path = folder / f"company-{digest[:32]}.jsonl"

    def sending(self, operation_id: str, path: Mapping[str, str], body: Mapping[str, Any] | None) -> None:
        """Record that a step is sent. ServiceError: it is then not sent."""
        try:
            self._write("sent", operation_id, path, body)
        except OSError as error:
            text = _("Not sent: {file} cannot be written ({reason}).")
            raise ServiceError(text.format(file=self._path, reason=error.strerror)) from error

    def ended(self, outcome: str, operation_id: str, path: Mapping[str, str], body: Mapping[str, Any] | None) -> None:
        """Record an outcome. One that cannot be written is looked up by the next plan."""
        with suppress(OSError):
            self._write(outcome, operation_id, path, body)

    def _write(self, state: str, operation_id: str, path: Mapping[str, str], body: Mapping[str, Any] | None) -> None:
        private_folder(self._path.parent)
        line = json.dumps([round(time.time(), 3), state, *_key(operation_id, path, body)])
        with open(self._path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(line.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def waiting(self, operation_id: str, path: Mapping[str, str], body: Mapping[str, Any] | None) -> int:
        """Seconds for which a purchase may not be sent, because it was sent without a response; 0 for none."""
        if not operation(operation_id).costs:
            return 0
        since = 0.0
        for line in self._lines():
            if line[2:] == _key(operation_id, path, body):
                since = float(line[0]) if line[1] in ("sent", "unknown") else 0.0
        left = since + ON_ITS_WAY - time.time()
        return int(left) + 1 if 0 < left <= ON_ITS_WAY else 0

    def _lines(self) -> list[list[Any]]:
        try:
            texts = self._path.read_text("utf-8").splitlines()
        except (OSError, UnicodeError):
            return []
        lines = []
        for text in texts:
            # The last line of a killed program is no JSON.
            with suppress(ValueError):
                if isinstance(line := json.loads(text), list) and len(line) == 5:
                    lines.append(line)
        return lines

    def close(self) -> None:
        """Forget steps that have nothing left to continue."""
        with suppress(OSError):
            self._path.unlink(missing_ok=True)


def _key(operation_id: str, path: Mapping[str, str], body: Mapping[str, Any] | None) -> list[str]:
    """What a step changes: a record, or for a purchase the offer."""
    ids = " ".join(str(value) for _name, value in sorted(path.items()))
    return [operation_id, ids, str((body or {}).get("offerId") or "")]
