"""Entries of directories: list, create, read, change, delete, and emptying a company's directory."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.directory import entry_operations as declared
from svc_tui.interface.directory.csv.columns import NUMBERS
from svc_tui.interface.directory.records import (
    STATE_COUNTRIES,
    DirectoryEntry,
    EntryCreation,
    EntryFormatQuery,
    EntryQuery,
    EntryUpdate,
)
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.timestamps import stamp
from svc_tui.interface.voice.numbers import e164, search_parts
from svc_tui.server.companies.fields import given
from svc_tui.server.directory.live import live_directory
from svc_tui.server.directory.seen import (
    directories_within,
    in_directories,
    opened_directory,
    owner_subject,
    reached_company,
    require_owner,
)
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import AnyOf, AtLeast, AtMost, Condition, Contains, Has, Is, Not, Related
from svc_tui.server.store.tables import Document

_INNER = ("directory",)
#: Persons of one name stand by the other one, as people read them.
_THEN = {"lastName": "firstName", "firstName": "lastName", "companyName": "lastName"}


@rule(declared.list_directory_entries)
async def list_entries(call: Call[EntryQuery]) -> RuleResult:
    query = call.query
    used = [wire for wire in EntryQuery.EXCLUSIVE if getattr(query, _attribute(wire))]
    if len(used) > 1:
        said = f"of {', '.join(EntryQuery.EXCLUSIVE)} only one may be given"
        raise Refusal(Code.MUTUALLY_EXCLUSIVE, [Problem(wire, said).wire() for wire in used])
    where = [in_directories(directories_within(call), *_whose(call)), Is("type", query.type), *_filters(query)]
    return await page_of(call.store.directory_entries, DirectoryEntry, query, *where, show=_shown, then=_THEN)


def _attribute(wire: str) -> str:
    return "phone_numbers" if wire == "phoneNumbers" else wire


def _whose(call: Call[EntryQuery]) -> list[Condition]:
    query, where = call.query, list[Condition]()
    if query.company_id:
        where.append(Is("companyId", query.company_id))
    if query.organisation_ids:
        of = AnyOf(tuple(Is("organisationId", each) for each in _words(query.organisation_ids)))
        where.append(Related("companyId", "companies", of))
    if query.view != "all":
        where.append(Is("companyId", None) if query.view == "personal" else Not(Is("companyId", None)))
    return where


def _filters(query: EntryQuery) -> list[Condition]:
    where: list[Condition] = []
    for wire, part in (("name", query.name), ("companyName", query.company_name)):
        if part:
            where.append(Contains(wire, part))
    if query.search:
        parts = dict.fromkeys((query.search.strip(), *search_parts(query.search)))
        where.append(AnyOf(tuple(Contains("search", part) for part in parts)))
    if query.phone_numbers:
        asked = [part for number in _words(query.phone_numbers) for part in search_parts(number) or (number,)]
        where.append(AnyOf(tuple(Contains("numbers", part) for part in asked)))
    if query.tags:
        where.append(Has("tags", _words(query.tags)))
    if query.from_update_date:
        where.append(AtLeast("lastUpdateDate", stamp(query.from_update_date)))
    if query.to_update_date:
        where.append(AtMost("lastUpdateDate", stamp(query.to_update_date)))
    return where


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


@rule(declared.create_directory_entry)
async def create(call: Call[Nothing, EntryCreation]) -> RuleResult:
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    assert call.caller is not None
    company_id = values.pop("companyId", None)
    company = await reached_company(call, company_id) if company_id else None
    owner = ("companyId", company["id"]) if company else ("userId", call.caller.user_id)
    entry = completed(values, await _country(call, company))
    directory = await opened_directory(call, owner)
    if await call.store.directory_entries.count(Is("directory", directory["id"])) >= _most(call):
        raise Refusal(Code.VALIDATION, f"the directory is full: it holds {_most(call)} entries")
    made = {
        "id": call.service.ids.record(),
        "directory": directory["id"],
        owner[0]: owner[1],
        **entry,
        "creationDate": call.stamp,
        "lastUpdateDate": call.stamp,
    }
    return {"data": _shown(await call.store.directory_entries.add(made))}


def _most(call: Call[Any, Any]) -> int:
    return call.service.settings.largest_directory


async def _country(call: Call[Any, Any], company: Document | None) -> str:
    """In which country numbers without a country code are read: the company's."""
    assert call.caller is not None
    found = company or await call.store.companies.get(call.caller.company_id) or {}
    return str(found.get("country") or "")


