"""Subscribers of the demo data: users with a voice licence in companies with a CloudPBX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from svc_tui.server.demo.accounts import NORTHWIND, account
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick, secret_of
from svc_tui.server.demo.subscriptions import LINE_OFFER
from svc_tui.server.demo.users import LARGE_STAFF
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.demo.exchanges import EXCHANGES, SHOPS, DemoExchange

#: Number of subscribers that the large scale adds to the demo company: all numbers of the block.
LARGE_LINES = 10_000
#: One in this number of them has a DDI number.
_WITH_DDI = 5

#: New employees with a licence and without an extension.
NEW = (id_of("user", f"{NORTHWIND}/17"), account("app_admin").id)
_PROFILES = ("none",) * 4 + ("external_only", "external_only", "all", "internal_only")
#: Further numbers of Northwind's block, by index of the subscriber.
_FURTHER = {0: (2_900, 2_901), 6: (2_902,)}
#: Offers with an extension.
_VOICE_OFFERS = (LINE_OFFER, "voice-phone")

# Options of subscribers: mostly the company's settings.
_OVERFLOWS: tuple[Document, ...] = (
    *({"value": "default", "unavailableOverflow": "default"},) * 5,
    {"value": "custom", "unavailableOverflow": "default", "noReplyDelay": 35},
    {"value": "disabled", "unavailableOverflow": "disabled"},
)
_BARRINGS: tuple[Document, ...] = (
    *({"permissions": "default", "restrictions": "default"},) * 6,
    {"permissions": "local", "restrictions": "default"},
    {"permissions": "nat_local", "restrictions": "surcharged_numbers"},
)
_BARGES = ("company_policy",) * 6 + ("enabled", "disabled")
_FORWARDS = ("company_policy",) * 6 + ("authorized", "not_authorized")


@dataclass(frozen=True, slots=True)
class DemoLine:
    """The properties of a subscriber that other demo data refers to; `ddi` and `further` are in E.164."""

    exchange: DemoExchange
    index: int
    user: Document
    ddi: str = ""
    further: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.exchange.company}/{self.short}"

    @property
    def id(self) -> str:
        """The phoneNumberId."""
        return id_of("subscriber", self.key)

    @property
    def short(self) -> str:
        return self.exchange.short(self.index)

    @property
    def name(self) -> str:
        return str(self.user["displayName"])

    @property
    def monitored(self) -> bool:
        """Whether the line is monitored."""
        return number(f"monitored/{self.key}", 3) > 0

    @property
    def recording(self) -> str:
        """The recording profile."""
        return pick(f"recording/{self.key}", _PROFILES)


def ddi_id(number_e164: str) -> str:
    """The identifier of a DDI number."""
    return id_of("ddi", number_e164)


def _lines(users: Iterable[Document]) -> list[DemoLine]:
    """The subscribers, in the order of their CloudPBXs and numbers."""
    belonging: dict[str, list[Document]] = {}
    for user in users:
        if _has_voice(user) and user["id"] not in NEW and not user["isTerminated"]:
            belonging.setdefault(user["companyId"], []).append(user)
    shops = {id_of("user", f"{NORTHWIND}/{index}") for index in LARGE_STAFF}
    found: list[DemoLine] = []
    for exchange in EXCHANGES:
        staff = [user for user in belonging.get(exchange.company_id, ()) if user["id"] not in shops]
        found += [_line(exchange, index, user) for index, user in enumerate(staff)]
    in_shops = (user for user in belonging.get(SHOPS.company_id, ()) if user["id"] in shops)
    return found + [_of_shop(index, user) for index, user in enumerate(islice(in_shops, LARGE_LINES))]


def _line(exchange: DemoExchange, index: int, user: Document) -> DemoLine:
    # Northwind's reception has further numbers; every fourth subscriber has no DDI number.
    own = exchange.company == NORTHWIND
    short = index + 1
    ddi = exchange.ddi(2_000 + short if own else short) if index % 4 != 3 else ""
    further = _FURTHER.get(index, ()) if own else ()
    return DemoLine(exchange, short, user, ddi, tuple(exchange.ddi(each) for each in further))


def _of_shop(index: int, user: Document) -> DemoLine:
    return DemoLine(SHOPS, index, user, SHOPS.ddi(70_000 + index) if index % _WITH_DDI == 0 else "")


def subscribers(calendar: Calendar, held: Iterable[DemoLine]) -> Iterator[Document]:
    """The records of these subscribers."""
    for line in held:
        exchange, user = line.exchange, line.user
        yield {
            "id": line.id,
            "userId": user["id"],
            "firstName": user["firstName"],
            "lastName": user["lastName"],
            "names": line.name,
            "deviceName": line.name,
            "shortNumber": line.short,
            "internalNumber": line.short,
            **({"externalNumber": line.ddi, "externalNumberId": ddi_id(line.ddi)} if line.ddi else {}),
            "secondaryDDIs": [{"phoneNumberId": ddi_id(each), "numberE164": each} for each in line.further],
            "voiceMailNumber": exchange.voicemail,
            "overflowToVoicemail": pick(f"overflow/{line.key}", _OVERFLOWS),
            "barringOptions": pick(f"barring/{line.key}", _BARRINGS),
            "bargeOptions": {"telephonyBasicAttendantBargeIn": pick(f"barge/{line.key}", _BARGES)},
            "callForwardOptions": {"externalCallForward": pick(f"forward/{line.key}", _FORWARDS)},
            "isRecordingActivated": line.recording != "none",
            "recordingProfile": line.recording,
            "status": "activated",
            "cloudPbxStatus": "activated",
            "type": "extension",
            "deviceType": "landline",
            "isFromSystem": True,
            "isMonitored": line.monitored,
            "pbxId": exchange.pbx_id,
            "pbxUserId": str(1 + number(f"pbx user/{line.key}", 900_000)),
            "systemId": exchange.id,
            "country": exchange.country,
            "creationDate": calendar.ago(2 + number(f"subscriber/{line.key}", 380), line.key),
            "shardKey": {"country": exchange.country, "phoneNumber": line.short, "owner": exchange.id},
            "jid_im": user["jid_im"],
            "jid_tel": user["jid_tel"],
            "jid_password": secret_of("line jid", line.key),
            "password": secret_of("sip", line.key)[:10],
        }


def with_lines(users: Iterable[Document]) -> tuple[list[Document], list[DemoLine]]:
    """The users with the numbers of their extensions, and the extensions."""
    all_users = list(users)
    lines = _lines(all_users)
    by_user = {line.user["id"]: line for line in lines}
    return [_with_number(user, by_user.get(user["id"])) for user in all_users], lines


def _with_number(user: Document, line: DemoLine | None) -> Document:
    if line is None:
        return user
    entry = {
        "phoneNumberId": line.id,
        "shortNumber": line.short,
        "pbxId": line.exchange.pbx_id,
        "systemId": line.exchange.id,
        "country": line.exchange.country,
        "isMonitored": line.monitored,
        "isFromSystem": True,
        "deviceType": "landline",
        "type": "work",
        **({"number": line.ddi, "numberE164": line.ddi} if line.ddi else {}),
    }
    return {**user, "phoneNumbers": [*user["phoneNumbers"], entry]}


def _has_voice(user: Document) -> bool:
    """Whether a user has a voice licence."""
    return any(each["offerReference"] in _VOICE_OFFERS for each in user["profiles"])
