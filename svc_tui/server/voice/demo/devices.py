"""SIP devices of the demo data and their registrations: desk phones, expansion modules, DECT, soft phones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from svc_tui.server.demo.accounts import NORTHWIND, STORM
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick, secret_of
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.demo.exchanges import EXCHANGES, DemoExchange
from svc_tui.server.voice.demo.lines import DemoLine
from svc_tui.server.voice.devices import DEVICE_MODELS, device_type

#: Models by name.
_MODELS = {model["model"]: model for model in DEVICE_MODELS}
_DESK = ("M110 desk", "M110 desk", "M320 desk", "M550 desk", "B40 desk")
_DECT, _GENERIC, _LARGEST = "Roam DECT", "Generic SIP", "M550 desk"
#: Unassigned devices: model and description.
_SPARE = (
    ("M110 desk", "Spare, shelf 3"),
    ("M110 desk", "Spare, shelf 3"),
    ("M320 desk", "Spare, shelf 4"),
    (_LARGEST, "Returned by reception"),
    ("B40 desk", "Spare, Porto"),
    (_DECT, "Handset without a battery"),
    (_GENERIC, "Door, entrance hall"),
    (_GENERIC, "Loudspeaker, warehouse"),
)
#: Unassigned devices in the vans of one company.
_ON_LOAN = 52
_SOFT = "Svc Desktop 2.148.1"


def devices(held: Sequence[DemoLine]) -> Iterator[Document]:
    """The devices of these subscribers, and unassigned devices."""
    for line in held:
        kind = number(f"device/{line.key}", 10)
        if kind < 8:
            yield _of_line(line, pick(f"model/{line.key}", _DESK), current=True)
        if kind in (7, 8):
            yield _of_line(line, _DECT, current=kind == 8)
    for exchange in EXCHANGES:
        for index, (model, name) in enumerate(_SPARE if exchange.company == NORTHWIND else _SPARE[2:4]):
            yield _device(exchange, f"{exchange.company}/spare {index}", model, name)
    for index in range(_ON_LOAN):
        yield _device(_of_storm(), f"{STORM}/{index}", "M110 desk", f"On loan, van {1 + index}")


def registrations(calendar: Calendar, held: Iterable[DemoLine], present: Iterable[Document]) -> Iterator[Document]:
    """The registrations of devices that are online, and of soft phones."""
    for device in present:
        if "phoneNumberId" in device and number(f"online/{device['id']}", 8):
            yield registration(device, _ends(calendar, device["id"]))
    for line in held:
        if number(f"soft/{line.key}", 2):
            yield _registration(line.exchange.id, line.id, line.short, line.id, _ends(calendar, line.id))


def registration(device: Document, until: str) -> Document:
    """The registration of a subscriber's device until that moment."""
    agent = f"{device['deviceType']['model']} 4.2.1"
    found = _registration(device["systemId"], device["phoneNumberId"], device["shortNumber"], device["id"], until)
    return {**found, "user_agent": agent, "deviceId": device["id"]}


def _of_line(line: DemoLine, model: str, *, current: bool) -> Document:
    device = _device(line.exchange, f"{line.key}/{model}", model, f"{model} of {line.name}"[:255])
    device.update(
        phoneNumberId=line.id,
        userId=line.user["id"],
        shortNumber=line.short,
        userDisplayName=line.name,
        currentDevice=current,
    )
    # Some subscribers need more keys than the telephone has.
    if model == _LARGEST and number(f"module/{line.key}", 3) == 0:
        device["expansionModules"] = [_module(line)]
    return device


def _device(exchange: DemoExchange, key: str, model: str, description: str) -> Document:
    return {
        "id": id_of("device", key),
        "description": description,
        **({"macAddress": _mac(key)} if _MODELS[model]["family"] == "desk_phone" else {}),
        "companyId": exchange.company_id,
        "systemId": exchange.id,
        "deviceType": device_type(_MODELS[model]),
    }


def _mac(key: str) -> str:
    # Locally administered addresses: no manufacturer uses them.
    digits = f"02{secret_of('mac', key)[:10]}"
    return ":".join(digits[at : at + 2] for at in range(0, 12, 2))


def _module(line: DemoLine) -> Document:
    first = [{"position": 1, "label": "Voicemail", "number": line.exchange.voicemail}]
    further = [{"position": 1 + key, "number": line.exchange.short(key)} for key in range(1, 6)]
    return {"type": "EM_20", "keys": first + further}


def _registration(system_id: str, phone_number_id: str, short: str, key: str, until: str) -> Document:
    address = f"10.{number(f'net/{key}', 200)}.{number(f'host/{key}', 250)}.{1 + number(f'end/{key}', 250)}"
    return {
        "id": id_of("registration", key),
        "systemId": system_id,
        "phoneNumberId": phone_number_id,
        "fullSipURI": f"sip:{short}@{address}:{40_000 + number(f'port/{key}', 20_000)};transport=tls",
        "expirationDate": until,
        "user_agent": _SOFT,
        "publicSourceRegistration": f"203.0.113.{1 + number(f'public/{system_id}', 250)}",
    }


def _ends(calendar: Calendar, key: str) -> str:
    """A moment tomorrow, so that they are online for the whole day of the demo."""
    return calendar.ago(-1, f"registration/{key}")


def _of_storm() -> DemoExchange:
    return next(exchange for exchange in EXCHANGES if exchange.company == STORM)