@rule(declared.get_directory_entry)
async def get(call: Call[EntryFormatQuery]) -> RuleResult:
    return {"data": DirectoryEntry.shown(_shown(await _reached(call, Code.NOT_FOUND)), call.query.format)}


@rule(declared.update_directory_entry)
async def update(call: Call[Nothing, EntryUpdate]) -> RuleResult:
    entry = await _held(call, Code.NOT_FOUND_UPDATE)
    values = given(call.body)
    if not values:
        raise Refusal(Code.NOTHING_TO_UPDATE)
    company = await call.store.companies.get(str(entry.get("companyId") or ""))
    changed = completed(merged(entry, values), await _country(call, company))
    return {"data": _shown(await call.store.directory_entries.put({**changed, "lastUpdateDate": call.stamp}))}


@rule(declared.delete_directory_entry)
async def delete(call: Call) -> RuleResult:
    entry = await _held(call, Code.NOT_FOUND_DELETE)
    await call.store.directory_entries.remove(entry["id"])
    return {"status": f"Directory entry {entry['id']} successfully deleted"}


@rule(declared.delete_company_directory)
async def delete_all(call: Call) -> RuleResult:
    company = await reached_company(call, call.path["companyId"])
    await call.store.lock(f"directory:{company['id']}")
    directory = await live_directory(call.store, ("companyId", company["id"]))
    if directory is not None:
        await call.store.directory_entries.remove_all(Is("directory", directory["id"]))
    return {"status": f"Directory of company {company['id']} successfully deleted"}


async def _reached(call: Call[Any, Any], code: Code) -> Document:
    """The entry of the path, where it stands in a live directory. Refusal 404 with this code, or 403301."""
    entry = await call.store.directory_entries.one(Is("id", call.path["entryId"]), in_directories())
    if entry is None:
        raise not_found("Directory entry", call.path["entryId"], code)
    require_owner(call, entry, await owner_subject(call.store, entry))
    return entry


async def _held(call: Call[Any, Any], code: Code) -> Document:
    """The same for a change: nobody else changes, empties or replaces its directory meanwhile."""
    entry = await _reached(call, code)
    await call.store.lock(f"directory:{entry.get('companyId') or entry['userId']}")
    return await _reached(call, code)


def merged(entry: Document, values: Document) -> Document:
    """An entry with new values; None takes a field away."""
    return {wire: value for wire, value in {**entry, **values}.items() if value is not None}


def completed(values: Document, country: str) -> Document:
    """An entry with numbers in E.164 and its type. Refusal 400000 for what is no entry."""
    found = {wire: value for wire, value in values.items() if value not in ("", [])}
    country = str(found.get("country") or country)
    problems = []
    for wire in NUMBERS:
        numbers = []
        for place, number in enumerate(found.get(wire) or ()):
            try:
                numbers.append(e164(number, country or None))
            except ValueError as error:
                problems.append(Problem(f"{wire}.{place}", str(error), number))
        if numbers:
            found[wire] = numbers
    if found.get("state") and country not in STATE_COUNTRIES:
        problems.append(Problem("state", f"is for {' and '.join(STATE_COUNTRIES)} only", found["state"]))
    if not any(found.get(wire) for wire in ("firstName", "lastName", "companyName")):
        problems.append(Problem("lastName", "a person needs a first or last name, a company its name"))
    if problems:
        raise invalid(*problems)
    found["type"] = "user" if found.get("firstName") or found.get("lastName") else "company"
    return found


def _shown(entry: Document) -> Document:
    return {wire: value for wire, value in entry.items() if wire not in _INNER}
