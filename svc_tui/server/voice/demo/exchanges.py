"""CloudPBXs and external trunks of the demo data: a large CloudPBX with all settings, and others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from svc_tui.server.demo.accounts import LOGISTICS, NORTHWIND, PARTNER, STORM
from svc_tui.server.demo.repeatable import Calendar, id_of, number, pick, secret_of
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.cloudpbxs import DEFAULTS

#: Where the voice platform runs.
INSTANCES = ("voice-west", "voice-east")
#: One in this number of companies of the large scale has a CloudPBX.
_EVERY = 6


@dataclass(frozen=True, slots=True)
class DemoExchange:
    """The properties of a CloudPBX that other demo data refers to.

    `block` is the beginning of its DDI numbers and `width` the number of digits after it; `first` and `digits` are the
    prefix and the length of internal numbers; `mailbox` is the voicemail number, by default the last internal number.
    """

    company: str
    name: str
    country: str
    block: str
    width: int
    first: str
    digits: int
    language: str
    timezone: str
    site: str = ""
    mailbox: str = ""

    @property
    def id(self) -> str:
        """The systemId of all its records."""
        return id_of("cloudpbx", self.company)

    @property
    def company_id(self) -> str:
        return id_of("company", self.company)

    @property
    def pbx_id(self) -> str:
        """The technical identifier."""
        return f"PBX{secret_of('pbx', self.company)[:28]}"

    @property
    def voicemail(self) -> str:
        """The number of its voicemail."""
        return self.mailbox or self.first + "9" * (self.digits - len(self.first))

    def short(self, index: int) -> str:
        """An internal number: the prefix, then the index."""
        return self.first + str(index).zfill(self.digits - len(self.first))

    def ddi(self, index: int) -> str:
        """A DDI number of the block, in E.164."""
        return self.block + str(index).zfill(self.width)


NORTHWIND_EXCHANGE = DemoExchange(
    NORTHWIND, "Northwind voice", "PRT", "+35121099", 4, "2", 4, "en", "Europe/Lisbon", "northwind-lisbon"
)
#: Internal numbers 70000 to 79999 of Northwind at the large scale, some with a DDI number.
SHOPS = DemoExchange(
    NORTHWIND,
    "Northwind voice",
    "PRT",
    "+3512209",
    5,
    "7",
    5,
    "en",
    "Europe/Lisbon",
    mailbox=NORTHWIND_EXCHANGE.voicemail,
)
EXCHANGES = (
    NORTHWIND_EXCHANGE,
    DemoExchange(LOGISTICS, "Northwind Logistics voice", "ESP", "+3496001", 4, "4", 3, "es", "Europe/Madrid"),
    DemoExchange("bluebird", "Bluebird switchboard", "GBR", "+44113496", 4, "6", 4, "en", "Europe/London"),
    DemoExchange("elm", "Elm Street front desks", "USA", "+191255501", 2, "1", 3, "en", "America/New_York"),
    DemoExchange(
        PARTNER, "Harbour offices", "PRT", "+35122080", 4, "8", 3, "en", "Europe/Lisbon", "harbour-head office"
    ),
    DemoExchange(STORM, "Storm & Sons voice", "FRA", "+3319900", 4, "3", 4, "fr", "Europe/Paris"),
)
#: Company -> linked trunk.
_LINKED = {
    NORTHWIND: "harbour-lisbon",
    "bluebird": "harbour-hybrid",
    "elm": "meridian-atlantic",
    PARTNER: "harbour-lisbon",
}

#: key, name, type, status, partners, description
_TRUNKS: tuple[tuple[str, str, str, str, tuple[str, ...], str], ...] = (
    ("harbour-lisbon", "Harbour Lisbon", "bp_trunk", "active", (PARTNER,), "Two border controllers in Lisbon"),
    ("harbour-hybrid", "Harbour hybrid North", "hybrid_trunk", "active", (PARTNER,), "To telephone systems on site"),
    ("harbour-porto", "Harbour Porto", "bp_trunk", "new", (PARTNER,), "Ordered; not connected yet"),
    ("meridian-atlantic", "Meridian Atlantic", "bp_trunk", "active", ("meridian",), "North American numbers"),
    ("shared-west", "Platform West", "bp_trunk", "active", (), "For companies without a partner (BP)"),
    ("coast-hybrid", "Coast hybrid", "hybrid_trunk", "new", ("coast", PARTNER), "A trial with two partners"),
)
_FORKING = ("not_available", "not_activated", "activated")

#: Settings of named CloudPBXs that differ from the base; Northwind has nearly all.
_MORE: dict[str, Document] = {
    NORTHWIND: {
        "numberingPrefixes": ["8"],
        "numberingPlan": [
            {"prefix": "2", "digits": 4, "description": "Offices"},
            {"prefix": "5", "digits": 3, "description": "Welcome services and groups"},
            {"prefix": "7", "digits": 5, "description": "Shops and home offices"},
        ],
        "customDialingRules": [
            {
                "regexpMatch": "^00351(\\d{9})$",
                "regexpReplace": "$1",
                "description": "National numbers in international format",
                "category": "outgoing",
            },
            {
                "regexpMatch": "^118$",
                "regexpReplace": "+351210995500",
                "description": "Directory enquiries to reception",
                "category": "outgoing",
            },
        ],
        "serviceCodesDialPlan": {
            "prefix": "*",
            "digits": 3,
            "serviceCodes": [
                {"code": "100", "service": "voicemail"},
                {"code": "120", "service": "call_pickup"},
                {"code": "140", "service": "call_park"},
            ],
        },
        "customSipHeader_1": "X-Tenant: northwind",
        "telephonyLinePolicy": "multi_lines_plus",
        "callForkingToPstnNumber": "activated",
        "barringOptions": {"permissions": "int_nat_local", "restrictions": "custom_numbers"},
        "bargeOptions": {"telephonyBasicAttendantBargeIn": "enabled"},
        "emergencyOptions": {"callAuthorizationWithSoftPhone": True, "emergencyGroupActivated": True},
        "announcementProfile": "external_only",
        "sipDeviceTransferMode": "blind_transfer",
        "aaNbOfRepetitions": 3,
    },
    LOGISTICS: {"routeInternalCallsToPeer": True, "announcementProfile": "all"},
    "bluebird": {
        "numberingDigitsLength": "variable",
        "barringOptions": {"permissions": "nat_local", "restrictions": "surcharged_numbers"},
    },
    "elm": {"telephonyLinePolicy": "mono_line", "monolineIncomingMode": True},
    STORM: {
        "customSipHeader_1": "X-Tenant: storm",
        "numberingPlan": [{"prefix": "9", "digits": 4, "description": "Vans"}],
    },
}
#: The custom lists of prohibited numbers.
_PROHIBITED: dict[str, tuple[tuple[str, str], ...]] = {
    NORTHWIND: (
        ("+35160", "Premium services, Portugal"),
        ("+35176", "Televoting"),
        ("+882", "Satellite telephones"),
        ("+88213", "Satellite telephones, other networks"),
        ("+3519", "Mobiles: only over the mobile contract"),
    ),
    STORM: (("+339", "Numbers of internet telephony"),),
}


def trunks() -> Iterator[Document]:
    """External trunks of both types and states."""
    for index, (key, name, kind, status, partners, description) in enumerate(_TRUNKS):
        balancer = f"balancer-{1 + index % 2}"
        trunk: Document = {
            "id": id_of("trunk", key),
            "name": name,
            "bpIds": [id_of("company", partner) for partner in partners],
            "status": status,
            "description": description,
            "trunkType": kind,
            "callForkingToPstnNumber": _FORKING[index % 3],
            "voiceInstanceId": INSTANCES[index % 2],
            "loadBalancerOptions": {
                "loadBalancerId": id_of("balancer", balancer),
                "policy": "round_robin" if index % 2 else "failover",
                "loadBalancerHostName": f"{balancer}.voice.example",
                "loadBalancerDisplayName": f"Load balancer {1 + index % 2}",
                "loadBalancerDescription": "Shares calls between border controllers",
            },
        }
        if kind == "hybrid_trunk":
            trunk["hybrid_specific_data"] = {"domainName": f"{key}.voice.example"}
        yield trunk


def cloudpbxs(calendar: Calendar) -> Iterator[Document]:
    """The CloudPBXs of both scales."""
    for exchange in EXCHANGES:
        yield _cloudpbx(calendar, exchange, _partner(exchange.company), _settings(exchange))


def many(calendar: Calendar, firms: Iterable[Document]) -> Iterator[Document]:
    """CloudPBXs without subscribers that the large scale adds to some of these companies."""
    for index, firm in enumerate(firms):
        if index % _EVERY or firm["status"] == "terminated":
            continue
        digits = 2 + number(f"digits/{firm['id']}", 3)
        exchange = DemoExchange(f"customer-{index}", firm["name"], firm["country"], "", 0, "", digits, "en", "")
        settings: Document = {
            **_base(exchange),
            "numberingPrefix": pick(f"prefix/{index}", (1, 2, 3, 5)),
            "outgoingPrefix": 0,
            "numberingDigits": digits,
            "numberingDigitsLength": "fixed",
        }
        yield _cloudpbx(calendar, exchange, str(firm.get("bpId") or ""), settings)


def _partner(company: str) -> str:
    """The identifier of the partner of a named company; empty for the partner itself."""
    return "" if company == PARTNER else id_of("company", "meridian" if company == "elm" else PARTNER)


def _cloudpbx(calendar: Calendar, exchange: DemoExchange, partner: str, settings: Document) -> Document:
    key = exchange.company
    created = 60 + number(f"cloudpbx/{key}", 400)
    return {
        "id": exchange.id,
        "type": "cloud_pbx",
        "name": exchange.name,
        "latin_name": exchange.name,
        "status": "disconnected" if key == "elm" else "created",
        "companyId": exchange.company_id,
        "siteId": [id_of("site", exchange.site)] if exchange.site else [],
        **({"bpId": partner} if partner else {}),
        "country": exchange.country,
        "pbxId": exchange.pbx_id,
        "voiceInstanceId": pick(f"instance/{key}", INSTANCES),
        "creationDate": calendar.ago(created, key),
        "statusUpdatedDate": calendar.ago(created // 3, key),
        "jid_pbxagent": f"agent_{secret_of('pbx agent', key)}@demo.example",
        "jid_pbxagent_password": secret_of("pbx agent password", key),
        "jid_pbxpcg": f"pcg_{secret_of('pbx gateway', key)}@demo.example",
        "jid_pbxpcg_password": secret_of("pbx gateway password", key),
        "cloudpbx": settings,
    }


def _base(exchange: DemoExchange) -> Document:
    """The settings of every new CloudPBX."""
    domain = f"{exchange.company}.voice.example"
    return {
        **DEFAULTS,
        "language": exchange.language,
        "domainName": domain,
        "voiceNumber": exchange.voicemail,
        "overflowSubscribersToVoicemail": {
            "activate": True,
            "noReplyDelay": 20,
            "activateUnavailableOverflow": True,
        },
        "cliOptions": {
            "policy": "installation_ddi_number",
            "userCanManageItsCli": False,
            "companyNumberCanBeSelectedByUserAsCli": True,
        },
        "peerAuthenticationOptions": {
            "username": exchange.company,
            "password": secret_of("peer", exchange.company)[:12],
            "realm": domain,
        },
        "optimizedDialing": True,
        "emulatedRingBackTone": False,
        "announcementProfile": "none",
    }


def _settings(exchange: DemoExchange) -> Document:
    """The `cloudpbx` object of a named CloudPBX."""
    settings: Document = {
        **_base(exchange),
        "outgoingPrefix": 0 if exchange.country != "USA" else 9,
        "numberingPrefix": int(exchange.first),
        "numberingDigits": exchange.digits,
        "numberingDigitsLength": "fixed",
        "installationNumber": exchange.ddi(0),
        "installationNumberId": id_of("ddi", exchange.ddi(0)),
        **_MORE.get(exchange.company, {}),
    }
    if key := _LINKED.get(exchange.company):
        settings["externalTrunkId"] = id_of("trunk", key)
    return settings


def trunk_of(company: str) -> str:
    """The identifier of the trunk linked to a company's CloudPBX; empty without one."""
    return id_of("trunk", _LINKED[company]) if company in _LINKED else ""


def prohibited() -> Iterator[Document]:
    """The custom lists of prohibited numbers."""
    for exchange in EXCHANGES:
        patterns = [{"pattern": pattern, "description": why} for pattern, why in _PROHIBITED.get(exchange.company, ())]
        if patterns:
            yield {"id": exchange.id, "patterns": patterns}
