"""The steps of the path of a call, what must be read for them, and what records say about them (2.14 to 2.17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from svc_tui.interface.data import RecordData
from svc_tui.interface.value_words import word
from svc_tui.interface.voice.access import DEFAULT_DELAY
from svc_tui.interface.voice.moments import moment_text
from svc_tui.language import _, local_moment

#: What a step does to the call: it passes, is prevented, is limited; it is not known; or it is only good to know.
StepEffect = Literal["passes", "prevents", "limits", "unknown", "notes"]
#: Not an operation: the owner of a number on a CloudPBX, as `{"ddis": id}` or `{"subscribers": id}`, empty for none.
FIND_NUMBER = "find_number"


@dataclass(frozen=True, slots=True)
class Ask:
    """What must be read: an operation with its path."""

    operation: str
    path: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The data of a response; without it, the reason."""

    data: Any = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of the call: its subject, its name, and in a sentence what happens there.

    `kind` and `record_id` are its record; `branch` is a device or number that rings together with others.
    """

    about: str
    name: str
    sentence: str
    effect: StepEffect = "passes"
    kind: str = ""
    record_id: str = ""
    branch: bool = False
    system_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What is called, on one CloudPBX: a DDI number, an extension, or the extension of a device."""

    system_id: str
    ddi_id: str = ""
    subscriber_id: str = ""
    device_id: str = ""


def state_of(pbx: RecordData) -> tuple[str, StepEffect]:
    """Whether a CloudPBX takes calls."""
    if pbx.get("blockedDate"):
        return _("The CloudPBX is blocked."), "prevents"
    if pbx.get("status") == "disconnected":
        return _("The CloudPBX is disconnected."), "prevents"
    return _("The CloudPBX is connected."), "passes"


def holder_of(ddi: RecordData) -> tuple[str, StepEffect]:
    """Who answers a DDI number."""
    holder, order = str(ddi.get("names") or ""), ddi.get("secondaryDdiOrder")
    if ddi.get("ivrId"):
        return _("Answered by the welcome service {name}.").format(name=holder), "passes"
    if ddi.get("userId") and order:
        return _("Further number {order} of {name}.").format(order=order, name=holder), "passes"
    if ddi.get("userId"):
        return _("Main number of {name}.").format(name=holder), "passes"
    if holder:
        return _("Assigned to {name}.").format(name=holder), "passes"
    return _("The number is not assigned."), "prevents"


def trunk_of(settings: RecordData) -> tuple[str, str, StepEffect]:
    """The trunk of a CloudPBX, and whether calls from outside arrive there."""
    found = settings.get("externalTrunkAdditionalInfo")
    trunk: RecordData = found if isinstance(found, dict) else {}
    name, state = str(trunk.get("name") or ""), trunk.get("status")
    if not settings.get("externalTrunkId"):
        return _("none"), _("No trunk is linked: no calls from outside."), "prevents"
    if state not in (None, "", "active"):
        return name, _("The trunk is {state}.").format(state=word(state)), "prevents"
    return name, _("Calls from outside arrive here."), "passes"


def forwarding_of(subscriber: RecordData, company: RecordData) -> str:
    """Whether calls may be forwarded to external numbers, by the subscriber's own or the company's setting; empty if
    that is unknown."""
    own, of_company = subscriber.get("callForwardOptions"), company.get("callForwardOptions")
    chosen = own.get("externalCallForward") if isinstance(own, dict) else None
    if chosen in (None, "", "company_policy"):
        chosen = of_company.get("externalCallForward") if isinstance(of_company, dict) else None
    if chosen is None:
        return ""
    if chosen == "authorized":
        return _("To external numbers it is permitted. What the user forwards now is not shown by the service.")
    return _("To external numbers it is not permitted.")


def overflow_of(overflow: RecordData, company: RecordData) -> tuple[str, bool]:
    """When calls go to voicemail, and whether they do when no device is online."""
    found = company.get("overflowSubscribersToVoicemail")
    of_company: RecordData = found if isinstance(found, dict) else {}
    chosen = overflow.get("unavailableOverflow")
    as_company = chosen in (None, "", "default") and bool(of_company.get("activateUnavailableOverflow"))
    voicemail = chosen == "custom" or as_company
    delay = overflow.get("noReplyDelay") or of_company.get("noReplyDelay") or DEFAULT_DELAY
    unanswered = (
        _("Unanswered: voicemail after {delay} s.").format(delay=delay)
        if overflow.get("activate")
        else _("Unanswered: rings on, no voicemail.")
    )
    offline = _("No device online: voicemail.") if voicemail else _("No device online: the call ends.")
    return f"{unanswered} {offline}", voicemail


def settings_of(pbx: RecordData) -> RecordData:
    """The settings of a CloudPBX."""
    found = pbx.get("cloudpbx")
    return found if isinstance(found, dict) else {}


def target_of(service: RecordData, open: bool) -> RecordData:
    """The overflow in effect; one that refers to the other is that one."""
    wires = ("openHoursOverflow", "closedHoursOverflow")
    for wire in wires if open else wires[::-1]:
        found = service.get(wire)
        if isinstance(found, dict) and found.get("type") not in ("closed_hours", "office_hours"):
            return found
    return {}


def device_name(device: RecordData) -> str:
    """The name of a device, otherwise its MAC address."""
    return str(device.get("description") or device.get("macAddress") or "?")


def online_until(registration: RecordData) -> str:
    """Until when a device is registered."""
    until = registration.get("expirationDate")
    return _("Online, registered until {time}.").format(time=time_text(str(until))) if until else _("Online.")


def time_text(value: str) -> str:
    """A time in the zone of the reader."""
    local = local_moment(value)
    return moment_text(local, local.tzinfo) if local is not None and local.tzinfo is not None else value


def last_branches(steps: Sequence[PathStep]) -> list[bool]:
    """For each step whether it is the last of its branches."""
    return [step.branch and not any(after.branch for after in steps[at + 1 : at + 2]) for at, step in enumerate(steps)]
