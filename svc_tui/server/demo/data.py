"""Seeding: replaces the contents of the store with all demo records."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from svc_tui.interface.dates import stamp
from svc_tui.server.demo import applications as demo_applications
from svc_tui.server.demo import (
    catalogue,
    companies,
    hostile,
    invoices,
    licences,
    settings,
    subscriptions,
    templates,
)
from svc_tui.server.demo import images as demo_images
from svc_tui.server.demo import users as demo_users
from svc_tui.server.demo.accounts import PASSWORD, RECOVERY_CODE, account
from svc_tui.server.demo.area import DemoRecords, demo_areas
from svc_tui.server.demo.repeatable import Calendar, Scale, id_of
from svc_tui.server.demo.users import UserSummary

if TYPE_CHECKING:
    from svc_tui.server.store.store import Store
    from svc_tui.server.store.tables import Document

#: Default address of a demo server.
_ORIGIN = "http://127.0.0.1:8080"


async def fill(store: Store, scale: Scale, today: date, origin: str) -> None:
    """Write the demo data of this scale; see `svc_tui.server.demo.seed`."""
    from svc_tui.server.security.guard import new_guard
    from svc_tui.server.security.passwords import Passwords
    from svc_tui.server.security.second_factor import normalised

    await store.remove_all()
    calendar = Calendar(today)
    large = scale == "large"
    drawn = [*demo_images.avatars(calendar), *demo_images.splash_screens(calendar)]
    dates = {each.image.entity_id: each.image.date for each in drawn if each.image.purpose == "avatar"}
    many = list(companies.many(calendar)) if large else []
    all_companies = _dated([*companies.named(calendar), *many], dates)
    offers = list(catalogue.offers(calendar))
    keyed = _keyed(all_companies, large=large)
    held = list(subscriptions.subscriptions(calendar, offers, keyed, large=large))
    licensed = licences.licensed(calendar, _dated(_users(calendar, all_companies, large=large), dates), held, offers)
    shared = DemoRecords(calendar, large, all_companies, many, licensed, held)
    fills = [area.records(shared) for area in demo_areas()]
    users = shared.users
    applications = demo_applications.with_payments(_applications(calendar, users, origin or _ORIGIN, large=large), held)
    # All users have the same public password: one hash is enough, and a cheap one.
    passwords = Passwords(cheap=True)
    password_hash, recovery_hash = passwords.hash(PASSWORD), passwords.hash(normalised(RECOVERY_CODE))
    known = {each["id"]: each for each in settings.secrets(password_hash, recovery_hash)}
    await store.companies.add_all(all_companies)
    await store.users.add_all(users)
    await store.user_secrets.add_all(
        known.get(user["id"], {"id": user["id"], "passwordHash": password_hash}) for user in users
    )
    await store.applications.add_all(applications)
    await store.api_keys.add_all(settings.api_keys(calendar))
    await store.oauth_tokens.add_all(settings.oauth_tokens(calendar, applications))
    await store.mfa_settings.add_all(settings.policies())
    await store.client_versions.add_all(settings.client_versions(applications))
    await store.identity_providers.add(companies.identity_provider(origin or _ORIGIN))
    await store.sites.add_all([*companies.named_sites(calendar), *(companies.many_sites(calendar) if large else ())])
    await store.offers.add_all(offers)
    await store.catalogs.add_all(catalogue.catalogs(calendar))
    await store.subscriptions.add_all(held)
    await store.invoices.add_all(invoices.invoices(calendar, shared.named(), held))
    await store.templates.add_all(templates.templates(calendar, keyed))
    await store.images.put_all([(each.image, each.content) for each in drawn])
    await store.splash_screens.add_all(demo_images.choices(drawn))
    await store.login_guards.add(new_guard(account("locked").id, stamp(_never(today)), 5, locked=True))
    for id, failures in demo_users.FAILED_LOGINS.items():
        await store.login_guards.add(new_guard(id, calendar.ago(1, id), failures))
    for fill_area in fills:
        await fill_area(store)
    if scale == "hostile":
        await hostile.replace(store, [*hostile.texts(), *(text for area in demo_areas() for text in area.hostile())])


def _dated(documents: list[Document], dates: dict[str, str]) -> list[Document]:
    """Records with the date of their avatar, if they have one."""
    return [{**each, "lastAvatarUpdateDate": dates[each["id"]]} if each["id"] in dates else each for each in documents]


def _keyed(all_companies: Iterable[Document], *, large: bool) -> dict[str, Document]:
    by_id = {each["id"]: each for each in all_companies}
    return {key: by_id[id_of("company", key)] for key in companies.keys(large=large)}


def _users(calendar: Calendar, all_companies: Iterable[Document], *, large: bool) -> list[Document]:
    names = {each["id"]: each["name"] for each in all_companies}
    users = [*demo_users.accounts(calendar, names), *demo_users.colleagues(calendar, names)]
    if large:
        users += demo_users.many(calendar, names, demo_users.LARGE_USERS - len(users))
    return users


def _applications(calendar: Calendar, users: Iterable[Document], origin: str, *, large: bool) -> list[Document]:
    keys = {id_of("company", key): key for key in companies.keys(large=large)}
    owners = [
        UserSummary(user["id"], user["loginEmail"], keys[user["companyId"]], "app_admin" in user["roles"])
        for user in users
    ]
    applications = [demo_applications.console(calendar, owners, origin), *demo_applications.small(calendar, owners)]
    if large:
        more = demo_applications.LARGE_APPLICATIONS - len(applications)
        applications += demo_applications.large(calendar, owners, more)
    return applications


def _never(today: date) -> datetime:
    """A moment after the end of any demo, for a lock that never ends."""
    return datetime(today.year, today.month, today.day, tzinfo=UTC) + timedelta(days=3650)
