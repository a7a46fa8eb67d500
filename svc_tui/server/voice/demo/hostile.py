"""Hostile texts in the voice records of one demo company."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.server.demo.accounts import STORM
from svc_tui.server.demo.hostile import TEXTS, HostileText
from svc_tui.server.demo.repeatable import id_of


def texts() -> Iterator[HostileText]:
    """The texts of its CloudPBX, subscribers, devices and welcome services."""
    exchange = id_of("cloudpbx", STORM)
    plan = [{"prefix": "9", "digits": 4, "description": TEXTS["markup-action"]}]
    names = {"name": TEXTS["title"], "latin_name": TEXTS["title"]}
    settings = {"customSipHeader_1": TEXTS["bidi-override"], "numberingPlan": plan}
    yield HostileText("cloudpbxs", exchange, {**names, "cloudpbx": settings})
    patterns = [{"pattern": "+339", "description": TEXTS["bidi-override"]}]
    yield HostileText("prohibited_numbers", exchange, {"patterns": patterns})
    yield HostileText("office_hours", exchange, {"name": TEXTS["markup-close"]}, by="systemId")
    yield HostileText("welcomes", exchange, {"name": TEXTS["formula"]}, by="systemId")
    service = {"name": TEXTS["clipboard"], "companyCalendarName": TEXTS["markup-close"]}
    yield HostileText("welcome_services", exchange, service, by="systemId")
    for index, text in enumerate(TEXTS.values()):
        user, names = id_of("user", f"{STORM}/{index}"), {"firstName": "", "lastName": text, "names": text}
        yield HostileText("subscribers", user, {**names, "deviceName": text}, by="userId")
        yield HostileText("ddis", user, names, by="userId")
        yield HostileText("devices", user, {"userDisplayName": text}, by="userId")
        yield HostileText("devices", id_of("device", f"{STORM}/{index}"), {"description": text})
