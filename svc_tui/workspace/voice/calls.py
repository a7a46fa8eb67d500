"""Reading what the path of a call depends on, and which devices are online, with when each was seen online last."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Protocol

from svc_tui.cache.store import Cache
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import moment, stamp
from svc_tui.interface.errors import items
from svc_tui.interface.telephone_numbers import external_number
from svc_tui.interface.voice.call_path import CallPath
from svc_tui.interface.voice.call_steps import FIND_NUMBER, Answer, Ask, Called
from svc_tui.interface.voice.findings import registered
from svc_tui.workspace.core.service import Reader, ReadError, Service
from svc_tui.workspace.kinds.registry import SEARCH_RULES, kind_of
from svc_tui.workspace.search.lookup import Budget, Lookup

#: Devices and extensions that were online, in the cache: when they were seen last.
_SEEN, _SEEN_FORM = "seenonline", "full"
#: The registrations of a device and of a subscriber, with the parameter of their ID.
REGISTRATIONS = {"list_sip_device_registrations": "deviceId", "list_subscriber_registrations": "phoneNumberId"}
_FEW = 20


class CachedReader(Reader, Protocol):
    """Reads from the service, beside its cache."""

    @property
    def cache(self) -> Cache: ...


async def find_owner(service: Service, system_id: str, number: str, country: str | None) -> Mapping[str, str]:
    """Whose number of a CloudPBX this is: `{"subscribers": id}` for an internal number, `{"ddis": id}`; empty for
    none. ReadError without a response."""
    asked = {"shortNumber": number, "limit": _FEW}
    if number.isdecimal():
        body = await service.read("list_system_phone_numbers", {"systemId": system_id}, asked)
        for row in items(body.get("data") if isinstance(body, dict) else None):
            if row.get("shortNumber") == number:
                return {"subscribers": str(row.get("id"))}
    try:
        wanted = external_number(number, country).number
    except ValueError:
        return {}
    rule = next(each for each in SEARCH_RULES if each.kind == "ddis")
    found = await Lookup(Budget(service), rule, {"systemId": system_id}, {}, country).compared({"number": wanted})
    return next(({"ddis": str(row.get("id"))} for row in found.rows if row.get("numberE164") == wanted), {})


async def registrations(
    service: CachedReader, operation_id: str, path: Mapping[str, str], now: datetime
) -> list[RecordData]:
    """The current registrations of a device or subscriber; remembers that they were seen. ReadError without a
    response."""
    body = await service.read(operation_id, path, {})
    found = registered(items(body.get("data") if isinstance(body, dict) else None), now)
    owner = path[REGISTRATIONS[operation_id]]
    seen = {owner: stamp(now)} if found else {}
    seen |= {str(each["deviceId"]): stamp(now) for each in found if each.get("deviceId")}
    for record_id, at in seen.items():
        await service.cache.store_record(
            _SEEN,
            record_id,
            {"id": record_id, "seen": at},
            operation_id=operation_id,
            form=_SEEN_FORM,
            fetched=now.timestamp(),
        )
    return found


async def last_seen(cache: Cache, record_ids: Collection[str]) -> Mapping[str, datetime]:
    """When this console last saw devices and subscribers online; nothing for those that it never did."""
    found = await cache.read_records(_SEEN, record_ids)
    return {str(each.get("id")): moment(str(each["seen"])) for each in found if each.get("seen")}


class CallReader:
    """The answers of the service for the path of one call. What was read stays when the service is gone."""

    def __init__(self, service: Service, called: Called) -> None:
        self._service, self.called = service, called
        self._answers: dict[Ask, Answer] = {}
        self._seen: dict[str, datetime] = {}
        #: Whether something is not current, because the service did not respond.
        self.offline = False

    def path(self, at: datetime | None = None) -> CallPath:
        """The path at a moment, by default now, as far as it is known."""
        now = self.now
        return CallPath(self.called, self._answers, at or now, now, self._seen)

    @property
    def now(self) -> datetime:
        """The time."""
        return datetime.fromtimestamp(self._service.now(), UTC)

    async def load(
        self, changed: Callable[[], None], at: Callable[[], datetime | None], *, again: bool = False
    ) -> None:
        """Read what is missing for the moment that is chosen; `again` reads everything again."""
        self.offline = False
        if again:
            await self._read_all(list(self._answers))
        while missing := self.path(at()).missing:
            await self._read_all(missing)
            changed()
        devices = [step.record_id for step in self.path(at()).steps if step.kind == "sipdevices"]
        self._seen.update(await last_seen(self._service.cache, devices))
        changed()

    async def _read_all(self, asks: Iterable[Ask]) -> None:
        await asyncio.gather(*map(self._read, asks))

    async def _read(self, ask: Ask) -> None:
        try:
            self._answers[ask] = Answer(await self._data(ask))
        except ReadError as error:
            self.offline = self.offline or error.offline
            before = self._answers.get(ask)
            if error.offline and before is not None and before.data is not None:
                return
            cached = await self._cached(ask) if error.offline else None
            self._answers[ask] = Answer(cached, "" if cached is not None else error.sentence)

    async def _data(self, ask: Ask) -> Any:
        path = dict(ask.path)
        if ask.operation == FIND_NUMBER:
            pbx = self._answers.get(Ask("get_cloudpbx", (("systemId", path["systemId"]),)))
            country = (pbx.data or {}).get("country") if pbx else None
            return await find_owner(self._service, path["systemId"], path["number"], country)
        if ask.operation in REGISTRATIONS:
            return await registrations(self._service, ask.operation, path, self.now)
        body = await self._service.read(ask.operation, path, {"format": "full"})
        data = body.get("data") if isinstance(body, dict) else None
        if data is None:
            raise ReadError("", missing=True)
        return data

    async def _cached(self, ask: Ask) -> Any:
        """The record in the cache; None for a list, and where there is none."""
        if not ask.operation.startswith("get_"):
            return None
        try:
            kind = kind_of(ask.operation)
        except LookupError:
            return None
        record_id = dict(ask.path).get(kind.parameter, "")
        for form in ("full", "medium", "small"):
            found = await self._service.cache.read_record(kind.name, record_id, form)
            if found is not None:
                return found.data
        return None
