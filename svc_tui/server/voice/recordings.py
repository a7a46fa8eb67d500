"""Recordings: lists of a CloudPBX and across companies, one recording, and deletion (2.16, 4.7), also of expired ones
(8): in the background of the server, at its start and twice an hour.
"""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from functools import partial

from svc_tui.interface.access import Reach
from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.telephone_numbers import search_parts
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.interface.voice import recordings as declared
from svc_tui.interface.voice.moments import retained_since
from svc_tui.interface.voice.recordings import (
    SHORTEST_RECORDING,
    AllRecordingsQuery,
    Recording,
    RecordingDeletion,
    RecordingQuery,
)
from svc_tui.server.hooks import background_job
from svc_tui.server.http.parsing import RECORD_ID
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.running.background import Sleep
from svc_tui.server.running.turns import in_turn
from svc_tui.server.service import Service
from svc_tui.server.store.conditions import (
    AllOf,
    AnyFieldIn,
    AnyOf,
    AtLeast,
    AtMost,
    Condition,
    Contains,
    ContainsAny,
    In,
    Is,
    ReferencedBy,
    Related,
)
from svc_tui.server.stored import StoredCompany
from svc_tui.server.voice.access import locked_pbx, reached_pbx, record_of_pbx
from svc_tui.server.voice.stored import StoredRecording

#: The most recordings that one deletion names.
_MOST = 1000


@rule(declared.list_recordings)
async def list_recordings(call: Call[RecordingQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    where = [Is("systemId", pbx.id), *_filters(call.query, pbx.country)]
    return await page_of(call, call.store.recordings, Recording, call.query, *where)


@rule(declared.list_recordings_across_companies)
async def list_recordings_across_companies(call: Call[AllRecordingsQuery]) -> RuleResult:
    assert call.caller is not None
    own = typed(StoredCompany, await call.store.companies.get(call.caller.company_id))
    where = [*await _scope(call), *_filters(call.query, own.country if own else None)]
    return await page_of(call, call.store.recordings, Recording, call.query, *where)


@rule(declared.get_recording)
async def get_recording(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    id = call.path["recordId"]
    recording = await record_of_pbx(StoredRecording, call.store.recordings, pbx, id, "Recording")
    return {"data": document_of(recording)}


@rule(declared.delete_recordings)
async def delete_recordings(call: Call[RecordingDeletion]) -> RuleResult:
    pbx = await locked_pbx(call)
    ids = _ids("recordIds", call.query.record_ids)
    if not ids or len(ids) > _MOST:
        raise invalid(Problem("recordIds", f"must name 1 to {_MOST} recordings", len(ids)))
    # Some may be deleted already: they expired, or another administrator deleted them.
    count = await call.store.recordings.remove_all(Is("systemId", pbx.id), In("id", ids))
    if not count:
        raise Refusal(Code.NOT_FOUND, "None of these recordings was found.")
    return {"status": f"{count} {'recording' if count == 1 else 'recordings'} successfully deleted", "data": []}


async def _scope(call: Call[AllRecordingsQuery]) -> list[Condition]:
    """The recordings that the caller reaches and that a scope covers. Refusal 400000 for all of all companies."""
    query, caller = call.query, call.caller
    assert caller is not None
    systems, companies = _ids("systemIds", query.system_ids or ""), _ids("companyIds", query.company_ids or "")
    of_sites = ContainsAny("siteId", tuple(_ids("siteIds", query.site_ids or "")))
    found = await call.store.cloudpbxs.few_ids(of_sites) if query.site_ids else []
    scoped = query.system_ids or query.site_ids or query.company_ids
    chosen: Condition = AnyFieldIn((("systemId", (*systems, *(found or ()))), ("companyId", tuple(companies))))
    if found is None:
        chosen = AnyOf((chosen, Related("systemId", "cloudpbxs", of_sites)))
    if Reach.ANY in call.reached:
        if not scoped:
            raise invalid(Problem("companyIds", "or systemIds or siteIds is required to read across all companies"))
        return [chosen]
    if not caller.organisation_id:
        raise Refusal(Code.NOT_MANAGED, "You belong to no organisation.")
    own = Is("organisationId", caller.organisation_id)
    reached = Related("companyId", "companies", own)
    if scoped:
        return [reached, chosen]
    few = await call.store.companies.few_ids(own)
    return [reached if few is None else AnyFieldIn((("companyId", tuple(few)),))]


def _filters(query: RecordingQuery, country: str | None) -> list[Condition]:
    """The filters that both lists share. A number matches in any notation of the country."""
    if query.from_date and query.to_date and stamp(query.from_date) > stamp(query.to_date):
        raise invalid(Problem("toDate", "is before fromDate", stamp(query.to_date)))
    where: list[Condition] = []
    if query.phone_number_id:
        where.append(Is("phoneNumberId", checked_id("phoneNumberId", query.phone_number_id)))
    if query.from_date:
        where.append(AtLeast("date", stamp(query.from_date)))
    if query.to_date:
        where.append(AtMost("date", stamp(query.to_date)))
    if query.recorded_name:
        where.append(Contains("recordedName", query.recorded_name))
    for wire, text in (("recordedNumber", query.recorded_number), ("otherNumber", query.other_number)):
        if text:
            parts = {text.strip(), *search_parts(text, country)}
            where.append(AnyOf(tuple(Contains(wire, part) for part in sorted(parts))))
    return [AllOf(tuple(where))]


def _ids(param: str, text: str) -> list[str]:
    """The identifiers in a comma-separated list, each once. Refusal 400000 for a text that is none."""
    found = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for id in found:
        if not RECORD_ID.fullmatch(id):
            raise invalid(Problem(param, "has an entry that is not an identifier", id[:64]))
    return found


#: Seconds between two rounds. At least one an hour is required.
INTERVAL = 1800.0
_BEFORE = timedelta(milliseconds=1)


@background_job
def keeping(service: Service, sleep: Sleep = asyncio.sleep) -> AbstractAsyncContextManager[None]:
    """Delete expired recordings while the block runs."""
    act, failure = partial(expire, service), "expired recordings could not be deleted"
    # The next round finds what could not be deleted.
    return in_turn(service, "recordings", act, INTERVAL, failure, done="expired recordings deleted", sleep=sleep)


async def expire(service: Service) -> int:
    """Delete the expired recordings, company by company. Returns their number."""
    async with service.database.unit() as store:
        kept = await store.companies.numbers(
            "cloudPbxRecordingRetention", ReferencedBy("recordings", "companyId", AllOf(()))
        )
    count = 0
    for company_id, days in kept.items():
        async with service.database.unit() as store:
            where = _due(service, company_id, days)
            # Count first: without expired recordings no other request waits for this transaction.
            if await store.recordings.count(*where):
                count += await store.recordings.remove_all(*where)
    return count


def _due(service: Service, company_id: str, days: int | None) -> tuple[Condition, ...]:
    since = retained_since(service.clock.now(), days)
    too_short = AtMost("duration", f"{SHORTEST_RECORDING - 1:012d}")
    return Is("companyId", company_id), AnyOf((AtMost("date", stamp(since - _BEFORE)), too_short))
