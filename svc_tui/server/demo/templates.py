"""Customisation templates of the demo data: all four types, and their use by companies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from svc_tui.interface.companies.access import is_standalone
from svc_tui.interface.customisation.features import BY_KEY, DISABLED, FORCED, SAME, TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import FULL, SAME_AS_COMPANY
from svc_tui.server.customisation import applying
from svc_tui.server.demo.accounts import LOGISTICS, NORTHWIND, PARTNER, STORM, account
from svc_tui.server.demo.repeatable import Calendar, id_of, number
from svc_tui.server.store.tables import Document

_NO_FILES = dict.fromkeys(
    (
        "fileStorageCustomisation",
        "fileSharingCustomisation",
        "fileCopyCustomisation",
        "fileTransferCustomisation",
        "instantMessagesCustomisation",
    ),
    DISABLED,
)
_NO_CALLS = dict.fromkeys(("useWebRTCAudioCustomisation", "useWebRTCVideoCustomisation"), DISABLED)

#: key, name, owner, other companies that may use it, differences from the defaults
_PRIVATE: tuple[tuple[str, str, str, tuple[str, ...], dict[str, Any]], ...] = (
    ("frontline", "Frontline staff", NORTHWIND, (LOGISTICS,), {**_NO_FILES, "useGifCustomisation": DISABLED}),
    ("kiosk", "Reception desk", NORTHWIND, (), {**_NO_CALLS, "userProfileCustomisation": DISABLED}),
    ("calls", "Telephony first", NORTHWIND, (), {"useSoftPhoneMode": FORCED, "showFirstPhoneCalls": "enabled"}),
    ("drivers", "Drivers", LOGISTICS, (), {"setDNDAppointment": FORCED, "canSynchCalendar": DISABLED}),
    ("customers", "For our customers", PARTNER, (NORTHWIND, "bluebird", "cedar"), {"useTeamsMode": DISABLED}),
    ("clinics", "Clinics", PARTNER, ("bluebird",), {**_NO_FILES, "recordingConversationCustomisation": DISABLED}),
    ("roofers", "Roofers", STORM, (), {}),
    ("workshop", "Workshop", STORM, (), {"useSoftPhoneMode": FORCED}),
)
_USED = {NORTHWIND: "calls", LOGISTICS: "drivers", "bluebird": "clinics", "cedar": "customers"}


def templates(calendar: Calendar, companies: Mapping[str, Document]) -> Iterator[Document]:
    """All templates."""
    yield _template(calendar, "full", FULL, "default_company", visibility="public")
    same = dict.fromkeys((key for key, feature in BY_KEY.items() if feature.values), SAME)
    yield _template(calendar, "same", SAME_AS_COMPANY, "default_user", visibility="public", **same)
    yield _template(calendar, "quiet", "Quiet hours", "other", visibility="public", ignoreVoipCallInDND=FORCED)
    standalone = {key: document["id"] for key, document in companies.items() if is_standalone(document)}
    for owner, id in standalone.items():
        yield _template(calendar, f"own/{owner}", applying.NAME, applying.TYPE, ownedByCompany=id)
    for key, name, company, others, values in _PRIVATE:
        visible_by = [id_of("company", each) for each in others]
        more = {"ownedByCompany": id_of("company", company), "visibleBy": visible_by, **values}
        yield _template(calendar, key, name[:64], "other", **more)


def _template(calendar: Calendar, key: str, name: str, type_: str, **more: Any) -> Document:
    return {
        "id": id_of("template", key),
        "name": name,
        "visibility": "private",
        "visibleBy": [],
        "type": type_,
        "createdBy": account("superadmin").id,
        "creationDate": calendar.ago(40 + number(f"template/{key}", 500), key),
        **TEMPLATE_DEFAULTS,
        **more,
    }


def used(company_key: str) -> Document:
    """The settings of a company from its applied template, if it is not the public one."""
    key = _USED.get(company_key)
    if key is None:
        return {}
    values = next(row[4] for row in _PRIVATE if row[0] == key)
    return {"selectedAppCustomisationTemplate": id_of("template", key), **values}
