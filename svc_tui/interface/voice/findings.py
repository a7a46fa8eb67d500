"""Findings about a CloudPBX, and what prevents or limits a user's calls and recordings (2.14, 2.15, 4.7), as far as the
records show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from svc_tui.interface.data import RecordData
from svc_tui.interface.dates import moment
from svc_tui.interface.errors import Code, Effect, Finding, items
from svc_tui.interface.value_words import word
from svc_tui.interface.voice import numbering
from svc_tui.interface.voice.dialling import CallSettings
from svc_tui.language import _, day_text


def cloudpbx_findings(cloudpbx: RecordData, ddi_numbers: int | None = None) -> Iterator[Finding]:
    """All findings about a CloudPBX with this many DDI numbers (None: not known)."""

    def found(sentence: str, effect: Effect, field: str, rule: str = "2.14") -> Finding:
        return Finding("CloudPBX", sentence, effect, "cloudpbxs", field, rule, record_id=str(cloudpbx.get("id") or ""))

    inner = cloudpbx.get("cloudpbx")
    settings: RecordData = inner if isinstance(inner, dict) else {}
    if cloudpbx.get("blockedDate"):
        yield found(
            _("Blocked since {date}.").format(date=day_text(str(cloudpbx["blockedDate"]))),
            "prevents",
            "blockedDate",
        )
    if cloudpbx.get("status") == "disconnected":
        day = day_text(str(cloudpbx.get("statusUpdatedDate") or ""))
        yield found(
            _("Disconnected{day}: no calls.").format(day=_(" since {day}").format(day=day) if day else ""),
            "prevents",
            "status",
        )
    trunk = settings.get("externalTrunkAdditionalInfo")
    state = trunk.get("status") if isinstance(trunk, dict) else None
    if not settings.get("externalTrunkId"):
        yield found(_("Only internal calls: no trunk is linked."), "limits", "externalTrunkId", "4.7")
    elif state not in (None, "", "active"):
        yield found(_("Its trunk is {state}.").format(state=word(state)), "limits", "externalTrunkAdditionalInfo")
    if not numbering.ranges(settings):
        yield found(_("No internal numbers: the numbering plan is empty."), "limits", "numberingPlan", "4.7")
    if ddi_numbers == 0:
        yield found(_("No calls from outside: it has no DDI numbers."), "limits", "installationNumber")
    elif not settings.get("installationNumber"):
        yield found(_("No default DDI number is set."), "notes", "installationNumber")


CALLS, RECORDING = _("Calls"), _("Recording")


@dataclass(frozen=True, slots=True, kw_only=True)
class Telephone:
    """A user's telephone as far as it is known: what is None is unknown, and decides nothing."""

    user: RecordData
    now: datetime
    #: The CloudPBXs of the company, and the offers that it can subscribe to.
    cloudpbxs: Sequence[RecordData] | None = None
    offers: Iterable[RecordData] | None = None
    subscriber: RecordData | None = None
    devices: Sequence[RecordData] | None = None
    registrations: Iterable[RecordData] | None = None

    @property
    def cloudpbx(self) -> RecordData | None:
        """The CloudPBX of the extension; without an extension, that of the company."""
        own = extension_of(self.user)
        found = (each for each in self.cloudpbxs or () if own is None or each.get("id") == own["systemId"])
        return next(found, None)

    @property
    def settings(self) -> RecordData:
        """The settings of the CloudPBX."""
        found = (self.cloudpbx or {}).get("cloudpbx")
        return found if isinstance(found, dict) else {}


def extension_of(user: RecordData) -> RecordData | None:
    """The entry of a user's extension among the telephone numbers, with systemId and phoneNumberId; None without."""
    numbers = items(user.get("phoneNumbers"))
    return next((each for each in numbers if each.get("systemId") and each.get("phoneNumberId")), None)


def has_voice(licences: Iterable[RecordData], offers: Iterable[RecordData]) -> bool:
    """Whether one of the licences is for voice, by itself or by its offer."""
    voice = {offer.get("id") for offer in offers if offer.get("hasVoice") or offer.get("isVoicePhone")}
    return any(each.get("isVoicePhone") or each.get("hasVoice") or each.get("offerId") in voice for each in licences)


def registered(registrations: Iterable[RecordData], now: datetime) -> list[RecordData]:
    """The registrations that have not expired."""
    return [
        each for each in registrations if not each.get("expirationDate") or moment(str(each["expirationDate"])) > now
    ]


