"""Quotations that follow the form: requested after a short pause; an earlier request is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from svc_tui.client.errors import Refused, ServiceError, SessionEnded, Unreachable
from svc_tui.interface.data import RecordData
from svc_tui.interface.money import amount
from svc_tui.language import _
from svc_tui.workspace.core.events import Event, LinkChanged, Listeners, SessionChanged
from svc_tui.workspace.core.service import Service
from svc_tui.workspace.core.tasks import start_task

if TYPE_CHECKING:
    pass

#: Seconds without a change after which a quotation is asked for.
PAUSE = 0.3
QUOTE = "create_quotation"
#: Nothing to request · a change may follow · sent · received · refused · no response, repeated automatically.
QuotationState = Literal["nothing", "waiting", "asking", "quoted", "refused", "lost"]


class LiveQuotation:
    """The quotation of the latest request.

    `quotation` is the response to `requested`, None until it is received. `sentence` is the reason of a failure,
    `problems` has its parts by field. A request without a response is repeated after a reconnection or a login.
    `pause` waits for a number of seconds.
    """

    def __init__(
        self, service: Service, company_id: str, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._service, self._company_id, self._pause = service, company_id, pause
        self.requested: RecordData | None = None
        self.state: QuotationState = "nothing"
        self.quotation: RecordData | None = None
        self.sentence = ""
        self.problems: Mapping[str, str] = MappingProxyType({})
        self._task: asyncio.Task[None] | None = None
        self._listeners: Listeners[None] = Listeners()
        self._unsubscribe = service.subscribe(self._on_event)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back for every change of the quotation; returns the function that unsubscribes."""
        return self._listeners.add(lambda _: callback())

    def request(self, body: RecordData | None, *, at_once: bool = False, again: bool = False) -> None:
        """Send this QuotationRequest, after the pause unless `at_once`; None: there is nothing to request.

        One that was sent already is sent only with `again`.
        """
        if again or body != self.requested:
            self._begin(body, 0 if at_once else PAUSE)

    def repeat(self) -> None:
        """Send the same request again immediately."""
        self._begin(self.requested, 0)

    def copy_from(self, other: LiveQuotation) -> None:
        """Request the same as another quotation; its response is taken if it was received."""
        self._stop()
        self.requested = other.requested
        if other.state == "quoted":
            self.quotation = other.quotation
            self._set("quoted")
        else:
            self._begin(other.requested, 0)

    def close(self) -> None:
        """Cancel the request in progress and stop all callbacks."""
        self._listeners.callbacks.clear()
        self._unsubscribe()
        self._stop()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _begin(self, body: RecordData | None, pause: float) -> None:
        self._stop()
        self.requested, self.quotation = body, None
        if body is None:
            self._set("nothing")
            return
        self._set("waiting" if pause else "asking")
        self._task = start_task(self._ask(body, pause))

    async def _ask(self, body: RecordData, pause: float) -> None:
        if pause:
            await self._pause(pause)
            self._set("asking")
        try:
            answer = await self._service.perform(QUOTE, path={"companyId": self._company_id}, body=dict(body))
        except ServiceError as error:
            if body is self.requested:
                self._failed(error)
            return
        except Exception:
            # An internal error is reported, and must not look like a request in progress.
            if body is self.requested:
                self._set("refused", _("The quotation failed."))
            raise
        found = answer.get("data")
        # Cancelling does not stop a response that was received already.
        if body is not self.requested:
            return
        if isinstance(found, Mapping):
            self.quotation = found
            self._set("quoted")
        else:
            self._set("refused", _("Unexpected response: not a quotation."))

    def _failed(self, error: ServiceError) -> None:
        if isinstance(error, (SessionEnded, Unreachable)):
            self._set("lost", error.sentence)
            return
        problems = error.problems if isinstance(error, Refused) else ()
        self._set("refused", error.sentence, {each.param: each.msg for each in problems if each.param})

    def _set(
        self, state: QuotationState, sentence: str = "", problems: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.state, self.sentence, self.problems = state, sentence, problems
        self._listeners.notify(None)

    def _on_event(self, event: Event) -> None:
        ready = isinstance(event, LinkChanged) and event.link.state in ("live", "slow")
        session = self._service.session
        ready |= isinstance(event, SessionChanged) and session is not None and session.state == "full"
        if ready and self.state == "lost":
            self.repeat()


@dataclass(frozen=True, slots=True)
class AmountChange:
    """An amount today, with the quotation, and the difference; an unknown amount is None."""

    today: Decimal | None
    then: Decimal | None
    step: Decimal | None


def _amount_change(quotation: RecordData, then: str, step: str) -> AmountChange:
    """An amount of a quotation and today's: the amount less its change."""
    after, by = amount(quotation.get(then)), amount(quotation.get(step))
    return AmountChange(after - by if after is not None and by is not None else None, after, by)


def month(quotation: RecordData) -> AmountChange:
    """The costs of a month."""
    return _amount_change(quotation, "contractedMrr", "totalDeltaMrr")


def total(quotation: RecordData) -> AmountChange:
    """The costs of the whole term."""
    return _amount_change(quotation, "totalContractedValue", "totalDeltaTcv")


def without_promotion(quotation: RecordData) -> AmountChange:
    """The costs of a month after the promotion: the charges without discounts. Each amount is None without one."""
    amounts = [(amount(each.get("mrr")), amount(each.get("dmrr"))) for each in charges(quotation)]
    then = [mrr for mrr, _ in amounts if mrr is not None]
    today = [mrr - step for mrr, step in amounts if mrr is not None and step is not None]
    return AmountChange(_without_discounts(today), _without_discounts(then), None)


def _without_discounts(amounts: Sequence[Decimal]) -> Decimal | None:
    """The sum of the charges without discounts; None where there is no discount."""
    return sum((each for each in amounts if each > 0), Decimal(0)) if any(each < 0 for each in amounts) else None


def promoted_months(quotation: RecordData) -> int | None:
    """Number of months with a discount; None where it cannot be computed, as for a monthly term."""
    amounts = [(amount(each.get("mrr")) or 0, amount(each.get("tcv")) or 0) for each in charges(quotation)]
    found = {term / month for month, term in amounts if month < 0}
    if len(found) != 1 or max((term / month for month, term in amounts if month > 0), default=0) <= 1:
        return None
    months = found.pop()
    return int(months) if months == int(months) else None


def charges(quotation: RecordData | None) -> list[RecordData]:
    """The charges of a quotation, by month and term."""
    return _records(quotation, "chargeMetrics")


def invoice_items(quotation: RecordData | None) -> list[RecordData]:
    """The lines of the resulting invoice."""
    return _records(quotation, "invoiceItems")


def charge_name(charge: RecordData, quotation: RecordData, service: str) -> str:
    """The name of a charge: that of its invoice line, or else a discount or the service."""
    id, month = charge.get("productRatePlanChargeId"), str(charge.get("mrr") or "")
    named = [each for each in invoice_items(quotation) if id and each.get("productRatePlanChargeId") == id]
    found = next((str(each["chargeName"]) for each in named if each.get("chargeName")), "")
    return found or (_("Discount") if month.startswith("-") else service)


def _records(quotation: RecordData | None, name: str) -> list[RecordData]:
    found = (quotation or {}).get(name)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []
