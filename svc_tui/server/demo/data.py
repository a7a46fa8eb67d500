"""Seeding: all demo records in bulk, in place of whatever was there."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING

from svc_tui.interface.timestamps import stamp
from svc_tui.server.demo import (
    catalogue,
    companies,
    directory,
    invoices,
    invoicing,
    licences,
    people,
    pictures,
    programs,
    settings,
    sites,
    subscriptions,
    templates,
    voice,
)
from svc_tui.server.demo.accounts import PASSWORD, RECOVERY_CODE, account
from svc_tui.server.demo.dates import Calendar
from svc_tui.server.demo.ids import id_of
from svc_tui.server.demo.people import Person
from svc_tui.server.demo.scale import Scale
from svc_tui.server.demo.voice import lines as voice_lines

if TYPE_CHECKING:
    from svc_tui.server.store.store import Store
    from svc_tui.server.store.tables import Document

#: Where browsers reach a demo server of which nothing else is said.
_ORIGIN = "http://127.0.0.1:8080"


async def fill(store: Store, scale: Scale, today: date, origin: str) -> None:
    """Write the demo data of this scale; see `svc_tui.server.demo.seed`."""
    from svc_tui.server.security.guard import locked
    from svc_tui.server.security.passwords import Passwords
    from svc_tui.server.security.second_factor import normalised

    await _clear(store)
    await voice.clear(store)
    calendar = Calendar(today)
    large = scale == "large"
    painted = [*pictures.avatars(calendar), *pictures.splash_screens(calendar)]
    dates = {each.image.entity_id: each.image.date for each in painted if each.image.purpose == "avatar"}
    many = list(companies.many(calendar)) if large else []
    firms = _dated([*companies.named(calendar), *many], dates)
    offers = list(catalogue.offers(calendar))
    named = _keyed(firms, large=False)
    held = list(subscriptions.subscriptions(calendar, offers, _keyed(firms, large=large), large=large))
    licensed = licences.licensed(calendar, _dated(_users(calendar, firms, large=large), dates), held, offers)
    users, lines = voice_lines.with_lines(licensed)
    apps = programs.paid(_applications(calendar, users, origin or _ORIGIN, large=large), held)
    # Everybody has the same password: one hash is made, and a cheap one, for it protects nothing.
    passwords = Passwords(cheap=True)
    same, recovery = passwords.hash(PASSWORD), passwords.hash(normalised(RECOVERY_CODE))
    known = {each["id"]: each for each in settings.secrets(same, recovery)}
    await store.companies.add_all(firms)
    await store.users.add_all(users)
    await store.user_secrets.add_all(known.get(user["id"], {"id": user["id"], "passwordHash": same}) for user in users)
    await store.applications.add_all(apps)
    await store.api_keys.add_all(settings.api_keys(calendar))
    await store.mfa_settings.add_all(settings.policies())
    await store.client_versions.add_all(settings.client_versions(apps))
    await store.identity_providers.add(companies.identity_provider(origin or _ORIGIN))
    await store.sites.add_all([*sites.named(calendar), *(sites.many(calendar) if large else ())])
    await store.offers.add_all(offers)
    await store.catalogs.add_all(catalogue.catalogs(calendar))
    await store.subscriptions.add_all(held)
    await store.invoices.add_all(invoices.invoices(calendar, named, held))
    for file in invoicing.invoice_files(calendar, named, held):
        await store.invoice_files.add(file.document)
        await store.invoice_lines.put(file.document["id"], file.blocks)
    await store.templates.add_all(templates.all_of_them(calendar))
    await store.images.put_all([(each.image, each.content) for each in painted])
    await store.splash_screens.add_all(pictures.choices(painted))
    await _fill_directories(store, calendar, large=large)
    await store.login_guards.add(locked(account("locked").id, stamp(_far(today))))
    await voice.fill(store, today, lines, many)


async def _fill_directories(store: Store, calendar: Calendar, *, large: bool) -> None:
    await store.directories.add_all(directory.directories(calendar))
    entries = directory.entries(calendar, large=large)
    while some := list(islice(entries, 5_000)):
        await store.directory_entries.add_all(some)
    report, rows = directory.report(calendar)
    await store.import_reports.add(report)
    await store.imported_rows.add_all(rows)


async def _clear(store: Store) -> None:
    for collection in (
        store.companies,
        store.users,
        store.user_secrets,
        store.applications,
        store.api_keys,
        store.mfa_settings,
        store.client_versions,
        store.login_guards,
        store.identity_providers,
        store.trusted_applications,
        store.sites,
        store.offers,
        store.catalogs,
        store.subscriptions,
        store.invoices,
        store.invoice_files,
        store.templates,
        store.splash_screens,
        store.directories,
        store.directory_entries,
        store.import_reports,
        store.imported_rows,
        store.daily_stats,
    ):
        await collection.remove_all()
    await store.images.remove_all()
    await store.invoice_lines.remove_all()


def _dated(documents: list[Document], dates: dict[str, str]) -> list[Document]:
    """Records with the date of their avatar, where they have one."""
    return [{**each, "lastAvatarUpdateDate": dates[each["id"]]} if each["id"] in dates else each for each in documents]


def _keyed(firms: Iterable[Document], *, large: bool) -> dict[str, Document]:
    by_id = {each["id"]: each for each in firms}
    return {key: by_id[id_of("company", key)] for key in companies.keys(large=large)}


def _users(calendar: Calendar, firms: Iterable[Document], *, large: bool) -> list[Document]:
    names = {each["id"]: each["name"] for each in firms}
    found = [*people.accounts(calendar, names), *people.colleagues(calendar, names)]
    if large:
        found += people.many(calendar, names, people.LARGE_USERS - len(found))
    return found


def _applications(calendar: Calendar, users: Iterable[Document], origin: str, *, large: bool) -> list[Document]:
    keys = {id_of("company", key): key for key in companies.keys(large=large)}
    known = [
        Person(user["id"], user["loginEmail"], keys[user["companyId"]], "app_admin" in user["roles"]) for user in users
    ]
    found = [programs.console(calendar, known, origin), *programs.small(calendar, known)]
    if large:
        found += programs.large(calendar, known, programs.LARGE_APPLICATIONS - len(found))
    return found


def _far(today: date) -> datetime:
    """The lock that a demo shows must not end before the demo does."""
    return datetime(today.year, today.month, today.day, tzinfo=UTC) + timedelta(days=3650)