def permitted(telephone: Telephone) -> str:
    """The calls that barring permits: the subscriber's own option, otherwise the company's."""
    own = (telephone.subscriber or {}).get("barringOptions")
    exchange = CallSettings(telephone.settings, barring=own if isinstance(own, dict) else {})
    return exchange.option("permissions", "int_nat_local")


def telephone_findings(telephone: Telephone) -> Iterator[Finding]:
    """All findings about calls and recording."""
    if telephone.cloudpbxs is not None and not telephone.cloudpbxs:
        yield _prevents(_("the company has no CloudPBX."), "cloudpbxs", "companyId", "2.14")
    elif extension_of(telephone.user) is None:
        yield from _without_extension(telephone)
    else:
        yield from subscriber_findings(telephone)


def subscriber_findings(telephone: Telephone) -> Iterator[Finding]:
    """The findings about calls and recording of an extension, of which the user need not be known."""
    yield from _calls(telephone)
    yield from _recording(telephone)


def _without_extension(telephone: Telephone) -> Iterator[Finding]:
    licences = items(telephone.user.get("profiles"))
    if telephone.offers is None or has_voice(licences, telephone.offers):
        yield _prevents(_("the user has no extension."), "users", "phoneNumbers", "4.7")
    else:
        reason = _("no extension, and no licence for voice.")
        yield _prevents(reason, "users", "profiles", "4.7", Code.NO_VOICE_LICENCE)


def _calls(telephone: Telephone) -> Iterator[Finding]:
    if (telephone.cloudpbx or {}).get("status") == "disconnected":
        yield _prevents(_("the CloudPBX is disconnected."), "cloudpbxs", "status", "2.14")
    subscriber = telephone.subscriber
    if subscriber is not None:
        states = (subscriber.get("status"), subscriber.get("cloudPbxStatus"))
        if any(state not in (None, "", "activated") for state in states):
            yield _prevents(_("the extension is not activated."), "subscribers", "status", "2.15")
    yield from _online(telephone)
    if telephone.cloudpbx is not None:
        yield from _outside(telephone)
    if subscriber is not None and not subscriber.get("externalNumber"):
        yield _limits(_("Not from outside: no DDI number is assigned."), "subscribers", "externalNumber", "2.15")
    cli = (subscriber or {}).get("cliOptions")
    if isinstance(cli, dict) and not cli.get("numberE164"):
        yield _limits(_("Callees see no number."), "subscribers", "cliOptions", "2.15", "notes")


def _online(telephone: Telephone) -> Iterator[Finding]:
    if telephone.registrations is None or registered(telephone.registrations, telephone.now):
        return
    if telephone.devices is not None and not telephone.devices:
        yield _prevents(_("no device is assigned, and none is online."), "sipdevices", "phoneNumberId", "2.15")
    else:
        yield _prevents(_("no device is registered."), "registrations", "expirationDate", "2.15")


def _outside(telephone: Telephone) -> Iterator[Finding]:
    if telephone.subscriber is not None:
        own = telephone.subscriber.get("barringOptions")
        chosen = own.get("permissions") if isinstance(own, dict) else None
        kind = "cloudpbxs" if chosen in (None, "", "default") else "subscribers"
        match permitted(telephone):
            case "local":
                yield _limits(_("Only internal: all other calls are barred."), kind, "barringOptions", "2.14")
            case "nat_local":
                yield _limits(_("Not abroad: international calls are barred."), kind, "barringOptions", "2.14")
    if not telephone.settings.get("externalTrunkId"):
        yield _limits(_("Only internal: no trunk is linked."), "cloudpbxs", "externalTrunkId", "4.7")


def _recording(telephone: Telephone) -> Iterator[Finding]:
    subscriber = telephone.subscriber
    if subscriber is None:
        return
    if subscriber.get("recordingProfile") == "none" or subscriber.get("isRecordingActivated") is False:
        sentence = _("Off: no calls of this extension are recorded.")
        yield Finding(RECORDING, sentence, "limits", "subscribers", "recordingProfile", "4.7")


def _prevents(reason: str, kind: str, field: str, rule: str, code: Code | None = None) -> Finding:
    return Finding(CALLS, _("Not possible: {reason}").format(reason=reason), "prevents", kind, field, rule, code)


def _limits(sentence: str, kind: str, field: str, rule: str, effect: Effect = "limits") -> Finding:
    return Finding(CALLS, sentence, effect, kind, field, rule)
