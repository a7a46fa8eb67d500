"""Clients that write and know what must be stored: what was acknowledged, and the request that has no answer yet.

Each has its own records, so that its knowledge is exact. Several of them change records of several tables at once.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from svc_tui.interface.authentication.proof import REQUEST_ID
from svc_tui.server.directory.stored import live_directory
from svc_tui.server.store.conditions import Is, Not, StartsWith
from svc_tui.server.store.store import Store
from tests.server.companies.support import caller
from tests.server.directory.support import CSV, ENTRIES, IMPORTS
from tests.server.subscriptions.support import FRENCH, MONTHLY, furnished, offer_id, subscriptions_of
from tests.server.voice.world import at, exchanges, member
from tests.support.world import COMPANY, OTHER_COMPANY, World

APPLICATIONS = "/api/svc/applications/v1.0/applications"
#: Entries of an imported file, enough for several statements.
ROWS = 1500

Document = dict[str, Any]
Send = Callable[..., Any]


class Lost(Exception):
    """Something that was acknowledged is not there, or half of something is."""


def failure(answer: httpx.Response) -> str:
    """An error response, with its sender: only the service gives each response an id."""
    own = REQUEST_ID in answer.headers
    sender = f"the service: {answer.text[:200]}" if own else "the balancer"
    return f"answered with {answer.status_code} by {sender}"


@dataclass
class Writer(ABC):
    """A client. `state` is what is stored as far as it knows, `next` what is stored if the last request succeeded."""

    world: World
    by: Document
    state: Any
    next: Any = None
    unanswered: bool = False
    #: How many requests were acknowledged, refused, and without a response.
    answers: Counter[str] = field(default_factory=Counter)
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    @abstractmethod
    async def step(self) -> None:
        """Send the next request, with `ask`."""

    @abstractmethod
    async def stored(self, store: Store) -> Any:
        """What is stored, comparable with `state`. Lost if it contradicts itself."""

    async def ask(self, next: Any, method: str, path: str, **options: Any) -> Document | None:
        """Send a request that leads to the state `next`. Its body; None where it was refused."""
        self.next, self.unanswered = next, True
        try:
            answer = await self.world.send(method, path, by=self.by, **options)
        except httpx.ConnectError:
            # It was never sent.
            self.unanswered = False
            raise
        if answer.status_code >= 500:
            # A balancer: the server ended, or none was free. It may have happened.
            self.answers[str(answer.status_code)] += 1
            raise httpx.RemoteProtocolError(failure(answer))
        self.unanswered = False
        if answer.status_code != 200:
            self.answers["refused"] += 1
            return None
        self.answers["acknowledged"] += 1
        self.state = next
        return dict(answer.json())

    async def check(self) -> None:
        """Compare, and continue from what is stored."""
        async with self.world.service.database.unit() as store:
            found = await self.stored(store)
        if found != self.state and not (self.unanswered and found == self.next):
            raise Lost(f"{type(self).__name__}: stored {found!r}, acknowledged {self.state!r}, asked {self.next!r}")
        self.answers["without an answer"] += self.unanswered
        self.answers["without an answer, done"] += self.unanswered and found != self.state
        self.state, self.unanswered = found, False


class Applications(Writer):
    """Name -> id and description."""

    async def step(self) -> None:
        known, number = self.state, self.answers.total()
        choice = self.chance.random()
        if len(known) < 3 or choice < 0.4:
            name = f"{self.by['id']} {number}"
            answer = await self.ask({**known, name: None}, "POST", APPLICATIONS, json=_application(name))
            if answer:
                self.ids[name] = answer["data"]["id"]
            return
        name = self.chance.choice(sorted(known))
        address = f"{APPLICATIONS}/{self.ids[name]}"
        if choice < 0.8:
            text = f"Changed {number}"
            await self.ask({**known, name: text}, "PUT", address, json={"description": text})
        else:
            await self.ask({each: known[each] for each in known if each != name}, "DELETE", address)

    async def stored(self, store: Store) -> Any:
        mine = (StartsWith("name", self.by["id"]), Not(Is("state", "deleted")))
        found = (await store.applications.find(*mine)).documents
        self.ids = {each["name"]: each["id"] for each in found}
        if len(self.ids) != len(found):
            raise Lost(f"an application exists twice: {sorted(each['name'] for each in found)}")
        await self._check_audit(store)
        return {each["name"]: each.get("description") for each in found}

    async def _check_audit(self, store: Store) -> None:
        """Each change has exactly one record in the audit log, written in its transaction."""
        audit = (await store.audit_records.find(Is("userId", self.by["id"]))).documents
        made = Counter(each["recordId"] for each in audit if each["operation"] == "create_application")
        gone = {each["recordId"] for each in audit if each["operation"] == "delete_application"}
        if set(made) - gone != set(self.ids.values()) or set(made.values()) - {1}:
            raise Lost(f"the audit log has {sorted(set(made) - gone)}, stored are {sorted(self.ids.values())}")


def _application(name: str) -> Document:
    return {"name": name, "type": "web", "activity": "J"}


class Subscriber(Writer):
    """The number of a user's telephone line, and whether it has a device: subscribers, devices and users."""

    async def step(self) -> None:
        number, held = self.state
        if number is None:
            new = f"8{self.chance.randrange(1000):03}"
            body = {"userId": self.user, "shortNumber": new}
            answer = await self.ask((new, False), "POST", at("own", "/subscribers"), json=body)
            if answer:
                self.line = answer["data"]["id"]
        elif held or self.chance.random() < 0.3:
            await self.ask((None, False), "DELETE", at("own", f"/subscribers/{self.line}"))
        else:
            path = at("own", f"/subscribers/{self.line}/devices")
            await self.ask((number, True), "POST", path, json={"deviceId": self.device})

    async def stored(self, store: Store) -> Any:
        lines = (await store.subscribers.find(Is("userId", self.user))).documents
        device = await store.devices.get(self.device) or {}
        user = await store.users.get(self.user) or {}
        holder = device.get("phoneNumberId")
        line = lines[0] if lines else None
        if len(lines) > 1 or (holder and (line is None or holder != line["id"])):
            raise Lost(f"half a subscriber: {lines} {device}")
        numbers = {each["shortNumber"] for each in user.get("phoneNumbers", []) if each.get("shortNumber")}
        if numbers != ({line["shortNumber"]} if line else set()):
            raise Lost(f"the numbers of the user {numbers} do not fit the subscriber {line}")
        self.line = line["id"] if line else ""
        return (line["shortNumber"] if line else None), bool(holder)


