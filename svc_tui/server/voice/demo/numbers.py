"""DDI numbers of the demo data: those of subscribers and welcome services, default numbers, and free numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from svc_tui.server.demo.accounts import NORTHWIND
from svc_tui.server.demo.repeatable import Calendar, id_of, number, secret_of
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.demo.exchanges import EXCHANGES, SHOPS, DemoExchange, trunk_of
from svc_tui.server.voice.demo.lines import DemoLine, ddi_id
from svc_tui.server.voice.demo.welcomes import SERVICES, DemoWelcomeService

#: First index and count of free numbers in the block of a CloudPBX.
_FREE = {NORTHWIND: (2_090, 10), "elm": (80, 4)}
_FREE_OTHERWISE = (90, 5)


def ddis(calendar: Calendar, held: Iterable[DemoLine]) -> Iterator[Document]:
    """All DDI numbers of the CloudPBXs, with those of these subscribers."""
    for line in held:
        for order, each in enumerate((line.ddi, *line.further)):
            if each:
                yield {**_ddi(calendar, line.exchange, each), **_held_by(line), **_order(order)}
    for service in SERVICES:
        for order, each in enumerate(service.numbers):
            yield {**_ddi(calendar, service.exchange, each), **_answered_by(service), **_order(order)}
    answered = {each for service in SERVICES for each in service.numbers}
    for exchange in EXCHANGES:
        first, count = _FREE.get(exchange.company, _FREE_OTHERWISE)
        for each in (exchange.ddi(0), *(exchange.ddi(first + index) for index in range(count))):
            if each not in answered:
                yield _ddi(calendar, exchange, each)


def large(calendar: Calendar) -> Iterator[Document]:
    """Free numbers that the large scale adds."""
    for index in range(200):
        yield _ddi(calendar, SHOPS, SHOPS.ddi(90_000 + index))


def _ddi(calendar: Calendar, exchange: DemoExchange, e164: str) -> Document:
    trunk = trunk_of(exchange.company)
    return {
        "id": ddi_id(e164),
        "number": e164,
        "numberE164": e164,
        "country": exchange.country,
        "systemId": exchange.id,
        **({"externalTrunkId": trunk} if trunk else {}),
        "type": "ddi",
        "deviceType": "landline",
        "isFromSystem": True,
        "isMonitored": False,
        "isCloudPbxDDI": True,
        "isCloudPbxDefault": e164 == exchange.ddi(0),
        "isAssignedAsSecondaryCloudPbxDDI": False,
        "creationDate": calendar.ago(40 + number(f"ddi/{e164}", 380), e164),
        "jid_im": f"{secret_of('ddi', e164)}@demo.example",
        "jid_tel": f"tel_{secret_of('ddi', e164)}@demo.example",
        "jid_password": secret_of("ddi password", e164),
    }


def _held_by(line: DemoLine) -> Document:
    user = line.user
    return {
        "userId": user["id"],
        "firstName": user["firstName"],
        "lastName": user["lastName"],
        "names": line.name,
        "deviceName": line.name,
    }


def _answered_by(service: DemoWelcomeService) -> Document:
    return {"ivrId": id_of("welcome service", service.key), "names": service.name, "deviceName": service.name}


def _order(order: int) -> Document:
    return {"isAssignedAsSecondaryCloudPbxDDI": True, "secondaryDdiOrder": order} if order else {}
