"""Subscribers and devices of a CloudPBX against a model: a number, a user and a device are never taken twice."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies
from hypothesis.stateful import invariant, precondition, rule

from tests.server.companies.support import caller
from tests.server.stateful import BOUNDED, Modelled
from tests.server.voice.world import at, exchanges, member
from tests.support.world import COMPANY, granted, refused

LICENCE = {"profileName": "Voice", "isVoicePhone": True}
NUMBERS, USERS, DEVICES = ("8000", "8001", "8002"), 4, 3
PICKS = strategies.integers(0, USERS * DEVICES - 1)


class SubscribersModel(Modelled):
    """`lines`: user -> subscriber and number; `held`: device -> subscriber."""

    def __init__(self) -> None:
        super().__init__()
        self.run_(self.world.application())
        self.run_(exchanges(self.world))
        self.by = self.run_(member(self.world, "company_admin"))
        users = [self.run_(caller(self.world, "user", COMPANY, profiles=[LICENCE])) for _ in range(USERS)]
        self.users = [user["id"] for user in users]
        models = granted(self.send("GET", "/devicemodels"))["data"]
        desk = next(each["id"] for each in models if each["family"] != "generic")
        made = [{"deviceTypeId": desk, "macAddress": f"02:00:00:00:00:0{place}"} for place in range(DEVICES)]
        self.devices = [granted(self.send("POST", "/devices", json=each))["data"]["id"] for each in made]
        self.lines: dict[str, tuple[str, str]] = {}
        self.held: dict[str, str] = {}

    def send(self, method: str, path: str, **options: Any) -> Any:
        return self.run_(self.world.send(method, at("own", path), by=self.by, **options))

    @rule(pick=PICKS, number=strategies.sampled_from(NUMBERS))
    def create(self, pick: int, number: str) -> None:
        user = self.users[pick % USERS]
        answer = self.send("POST", "/subscribers", json={"userId": user, "shortNumber": number})
        if user in self.lines:
            assert answer.status_code == 409, answer.text
        elif number in (taken for _, taken in self.lines.values()):
            refused(answer, 409552)
        else:
            self.lines[user] = granted(answer)["data"]["id"], number

    @rule(pick=PICKS)
    @precondition(lambda self: self.lines)
    def delete(self, pick: int) -> None:
        user = list(self.lines)[pick % len(self.lines)]
        line, _ = self.lines.pop(user)
        granted(self.send("DELETE", f"/subscribers/{line}"))
        self.held = {device: holder for device, holder in self.held.items() if holder != line}
        refused(self.send("GET", f"/subscribers/{line}"), 404000)

    @rule(pick=PICKS)
    @precondition(lambda self: self.lines)
    def assign(self, pick: int) -> None:
        line = self.lines[list(self.lines)[pick % len(self.lines)]][0]
        device = self.devices[pick % DEVICES]
        answer = self.send("POST", f"/subscribers/{line}/devices", json={"deviceId": device})
        if device in self.held:
            assert answer.status_code == 409, answer.text
        else:
            granted(answer)
            self.held[device] = line

    @rule(pick=PICKS)
    @precondition(lambda self: self.held)
    def unassign(self, pick: int) -> None:
        device = list(self.held)[pick % len(self.held)]
        granted(self.send("DELETE", f"/subscribers/{self.held.pop(device)}/devices/{device}"))

    @rule(pick=PICKS)
    def delete_a_device_that_is_assigned(self, pick: int) -> None:
        device = self.devices[pick % DEVICES]
        if device in self.held:
            refused(self.send("DELETE", f"/devices/{device}"), 409561)

    @invariant()
    def the_lists_are_the_model(self) -> None:
        listed = granted(self.send("GET", "/subscribers"))["data"]
        assert {each["userId"]: (each["id"], each["shortNumber"]) for each in listed} == self.lines
        devices = granted(self.send("GET", "/devices"))["data"]
        assert {each["id"]: each["phoneNumberId"] for each in devices if each.get("phoneNumberId")} == self.held
        free = set(granted(self.send("GET", "/phone-numbers/free"))["data"])
        assert free & set(NUMBERS) == set(NUMBERS) - {number for _, number in self.lines.values()}


TestSubscribersModel = SubscribersModel.TestCase
TestSubscribersModel.settings = BOUNDED
