"""Why a phone rings or not: the path of a call to a number of a CloudPBX, step by step (2.14, 2.15, 2.17).

The path decides what must be known next: `CallPath.missing` names the operations that are still to be read, and the
path is walked again with their answers. What could not be read decides nothing and is a step of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from svc_tui.interface.authentication.user_rules import CLOSED, refusals
from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import stamp
from svc_tui.interface.errors import items
from svc_tui.interface.subscriptions.descriptions import SUSPENDED
from svc_tui.interface.telephone_numbers import written
from svc_tui.interface.voice.call_route import route
from svc_tui.interface.voice.call_steps import (
    FIND_NUMBER,
    Answer,
    Ask,
    Called,
    PathStep,
    StepEffect,
    device_name,
    forwarding_of,
    holder_of,
    online_until,
    overflow_of,
    settings_of,
    state_of,
    target_of,
    time_text,
    trunk_of,
)
from svc_tui.interface.voice.findings import extension_of, registered
from svc_tui.interface.voice.hours import Schedule, known_zone
from svc_tui.interface.voice.moments import moment_text
from svc_tui.language import _

#: The most hops from one welcome service or extension to the next.
_MOST_HOPS = 12


@dataclass
class CallPath:
    """The path of a call at a moment. `seen`: when this console last saw devices and extensions online."""

    called: Called
    answers: Mapping[Ask, Answer]
    moment: datetime
    now: datetime
    seen: Mapping[str, datetime] = field(default_factory=dict)
    steps: list[PathStep] = field(default_factory=list, init=False)
    #: What must be read for the rest of the path.
    missing: list[Ask] = field(default_factory=list, init=False)
    #: Where an unanswered call ends, in a sentence.
    end: str = field(default="", init=False)
    #: What rings: names of devices, and numbers.
    ringing: list[str] = field(default_factory=list, init=False)
    _system: str = field(default="", init=False)
    _visited: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._system = self.called.system_id
        self._walk()

    # --- the result --------------------------------------------------------------------------------------------

    @property
    def effect(self) -> StepEffect:
        """The verdict: the call rings (passes), does not (prevents), or it is not known."""
        effects = {step.effect for step in self.steps}
        if "prevents" in effects:
            return "prevents"
        if self.missing or ("unknown" in effects and not self.ringing):
            return "unknown"
        return "passes" if self.ringing else "prevents"

    @property
    def verdict(self) -> str:
        """The verdict in a sentence."""
        reason = next((step.sentence for step in self.steps if step.effect == "prevents"), "")
        match self.effect:
            case "unknown":
                return _("Reading…") if self.missing else _("Not known: a part of the path could not be read.")
            case "passes":
                return _("Rings: {names}").format(names=", ".join(self.ringing))
            case _:
                parts = dict.fromkeys(filter(None, (reason, self.end)))
                return _("Does not ring: {reason}").format(reason=" ".join(parts))

    @property
    def records(self) -> Sequence[tuple[str, str]]:
        """Kind and ID of each record on the path."""
        return list(dict.fromkeys((step.kind, step.record_id) for step in self.steps if step.record_id))

    # --- reading -----------------------------------------------------------------------------------------------

    def _ask(self, operation: str, **path: str) -> Any:
        """The data of a response; None when it is not known."""
        ask = Ask(operation, tuple(sorted(path.items())))
        answer = self.answers.get(ask)
        if answer is None:
            if ask not in self.missing:
                self.missing.append(ask)
            return None
        return answer.data

    def _unread(self, about: str, operation: str, **path: str) -> None:
        """A step for what could not be read."""
        answer = self.answers.get(Ask(operation, tuple(sorted(path.items()))))
        if answer is not None:
            reason = answer.reason or _("it does not exist")
            self._add(about, "", _("Not known: {reason}").format(reason=reason), "unknown")

    def _add(
        self, about: str, name: str, sentence: str, effect: StepEffect = "passes", kind: str = "", record_id: str = ""
    ) -> None:
        self.steps.append(PathStep(about, name, sentence, effect, kind, record_id, system_id=self._system))

    def _branch(self, *values: Any) -> None:
        self._add(*values)
        self.steps[-1] = replace(self.steps[-1], branch=True)

    # --- the way in --------------------------------------------------------------------------------------------

    def _walk(self) -> None:
        called = self.called
        if called.device_id:
            device = self._ask("get_sip_device", systemId=self._system, deviceId=called.device_id)
            if device is None:
                self._unread(_("Device"), "get_sip_device", systemId=self._system, deviceId=called.device_id)
            elif not device.get("phoneNumberId"):
                reason = _("The device is assigned to no subscriber.")
                self._add(_("Device"), device_name(device), reason, "prevents", "sipdevices", called.device_id)
            else:
                self._from_subscriber(str(device["phoneNumberId"]))
        elif called.subscriber_id:
            self._from_subscriber(called.subscriber_id)
        else:
            self._number(called.ddi_id)

    def _from_subscriber(self, subscriber_id: str) -> None:
        """The path of a call from outside to an extension, as far as it has a number of its own."""
        subscriber = self._subscriber(subscriber_id)
        ddi = str((subscriber or {}).get("externalNumberId") or "")
        if ddi:
            self._number(ddi)
            return
        self._exchange(outside=False)
        if subscriber is not None:
            reason = _("No DDI number is assigned: only internal calls ring.")
            self._add(_("DDI number"), _("none"), reason, "limits", "subscribers", subscriber_id)
        self._extension(subscriber_id)

    def _number(self, ddi_id: str) -> None:
        path = {"systemId": self._system, "phoneNumberId": ddi_id}
        ddi = self._ask("get_ddi_number", **path)
        if ddi is None:
            self._unread(_("DDI number"), "get_ddi_number", **path)
            return
        name = written(str(ddi.get("numberE164") or ddi.get("number") or ""), ddi.get("country"))
        sentence, effect = holder_of(ddi)
        self._add(_("DDI number"), name, sentence, effect, "ddis", ddi_id)
        self._exchange(outside=True)
        if ddi.get("ivrId"):
            self._service(str(ddi["ivrId"]))
        elif ddi.get("userId"):
            self._user(str(ddi["userId"]))
        elif effect == "passes":
            self._add(_("Holder"), str(ddi.get("names") or ""), _("No operation shows what answers there."), "unknown")

    def _exchange(self, *, outside: bool) -> None:
        """The CloudPBX, its company, and for a call from outside the trunk."""
        pbx = self._ask("get_cloudpbx", systemId=self._system)
        if pbx is None:
            self._unread("CloudPBX", "get_cloudpbx", systemId=self._system)
            return
        sentence, effect = state_of(pbx)
        self._add("CloudPBX", str(pbx.get("name") or ""), sentence, effect, "cloudpbxs", self._system)
        company_id = str(pbx.get("companyId") or "")
        company = self._ask("get_company", companyId=company_id) if company_id else None
        if company is not None and (closed := CLOSED.get(str(company.get("status")))):
            reason = _("The company is {status}.").format(status=closed)
            self._add(_("Company"), str(company.get("name") or ""), reason, "prevents", "companies", company_id)
        if outside:
            self._trunk(settings_of(pbx))

    def _trunk(self, settings: RecordData) -> None:
        trunk_id = str(settings.get("externalTrunkId") or "")
        name, sentence, effect = trunk_of(settings)
        kind, record_id = ("externaltrunks", trunk_id) if trunk_id else ("cloudpbxs", self._system)
        self._add(_("Trunk"), name, sentence, effect, kind, record_id)

    # --- welcome services --------------------------------------------------------------------------------------

    def _again(self, kind: str, record_id: str) -> bool:
        """Whether the call was here before: then it goes round."""
        key = f"{kind} {record_id}"
        if key in self._visited or len(self._visited) >= _MOST_HOPS:
            self._add(_("Loop"), "", _("The call comes back to where it was and never ends."), "prevents")
            return True
        self._visited.append(key)
        return False

    def _service(self, service_id: str) -> None:
        if self._again("welcomeservices", service_id):
            return
        services = self._ask("list_welcome_services", systemId=self._system)
        service = next((each for each in items(services) if each.get("id") == service_id), None)
        if service is None:
            self._unread(_("Welcome service"), "list_welcome_services", systemId=self._system)
            return
        hours, known = self._hours(service)
        about, name = _("Welcome service"), str(service.get("name") or "")
        if not known:
            return
        schedule = Schedule(hours, service.get("timezone"), service.get("manualMode"))
        state, zone = schedule.at(self.moment), known_zone(service.get("timezone")) or self.moment.tzinfo
        until = _(", until {time}").format(time=moment_text(state.until, zone)) if state.until and zone else ""
        sentence = f"{state.sentence}{until}."
        if state.open is None:
            self._add(about, name, sentence, "unknown", "welcomeservices", service_id)
            return
        hops = route(service, open=state.open, services=items(services))
        followed = [hop for hop in hops if hop.kind != "loop"]
        words = ", ".join(hop.sentence for hop in hops if hop.kind != "service")
        self._add(about, name, f"{sentence} {words}.", "passes", "welcomeservices", service_id)
        last, target = followed[-1] if followed else None, target_of(service, state.open)
        if last is None or last.kind == "nothing":
            self._stop(_("The call ends here: nothing is set."))
        elif last.kind == "service":
            self._service(last.destination)
        elif last.kind == "number":
            self._called_number(str(target.get("number") or ""))
        elif last.kind == "user":
            self._user(last.destination, voicemail=bool(target.get("toVoicemail")))
        elif len(followed) < len(hops):
            self._stop(_("Both overflows refer to each other: the call ends."))
        else:
            self._add(
                _("Destination"), str(target.get("name") or ""), _("No operation shows what answers there."), "unknown"
            )

    def _stop(self, sentence: str) -> None:
        self._add(_("End"), "", sentence, "prevents")

    def _hours(self, service: RecordData) -> tuple[RecordData | None, bool]:
        """The office hours of a service, None without any; and whether they are known."""
        for wire, operation, parameter in (
            ("companyCalendarId", "get_office_hours", "officeHoursId"),
            ("welcomeId", "get_welcome", "welcomeId"),
        ):
            if record_id := service.get(wire):
                path = {"systemId": self._system, parameter: str(record_id)}
                found = self._ask(operation, **path)
                if found is None:
                    self._unread(_("Office hours"), operation, **path)
                    return None, False
                hours = found.get("officehours")
                if isinstance(hours, Mapping):
                    return hours, True
        return None, True

    def _called_number(self, number: str) -> None:
        path = {"systemId": self._system, "number": number}
        owner = self._ask(FIND_NUMBER, **path) if number else {}
        if owner is None:
            self._unread(_("Number"), FIND_NUMBER, **path)
        elif ddi_id := owner.get("ddis"):
            ddi = self._ask("get_ddi_number", systemId=self._system, phoneNumberId=str(ddi_id))
            if ddi is not None and ddi.get("userId"):
                self._user(str(ddi["userId"]))
            elif ddi is not None and ddi.get("ivrId"):
                self._service(str(ddi["ivrId"]))
        elif subscriber_id := owner.get("subscribers"):
            self._extension(str(subscriber_id))
        else:
            self.ringing.append(written(number))
            self._add(_("Number"), written(number), _("A number outside of this CloudPBX: it rings there."), "notes")

    # --- the extension -----------------------------------------------------------------------------------------

    def _user(self, user_id: str, *, voicemail: bool = False) -> None:
        """The extension of a user."""
        user = self._ask("get_user", userId=user_id)
        if user is None:
            self._unread(_("User"), "get_user", userId=user_id)
            return
        own = extension_of(user)
        if own is None:
            reason = _("The user has no extension.")
            self._add(_("User"), str(user.get("displayName") or ""), reason, "prevents", "users", user_id)
            return
        self._system = str(own["systemId"])
        self._extension(str(own["phoneNumberId"]), voicemail=voicemail)

    def _subscriber(self, subscriber_id: str) -> RecordData | None:
        path = {"systemId": self._system, "phoneNumberId": subscriber_id}
        found = self._ask("get_subscriber", **path)
        if found is None:
            self._unread(_("Extension"), "get_subscriber", **path)
        return found if isinstance(found, dict) else None

    def _extension(self, subscriber_id: str, *, voicemail: bool = False) -> None:
        if self._again("subscribers", subscriber_id):
            return
        subscriber = self._subscriber(subscriber_id)
        if subscriber is None:
            return
        name = " ".join(str(subscriber.get(each) or "") for each in ("shortNumber", "names")).strip()
        states = (subscriber.get("status"), subscriber.get("cloudPbxStatus"))
        inactive = any(state not in (None, "", "activated") for state in states)
        sentence = _("The extension is not activated.") if inactive else _("The extension is active.")
        effect: StepEffect = "prevents" if inactive else "passes"
        self._add(_("Extension"), name, sentence, effect, "subscribers", subscriber_id)
        self._owner(str(subscriber.get("userId") or ""))
        if voicemail:
            self.end = _("The call goes to the voicemail of {name}.").format(name=subscriber.get("names") or name)
            self._add(_("Voicemail"), name, self.end, "notes", "subscribers", subscriber_id)
            return
        online = self._devices(subscriber_id)
        self._also_rings(subscriber, subscriber_id)
        self._forwarding(subscriber, subscriber_id)
        self._overflow(subscriber_id, online)

    def _owner(self, user_id: str) -> None:
        """The user of the extension, and licences that are suspended."""
        user = self._ask("get_user", userId=user_id) if user_id else None
        if user is None:
            if user_id:
                self._unread(_("User"), "get_user", userId=user_id)
            return
        found = [each for each in refusals(user, None, self.now) if each.field in ("isTerminated", "isActive")]
        name = str(user.get("displayName") or "")
        if found:
            reason = _("The user is terminated.") if user.get("isTerminated") else _("The user is not active.")
            self._add(_("User"), name, reason, "prevents", "users", user_id)
        else:
            self._add(_("User"), name, _("The user is active."), "passes", "users", user_id)
        for licence in items(user.get("profiles")):
            if status := SUSPENDED.get(str(licence.get("status"))):
                offer = str(licence.get("offerName") or "")
                sentence = _("The licence is {status}.").format(status=status)
                voice = licence.get("isVoicePhone") or licence.get("hasVoice")
                self._add(_("Licence"), offer, sentence, "prevents" if voice else "limits", "users", user_id)

    def _devices(self, subscriber_id: str) -> int | None:
        """The devices, and how many are online; None when it is not known."""
        path = {"systemId": self._system, "phoneNumberId": subscriber_id}
        devices, rows = self._ask("list_subscriber_devices", **path), self._ask("list_subscriber_registrations", **path)
        if devices is None:
            self._unread(_("Devices"), "list_subscriber_devices", **path)
        if rows is None:
            self._unread(_("Online"), "list_subscriber_registrations", **path)
        if rows is not None and self.moment != self.now:
            self._add(_("Time"), "", _("Online is as of now: it is not known for another time."), "notes")
        online = registered(items(rows), self.now)
        until = {str(each.get("deviceId")): each for each in online}
        for device in items(devices):
            device_id = str(device.get("id"))
            if rows is None:
                sentence, effect = _("Whether it is online is not known."), "unknown"
            elif device_id in until:
                sentence, effect = online_until(until[device_id]), "passes"
                self.ringing.append(device_name(device))
            else:
                sentence, effect = self._offline(device_id), "limits"
            self._branch(_("Device"), device_name(device), sentence, effect, "sipdevices", device_id)
        known = {str(each.get("id")) for each in items(devices)}
        for each in online:
            if str(each.get("deviceId")) not in known:
                self.ringing.append(str(each.get("user_agent") or "?"))
                self._branch(_("Also online"), self.ringing[-1], online_until(each))
        if rows is None:
            return None
        if not items(devices) and devices is not None and not online:
            reason = _("No device is assigned, and none is online.")
            self._branch(_("Device"), _("none"), reason, "limits", "subscribers", subscriber_id)
        return len(online)

    def _offline(self, device_id: str) -> str:
        seen = self.seen.get(device_id)
        if seen is None:
            return _("Offline; this console has not seen it online.")
        return _("Offline; last seen online by this console {time}.").format(time=time_text(stamp(seen)))

    def _also_rings(self, subscriber: RecordData, subscriber_id: str) -> None:
        """The external number that rings together with the devices."""
        path = {"systemId": self._system, "phoneNumberId": subscriber_id}
        options = self._ask("get_subscriber_pstn_device_options", **path)
        if options is None:
            self._unread(_("Rings too"), "get_subscriber_pstn_device_options", **path)
            return
        number = ""
        if options.get("policy") == "custom_ddi_number":
            number = str(options.get("numberE164") or "")
        elif options.get("policy") == "subscriber_ddi":
            number = str(subscriber.get("externalNumber") or "")
        if number:
            self.ringing.append(written(number))
            sentence = _("This number rings too.")
            self._branch(_("Rings too"), written(number), sentence, "passes", "subscribers", subscriber_id)

    def _forwarding(self, subscriber: RecordData, subscriber_id: str) -> None:
        company = settings_of(self._ask("get_cloudpbx", systemId=self._system) or {})
        sentence = forwarding_of(subscriber, company)
        if sentence:
            self._branch(_("Forwarding"), "", sentence, "notes", "subscribers", subscriber_id)

    def _overflow(self, subscriber_id: str, online: int | None) -> None:
        """When the call goes to voicemail, and where it ends."""
        path = {"systemId": self._system, "phoneNumberId": subscriber_id}
        overflow = self._ask("get_subscriber_overflow", **path)
        if overflow is None:
            self._unread(_("Overflow"), "get_subscriber_overflow", **path)
            return
        company = settings_of(self._ask("get_cloudpbx", systemId=self._system) or {})
        sentence, voicemail = overflow_of(overflow, company)
        self._branch(_("Overflow"), "", sentence, "notes", "subscribers", subscriber_id)
        if online is not None and not self.ringing:
            self.end = _("The call goes to voicemail.") if voicemail else _("The call ends.")
            self._stop(_("No device is online."))
