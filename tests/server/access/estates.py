"""Companies with one record of each kind, copied from the demo data, and callers of each role beside them.

Every name, address and identifier of an estate is its own, so that an answer shows whose records are in it.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from tests.support.world import World

Document = dict[str, Any]

ORGANISATION = "0a" * 12
#: Estates: name -> its BP, and whether it belongs to the organisation.
COMPANIES = {
    "vendor": ("", False),
    "partner": ("", False),
    "reseller": ("partner", False),
    "home": ("partner", True),
    "group": ("", True),
    "sibling": ("partner", False),
    "far": ("reseller", False),
    "stranger": ("rival", False),
    "rival": ("", False),
}
BPS = {"partner": "VAD", "reseller": "IR", "rival": "DR"}
#: For callers of an estate, what the estates are to them.
PLACES = {
    "vendor": {"company": "vendor", "stranger": "stranger"},
    "partner": {"company": "partner", "customers": "sibling", "resellers": "far", "stranger": "stranger"},
    "home": {
        "company": "home",
        "organisation": "group",
        "partner": "partner",
        "sibling": "sibling",
        "stranger": "stranger",
    },
}
HOMES = {
    **dict.fromkeys(("superadmin", "support", "business_admin", "customer_success_admin", "sales_analytics"), "vendor"),
    **dict.fromkeys(("app_superadmin", "app_support"), "vendor"),
    **dict.fromkeys(("bp_admin", "bp_finance"), "partner"),
}
_ADMINS = ("organization_admin", "company_admin", "site_admin")
#: Fields in which a copy gets its own name.
_NAMES = (
    *("name", "latin_name", "displayName", "names", "deviceName", "firstName", "lastName", "companyName"),
    *("description", "label", "accountName", "userDisplayName", "fileName", "filename", "mfaName", "appName"),
)


def id_of(place: str, kind: str) -> str:
    return hashlib.sha256(f"{place}/{kind}".encode()).hexdigest()[:24]


def mark_of(place: str) -> str:
    """The word in all names of an estate."""
    return f"zq{hashlib.sha256(place.encode()).hexdigest()[:10]}"


_IDENTIFIER = re.compile(r"\b[0-9a-f]{24}\b")


@dataclass
class Estate:
    """The records of one company, or of one caller, by the parameters of paths."""

    place: str
    ids: dict[str, str]


async def sources(world: World) -> dict[str, tuple[str, Document]]:
    """One demo record for each parameter: its collection and document."""
    async with world.service.database.unit() as store:

        async def all_of(kind: str, **fields: Any) -> list[Document]:
            found = (await getattr(store, kind).find()).documents
            return [each for each in found if all(each.get(name) == value for name, value in fields.items())]

        async def one(kind: str, **fields: Any) -> tuple[str, Document]:
            return kind, (await all_of(kind, **fields))[0]

        _, pbx = await one("cloudpbxs", name="Northwind voice")
        company, system = {"companyId": pbx["companyId"]}, {"systemId": pbx["id"]}
        _, user = await one("users", loginEmail="user@demo.example")
        devices = await all_of("devices", **system)
        held = next(each for each in devices if each.get("phoneNumberId") and each["shortNumber"] == "2003")
        line = (await all_of("subscribers", id=held["phoneNumberId"]))[0]
        trial = (await all_of("subscriptions", **company, offerName="Trial"))[0]
        return {
            "company": ("companies", (await all_of("companies", id=pbx["companyId"]))[0]),
            "userId": ("users", user),
            "memberId": ("users", user),
            "siteId": await one("sites", id=pbx["siteId"][0]),
            "subscriptionId": await one("subscriptions", **company, offerName="Business"),
            "demoId": ("subscriptions", trial),
            "mfaId": await one("mfa_settings", **company),
            "systemId": ("cloudpbxs", pbx),
            "subscriber": ("subscribers", line),
            "ddi": (
                "ddis",
                next(each for each in await all_of("ddis", **system) if each.get("userId") == line["userId"]),
            ),
            "free": (
                "ddis",
                next(e for e in await all_of("ddis", **system) if not e.get("userId") and not e.get("ivrId")),
            ),
            "device": ("devices", held),
            "deviceId": ("devices", next(e for e in devices if not e.get("phoneNumberId") and "macAddress" in e)),
            "registration": ("registrations", next(e for e in await all_of("registrations", deviceId=held["id"]))),
            "recordId": await one("recordings", **system),
            "ivrId": await one("welcome_services", **system),
            "welcomeId": await one("welcomes", **system),
            "officeHoursId": await one("office_hours", **system),
            "externalTrunkId": await one("external_trunks", name="Harbour Lisbon"),
            "templateId": await one("templates", ownedByCompany=pbx["companyId"], name="Reception desk"),
            "directory": await one("directories", **company),
            "entryId": await one("directory_entries", **company),
            "report": await one("import_reports", displayName="Dario Ferri"),
            "invoice": await one("invoices", accountName="Harbour Telecom Partners"),
            "file": await one("invoice_files", fileType="CDR"),
            "appId": await one("applications", name="Branch Studio"),
            "apiKeyId": await one("api_keys"),
            "tokenId": await one("oauth_tokens"),
        }


#: An application that also bp_finance may read.
_CONNECTED = {"state": "active", "env": "deployed", "kpi": "appconnect"}
#: What a single user owns.
_OWNED = ("appId", "apiKeyId", "tokenId", "directory", "entryId", "report", "subscriber")
#: Collections whose records name the company.
_OF_COMPANIES = ("users", "sites", "subscriptions", "mfa_settings", "cloudpbxs", "devices", "recordings", "invoices",
                 "invoice_files")  # fmt: skip
_OF_OWNERS = ("directories", "directory_entries", "import_reports")


class Copies:
    """Copies of the demo's records for estates."""

    def __init__(self, world: World, source: dict[str, tuple[str, Document]], demo: frozenset[str]) -> None:
        """`demo` are the identifiers of the demo's own companies, their users and sites."""
        self.world, self.source, self.demo, self.serial = world, source, demo, 0

    async def company(self, place: str) -> Estate:
        """A company with everything."""
        bp, in_group = COMPANIES[place]
        estate = Estate(place, {"companyId": id_of(place, "company"), "commandId": mark_of(place)})
        _, demo = self.source["company"]
        document = {
            key: value for key, value in demo.items() if key in ("status", "country", "creationDate", "offerType")
        }
        document |= {
            "id": estate.ids["companyId"],
            "name": f"{mark_of(place)} company",
            "adminEmail": f"admin@{mark_of(place)}.test",
            "visibility": "private",
            "isBP": place in BPS,
            "adminCanSetCustomData": True,
            "adminHasRightToUpdateSubscriptions": True,
            **({"bpType": BPS[place], "bpCRDid": mark_of(place), "bpHasRightToSell": True} if place in BPS else {}),
            **({"bpId": id_of(bp, "company")} if bp else {}),
            **({"organisationId": ORGANISATION} if in_group else {}),
        }
        await self._put("companies", document)
        for name in self.source:
            if name != "company":
                await self._copy(estate, name)
        for kind in ("import", "check"):
            company, command = estate.ids["companyId"], f"{kind}:{estate.ids['commandId']}"
            report = {"companyId": company, "state": "Completed successfully", "status": "success"}
            named = {"id": f"command:{company}:{command}", "command": command}
            await self._put("import_reports", {**named, "report": {}, **report})
        return estate

    async def user(self, role: str, home: Estate, **fields: Any) -> tuple[Document, Estate]:
        """A caller with this role only, and what the caller owns."""
        estate = Estate(f"{home.place}/{role}/{fields.get('siteId', '')}", dict(home.ids))
        admin = role in _ADMINS
        given = {
            "roles": ["admin"] if admin else [role],
            "adminType": role if admin else "undefined",
            **({"organisationId": ORGANISATION} if COMPANIES[home.place][1] else {}),
            **fields,
        }
        document = await self._copy(estate, "userId", given)
        for name in _OWNED:
            await self._copy(estate, name, owned=True)
        return document, estate

    async def _put(self, kind: str, document: Document) -> None:
        async with self.world.service.database.unit() as store:
            await getattr(store, kind).put(document)

    async def _copy(
        self, estate: Estate, name: str, fields: Document | None = None, *, owned: bool = False
    ) -> Document:
        kind, demo = self.source[name]
        key, ids, mark = _key(kind), estate.ids, mark_of(estate.place)
        ids[name] = id_of(estate.place, name)
        document: Document = json.loads(self._replaced(json.dumps(demo), estate))
        document |= {each: f"{mark} {each}" for each in _NAMES if each in document}
        document |= {each: value for each, value in self._unique(mark).items() if each in document}
        document |= self._links(kind, name, estate)
        document[key] = ids[name]
        document.pop("organisationId", None)
        if kind in _OF_COMPANIES:
            document["companyId"] = ids["companyId"]
        if kind in _OF_OWNERS:
            document.pop("companyId", None)
            document |= {"userId": ids["userId"]} if owned else {"companyId": ids["companyId"]}
        if kind == "import_reports":
            document["id"] = f"user:{ids['userId']}" if owned else f"company:{ids['companyId']}:"
        document |= fields or {}
        await self._put(kind, document)
        return document

    def _unique(self, mark: str) -> Document:
        self.serial += 1
        number = f"+35121{self.serial:07d}"
        return {
            "numberE164": number,
            "number": number,
            "externalNumber": number,
            "loginEmail": f"{mark}{self.serial}@{mark}.test",
            "eMail": f"{mark}@{mark}.test",
            "macAddress": f"02:00:00:{self.serial >> 8:02x}:{self.serial & 255:02x}:00",
            "shortNumber": str(3000 + self.serial),
            "internalNumber": str(3000 + self.serial),
        }

    def _links(self, kind: str, name: str, estate: Estate) -> Document:
        """The fields that hold identifiers of others, or must differ in each copy."""
        ids, mark = estate.ids, mark_of(estate.place)
        nobody: Document = {"emails": [], "phoneNumbers": [], "profiles": [], "adminType": "undefined"}
        links: dict[str, Document] = {
            "users": {
                "roles": ["user", "app_admin"] if name == "userId" else ["user"],
                "siteId": id_of(estate.place.split("/")[0], "siteId"),
                **nobody,
            },
            "applications": {"ownerId": ids["userId"], "name": f"{mark} application", **_CONNECTED},
            "api_keys": {"userId": ids["userId"], "createdBy": {}, "keyHash": mark + name},
            "oauth_tokens": {"userId": ids["userId"], "refreshHash": mark + name},
            "subscribers": {"userId": ids["userId"], "systemId": ids.get("systemId")},
            "external_trunks": {"bpIds": [ids["companyId"]]},
            "ddis": {"userId": ids["userId"]} if name == "ddi" else {},
            "welcome_services": {
                "externalNumberId": ids.get("free"),
                "secondaryDDIs": [],
                "companyCalendarId": id_of(estate.place, "officeHoursId"),
                "phoneNumberId": id_of(estate.place, "welcome number"),
            },
            "templates": {"ownedByCompany": ids["companyId"], "visibleBy": []},
            "invoices": {"invoiceFiles": [{"id": id_of(estate.place, "fileId"), "versionNumber": 1}]},
            "invoice_files": {"filepath": f"{mark}/2026-02/cdr.csv"},
        }
        return links.get(kind, {})

    def _replaced(self, text: str, estate: Estate) -> str:
        """The text of a demo record with the estate's identifiers in place of the demo's."""
        for name, (kind, demo) in self.source.items():
            new = estate.ids.get("companyId" if name == "company" else name) or id_of(estate.place, name)
            text = text.replace(demo[_key(kind)], new)
        for other in self.demo & set(_IDENTIFIER.findall(text)):
            text = text.replace(other, id_of(estate.place, other))
        return text.replace("demo.example", f"{mark_of(estate.place)}.test")


def _key(kind: str) -> str:
    return "mfaId" if kind == "mfa_settings" else "id"