class Entries(Writer):
    """Last name -> job title of entries in the directory of a company."""

    async def step(self) -> None:
        known, number = self.state, self.answers.total()
        choice = self.chance.random()
        if len(known) < 3 or choice < 0.4:
            name = f"Crash{number}"
            body = {"companyId": COMPANY, "lastName": name}
            answer = await self.ask({**known, name: None}, "POST", ENTRIES, json=body)
            if answer:
                self.ids[name] = answer["data"]["id"]
            return
        name = self.chance.choice(sorted(known))
        address = f"{ENTRIES}/{self.ids[name]}"
        if choice < 0.8:
            title = f"Title {number}"
            await self.ask({**known, name: title}, "PUT", address, json={"jobTitle": title})
        else:
            await self.ask({each: known[each] for each in known if each != name}, "DELETE", address)

    async def stored(self, store: Store) -> Any:
        found = await _entries(store, "companyId", COMPANY)
        self.ids = {each["lastName"]: each["id"] for each in found}
        return {each["lastName"]: each.get("jobTitle") for each in found}


class Imports(Writer):
    """The number of the file in the directory of a user: all of its rows, or all rows of another file."""

    #: A file without a response: the next server begins its import again, at any time after the kill.
    begun: int | None = None

    async def step(self) -> None:
        number = (self.state or 0) + 1
        lines = ["lastName", *(f"File {number} row {row}" for row in range(ROWS))]
        if await self.ask(number, "POST", f"{IMPORTS}/personal", content="\n".join(lines).encode(), headers=CSV):
            self.begun = None

    async def check(self) -> None:
        if self.unanswered:
            self.begun = self.next
        elif self.begun is not None:
            self.next, self.unanswered = self.begun, True
        await super().check()

    async def stored(self, store: Store) -> Any:
        files = Counter(int(each["lastName"].split()[1]) for each in await _entries(store, "userId", self.by["id"]))
        if len(files) > 1 or set(files.values()) - {ROWS}:
            raise Lost(f"half a directory: {files}")
        return next(iter(files), None)


