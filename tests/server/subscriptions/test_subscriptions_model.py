"""Subscriptions and licences of a company against a model: synchronisation, and licences never exceed their number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies
from hypothesis.stateful import invariant, rule

from tests.server.companies.support import caller
from tests.server.stateful import BOUNDED, Modelled
from tests.server.subscriptions.support import (
    FRENCH,
    MONTHLY,
    change,
    furnished,
    listed,
    offer_id,
    subscriptions_of,
    synchronised,
)
from tests.support.world import COMPANY, OTHER_COMPANY, granted, refused

OFFERS = strategies.sampled_from([MONTHLY, FRENCH])
AMOUNTS = strategies.integers(0, 4)
USERS = 3


@dataclass
class Bought:
    """A subscription as it should be."""

    id: str
    most: int
    syncing: bool = True
    holders: set[str] = field(default_factory=set)


class SubscriptionsModel(Modelled):
    """`bought`: offer -> subscription that is not terminated."""

    def __init__(self) -> None:
        super().__init__()
        self.run_(self.world.application())
        self.run_(furnished(self.world))
        self.run_(change(self.world, "offers", offer_id(FRENCH), isMonthly=True))
        self.by = self.run_(caller(self.world, "superadmin", OTHER_COMPANY))
        self.users = [self.run_(caller(self.world, "user"))["id"] for _ in range(USERS)]
        self.bought: dict[str, Bought] = {}

    def send(self, method: str, path: str, **options: Any) -> Any:
        return self.run_(self.world.send(method, path, by=self.by, **options))

    def licence(self, method: str, user: str, subscription: Bought) -> Any:
        path = f"/api/svc/admin/v1.0/users/{user}/profiles/subscriptions/{subscription.id}"
        return self.send(method, path, json={} if method == "POST" else None)

    @rule(offer=OFFERS, most=AMOUNTS)
    def buy(self, offer: str, most: int) -> None:
        body = {"offerId": offer_id(offer), "maxNumberUsers": most + 1}
        answer = self.send("POST", subscriptions_of(), json=body)
        if offer in self.bought:
            refused(answer, 409620)
        else:
            self.bought[offer] = Bought(granted(answer)["data"]["id"], most + 1)

    @rule()
    def synchronise(self) -> None:
        self.run_(synchronised(self.world))
        for each in self.bought.values():
            each.syncing = False

    @rule(offer=OFFERS, most=AMOUNTS)
    def update(self, offer: str, most: int) -> None:
        subscription = self.bought.get(offer)
        if subscription is None:
            return
        answer = self.send("PUT", subscriptions_of(COMPANY, subscription.id), json={"maxNumberUsers": most})
        if subscription.syncing:
            refused(answer, 409625)
        elif most < len(subscription.holders):
            refused(answer, 400509)
        else:
            granted(answer)
            # An update without a difference needs no synchronisation.
            subscription.most, subscription.syncing = most, most != subscription.most

    @rule(offer=OFFERS)
    def terminate(self, offer: str) -> None:
        subscription = self.bought.get(offer)
        if subscription is None:
            return
        answer = self.send("DELETE", subscriptions_of(COMPANY, subscription.id))
        if subscription.syncing:
            refused(answer, 403311)
        else:
            granted(answer)
            del self.bought[offer]

    @rule(offer=OFFERS, place=strategies.integers(0, USERS - 1))
    def assign(self, offer: str, place: int) -> None:
        subscription, user = self.bought.get(offer), self.users[place]
        if subscription is None:
            return
        answer = self.licence("POST", user, subscription)
        if subscription.syncing:
            assert answer.status_code == 403, answer.text
        elif user in subscription.holders:
            refused(answer, 409000)
        elif len(subscription.holders) >= subscription.most:
            refused(answer, 403610)
        else:
            granted(answer)
            subscription.holders.add(user)

    @rule(offer=OFFERS, place=strategies.integers(0, USERS - 1))
    def unassign(self, offer: str, place: int) -> None:
        subscription, user = self.bought.get(offer), self.users[place]
        if subscription is None:
            return
        answer = self.licence("DELETE", user, subscription)
        if user in subscription.holders:
            granted(answer)
            subscription.holders.discard(user)
        else:
            refused(answer, 404000)

    @invariant()
    def the_list_is_the_model(self) -> None:
        found = self.run_(listed(self.world, self.by, format="full"))
        assert {
            each["id"]: (each["maxNumberUsers"], each["numberAssignedUsers"], each["syncOngoing"]) for each in found
        } == {each.id: (each.most, len(each.holders), each.syncing) for each in self.bought.values()}
        for user in self.users:
            path = f"/api/svc/admin/v1.0/users/{user}/profiles"
            held = {each["subscriptionId"] for each in granted(self.send("GET", path))["data"]}
            assert held == {each.id for each in self.bought.values() if user in each.holders}


TestSubscriptionsModel = SubscriptionsModel.TestCase
TestSubscriptionsModel.settings = BOUNDED
