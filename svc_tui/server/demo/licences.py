"""Licences of users in the demo data: as many as the subscriptions have assigned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from svc_tui.interface.companies.offers import Offer
from svc_tui.interface.typed_access import typed
from svc_tui.server.demo.accounts import LOGISTICS, NORTHWIND, account
from svc_tui.server.demo.repeatable import Calendar, id_of, number
from svc_tui.server.demo.subscriptions import DEFAULT_OFFER, SUBSCRIPTIONS
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredSubscription
from svc_tui.server.subscriptions.licence_counts import profile_of

#: The user with a desk phone licence only.
_PHONE_ONLY = account("voiceonly").id
_PHONE_OFFER = "voice-phone"
#: Colleagues of the demo company without a voice licence.
WITHOUT_VOICE = (id_of("user", f"{NORTHWIND}/9"), account("directory_admin").id)
#: A new colleague of the logistics company, who has no licence at all.
WITHOUT_LICENCE = id_of("user", f"{LOGISTICS}/6")
#: Statuses without assigned licences.
_WITHOUT = ("creating", "failed", "terminated")
_TARGETS = {
    (id_of("company", company), held.offer): held.assigned
    for company, all_held in SUBSCRIPTIONS.items()
    for held in all_held
    if held.assigned is not None
}


def licensed(
    calendar: Calendar, users: Iterable[Document], subscriptions: Iterable[Document], offers: Iterable[Document]
) -> list[Document]:
    """The users with the profiles of their licences."""
    known = {each["id"]: each for each in offers}
    of_company: dict[str, list[Document]] = defaultdict(list)
    for subscription in subscriptions:
        of_company[subscription["companyId"]].append(subscription)
    found = [{**user, "profiles": []} for user in users]
    staff: dict[str, list[Document]] = defaultdict(list)
    for user in found:
        if not user["isTerminated"] and user["id"] != WITHOUT_LICENCE:
            staff[user["companyId"]].append(user)
    for company, there in staff.items():
        for subscription in of_company[company]:
            _assign(calendar, subscription, known[subscription["offerId"]], there)
    return found


def _assign(calendar: Calendar, subscription: Document, offer: Document, staff: list[Document]) -> None:
    default = bool(subscription.get("isDefault"))
    if subscription["status"] in _WITHOUT or (subscription["businessModel"] != "nb_users" and not default):
        return
    left = _target(subscription, len(staff))
    held, of_offer = typed(StoredSubscription, subscription), typed(Offer, offer)
    for user in _ordered(subscription, staff):
        if not left:
            return
        if _may_hold(user, subscription, offer):
            since = calendar.ago(number(f"since/{user['id']}/{subscription['id']}", 20), user["id"])
            user["profiles"].append(profile_of(held, of_offer, since))
            left -= 1


def _target(subscription: Document, there: int) -> int:
    if subscription["offerReference"] == DEFAULT_OFFER:
        return there
    named = _TARGETS.get((subscription["companyId"], subscription["offerReference"]))
    return int(subscription["maxNumberUsers"]) if named is None else named


def _ordered(subscription: Document, staff: list[Document]) -> list[Document]:
    """The users in the order of assignment; for desk phone licences, the user with only a desk phone is first."""
    if subscription["offerReference"] == _PHONE_OFFER:
        return sorted(staff, key=lambda user: user["id"] != _PHONE_ONLY)
    return staff


def _may_hold(user: Mapping[str, object], subscription: Document, offer: Document) -> bool:
    if user["id"] in WITHOUT_VOICE and offer.get("hasVoice"):
        return False
    if user["id"] == _PHONE_ONLY:
        return bool(subscription["offerReference"] == _PHONE_OFFER)
    profiles = user["profiles"]
    assert isinstance(profiles, list)
    return not (subscription.get("isExclusive") and any(each.get("isExclusive") for each in profiles))