async def _entries(store: Store, kind: str, owner: str) -> list[Document]:
    directory = await live_directory(store, (kind, owner))
    if directory is None:
        return []
    return (await store.directory_entries.find(Is("directory", directory.id), limit=10 * ROWS)).documents


class Licences(Writer):
    """Whether a user has a licence of a subscription."""

    async def step(self) -> None:
        path = f"/api/svc/admin/v1.0/users/{self.user}/profiles/subscriptions/{self.subscription}"
        await self.ask(not self.state, "DELETE" if self.state else "POST", path, json=None if self.state else {})

    async def stored(self, store: Store) -> Any:
        user = await store.users.get(self.user) or {}
        held = sum(each.get("subscriptionId") == self.subscription for each in user.get("profiles", []))
        if held > 1:
            raise Lost(f"a user holds {held} licences of a subscription")
        return bool(held)


class Subscriptions(Writer):
    """The number of licences of a subscription that is bought, changed and ended; the billing systems follow."""

    async def step(self) -> None:
        if self.state is None:
            body = {"offerId": offer_id(FRENCH), "maxNumberUsers": 1}
            answer = await self.ask(1, "POST", subscriptions_of(), json=body)
            if answer:
                self.id = answer["data"]["id"]
        elif self.state < 3:
            # Refused while the billing systems are at it.
            body = {"maxNumberUsers": self.state + 1}
            await self.ask(self.state + 1, "PUT", subscriptions_of(COMPANY, self.id), json=body)
        else:
            await self.ask(None, "DELETE", subscriptions_of(COMPANY, self.id))

    async def stored(self, store: Store) -> Any:
        mine = (Is("companyId", COMPANY), Is("offerId", offer_id(FRENCH)), Not(Is("status", "terminated")))
        found = [each for each in (await store.subscriptions.find(*mine)).documents if each["status"] != "deleting"]
        if len(found) > 1:
            raise Lost(f"{len(found)} subscriptions instead of one")
        self.id = found[0]["id"] if found else ""
        return found[0]["maxNumberUsers"] if found else None


async def synchronising(store: Store) -> int:
    """How many subscriptions wait for the billing systems."""
    return await store.subscriptions.count(Not(Is("syncDue", None)))


async def writers(world: World) -> list[Writer]:
    """The records that the clients work on, and one client of each kind; two for applications."""
    await world.application()
    await exchanges(world)
    await furnished(world)
    boss = await caller(world, "superadmin", OTHER_COMPANY)
    administrator = await member(world, "company_admin")
    subscriber = Subscriber(world, administrator, (None, False))
    subscriber.user = (await caller(world, "user", COMPANY, profiles=[{"profileName": "V", "isVoicePhone": True}]))[
        "id"
    ]
    models = (await world.get(at("own", "/devicemodels"), by=administrator)).json()["data"]
    desk = next(each["id"] for each in models if each["family"] != "generic")
    made = await world.post(
        at("own", "/devices"), by=administrator, json={"deviceTypeId": desk, "macAddress": "02:00:00:00:00:01"}
    )
    subscriber.device, subscriber.line = made.json()["data"]["id"], ""
    licences = Licences(world, boss, False)
    licences.user = (await caller(world, "user"))["id"]
    bought = await world.post(subscriptions_of(), by=boss, json={"offerId": offer_id(MONTHLY), "maxNumberUsers": 5})
    licences.subscription = bought.json()["data"]["id"]
    owners = [await caller(world, "app_admin") for _ in range(2)]
    found: list[Writer] = [
        *(Applications(world, owner, {}) for owner in owners),
        subscriber,
        Entries(world, await caller(world, "directory_admin"), {}),
        Imports(world, await caller(world, "user"), None),
        licences,
        Subscriptions(world, boss, None),
    ]
    for number, each in enumerate(found):
        each.chance, each.ids = random.Random(number), {}
    return found
