"""Quotations that follow what is asked: after a short pause, the request before it given up, no late answer shown."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol

from svc_tui.workspace.core.events import Event, LinkChanged, Listeners, SessionChanged
from svc_tui.workspace.core.service import Performer

if TYPE_CHECKING:
    from svc_tui.client.errors import ServiceError
    from svc_tui.client.session import Session

#: Seconds without a change after which a quotation is asked for.
PAUSE = 0.3
QUOTE = "create_quotation"

Fields = Mapping[str, Any]
#: Nothing to ask · a change may follow · sent · here · the service refused · no answer, asked again by itself.
State = Literal["nothing", "waiting", "asking", "quoted", "refused", "lost"]


class QuotationService(Performer, Protocol):
    """What a quotation needs of the workspace."""

    @property
    def session(self) -> Session | None: ...
    def subscribe(self, callback: Callable[[Event], None]) -> Callable[[], None]: ...


class LiveQuotation:
    """The quotation of what is wanted now.

    `quotation` is the answer to `wanted` and to nothing else, None until it is here. `sentence` says what became of
    it otherwise, `problems` the same by field. What was not answered is asked again when link or login are back.
    `pause` waits for so many seconds.
    """

    def __init__(
        self, service: QuotationService, company_id: str, pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        self._service, self._company_id, self._pause = service, company_id, pause
        self.wanted: Fields | None = None
        self.state: State = "nothing"
        self.quotation: Fields | None = None
        self.sentence = ""
        self.problems: Mapping[str, str] = MappingProxyType({})
        self._task: asyncio.Task[None] | None = None
        self._listeners: Listeners[None] = Listeners()
        self._forget = service.subscribe(self._heard)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Be told when anything of this quotation changed; returns what ends it."""
        return self._listeners.add(lambda _: callback())

    def want(self, body: Fields | None, *, at_once: bool = False) -> None:
        """Ask for this QuotationRequest, after the pause unless `at_once`; None: there is nothing to ask."""
        if body != self.wanted:
            self._begin(body, 0 if at_once else PAUSE)

    def again(self) -> None:
        """Ask for the same once more, at once."""
        self._begin(self.wanted, 0)

    def like(self, other: LiveQuotation) -> None:
        """Want what another one wants; its answer is taken where it is here already."""
        self._stop()
        self.wanted = other.wanted
        if other.state == "quoted":
            self.quotation = other.quotation
            self._is("quoted")
        else:
            self._begin(other.wanted, 0)

    async def settled(self) -> None:
        """Until nothing is under way."""
        while self._task is not None and not self._task.done():
            await asyncio.wait({self._task})

    def close(self) -> None:
        """Give up what is under way; nothing is told any more."""
        self._listeners.callbacks.clear()
        self._forget()
        self._stop()

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _begin(self, body: Fields | None, pause: float) -> None:
        self._stop()
        self.wanted, self.quotation = body, None
        if body is None:
            self._is("nothing")
            return
        self._is("waiting" if pause else "asking")
        self._task = asyncio.get_running_loop().create_task(self._ask(body, pause))

    async def _ask(self, body: Fields, pause: float) -> None:
        from svc_tui.client.errors import ServiceError

        if pause:
            await self._pause(pause)
            self._is("asking")
        try:
            answer = await self._service.perform(QUOTE, path={"companyId": self._company_id}, body=dict(body))
        except ServiceError as error:
            if body is self.wanted:
                self._failed(error)
            return
        found = answer.get("data")
        # Giving up does not call an answer back that is here already.
        if body is not self.wanted:
            return
        if isinstance(found, Mapping):
            self.quotation = found
            self._is("quoted")
        else:
            self._is("refused", "The service answered something that is no quotation.")

    def _failed(self, error: ServiceError) -> None:
        from svc_tui.client.errors import Refused, SessionEnded, Unreachable

        if isinstance(error, (SessionEnded, Unreachable)):
            self._is("lost", error.sentence)
            return
        told = error.problems if isinstance(error, Refused) else ()
        self._is("refused", error.sentence, {each.param: each.msg for each in told if each.param})

    def _is(self, state: State, sentence: str = "", problems: Mapping[str, str] = MappingProxyType({})) -> None:
        self.state, self.sentence, self.problems = state, sentence, problems
        self._listeners.tell(None)

    def _heard(self, event: Event) -> None:
        back = isinstance(event, LinkChanged) and event.link.state in ("live", "slow")
        session = self._service.session
        back |= isinstance(event, SessionChanged) and session is not None and session.state == "full"
        if back and self.state == "lost":
            self.again()


@dataclass(frozen=True, slots=True)
class Difference:
    """An amount as it is today, as it would be, and the step between; what is not known is None."""

    today: Decimal | None
    then: Decimal | None
    step: Decimal | None


def difference(quotation: Fields, then: str, step: str) -> Difference:
    """An amount of a quotation beside today's: what it would be less how it changes."""
    from svc_tui.interface.money import amount

    after, by = amount(quotation.get(then)), amount(quotation.get(step))
    return Difference(after - by if after is not None and by is not None else None, after, by)


def month(quotation: Fields) -> Difference:
    """What a month costs."""
    return difference(quotation, "contractedMrr", "totalDeltaMrr")


def total(quotation: Fields) -> Difference:
    """What the whole term costs."""
    return difference(quotation, "totalContractedValue", "totalDeltaTcv")


def without_promotion(quotation: Fields) -> Difference:
    """What a month costs when the promotion is over: the charges without what is taken off them. Each amount is None
    where nothing is taken off."""
    from svc_tui.interface.money import amount

    told = [(amount(each.get("mrr")), amount(each.get("dmrr"))) for each in charges(quotation)]
    then = [mrr for mrr, _ in told if mrr is not None]
    today = [mrr - step for mrr, step in told if mrr is not None and step is not None]
    return Difference(_regular(today), _regular(then), None)


def _regular(amounts: Sequence[Decimal]) -> Decimal | None:
    """The charges alone; None where nothing is taken off them."""
    return sum((each for each in amounts if each > 0), Decimal(0)) if any(each < 0 for each in amounts) else None


def promoted_months(quotation: Fields) -> int | None:
    """For how many months of the term something is taken off; None where the figures do not tell, as month by month."""
    from svc_tui.interface.money import amount

    told = [(amount(each.get("mrr")) or 0, amount(each.get("tcv")) or 0) for each in charges(quotation)]
    found = {term / month for month, term in told if month < 0}
    if len(found) != 1 or max((term / month for month, term in told if month > 0), default=0) <= 1:
        return None
    months = found.pop()
    return int(months) if months == int(months) else None


def charges(quotation: Fields | None) -> list[Fields]:
    """Each charge of a quotation by month and term."""
    return _records(quotation, "chargeMetrics")


def invoice_items(quotation: Fields | None) -> list[Fields]:
    """The lines of the invoice that would follow."""
    return _records(quotation, "invoiceItems")


def charge_name(charge: Fields, quotation: Fields, service: str) -> str:
    """What a charge is called: as the invoice calls it; where that has no line of it, a discount, or the service."""
    id, month = charge.get("productRatePlanChargeId"), str(charge.get("mrr") or "")
    named = [each for each in invoice_items(quotation) if id and each.get("productRatePlanChargeId") == id]
    found = next((str(each["chargeName"]) for each in named if each.get("chargeName")), "")
    return found or ("Discount" if month.startswith("-") else service)


def _records(quotation: Fields | None, name: str) -> list[Fields]:
    found = (quotation or {}).get(name)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []
