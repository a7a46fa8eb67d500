"""Entries of directories: list, creation, reading, update, deletion, and emptying a company's directory."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.interface.dates import stamp
from svc_tui.interface.directory import entry_operations as declared
from svc_tui.interface.directory.csv.columns import NUMBERS
from svc_tui.interface.directory.records import DirectoryEntry, EntryCreation, EntryFormatQuery, EntryQuery, EntryUpdate
from svc_tui.interface.directory.values import NAME_REQUIRED, STATE_COUNTRIES
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.telephone_numbers import e164, search_parts
from svc_tui.interface.typed_access import copied, document_of, typed
from svc_tui.server.directory.access import (
    directories_within,
    in_directories,
    opened_directory,
    reached_company,
    represented,
    require_entry,
)
from svc_tui.server.directory.stored import StoredDirectory, StoredEntry, live_directory, type_of
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id, merged, non_null_values, update_of, words_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import (
    AnyFieldIn,
    AnyOf,
    AtLeast,
    AtMost,
    Condition,
    Contains,
    ContainsAny,
    In,
    Is,
    Not,
    Related,
)
from svc_tui.server.store.queries import MOST_MERGED
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredCompany

#: Texts that are looked for in each entry: 500 took a second of processor time, in which no other caller is answered.
_MOST_PARTS = 100


@rule(declared.list_directory_entries)
async def list_entries(call: Call[EntryQuery]) -> RuleResult:
    query = call.query
    used = [wire for wire in EntryQuery.EXCLUSIVE if getattr(query, _attribute(wire))]
    if len(used) > 1:
        sentence = f"excludes the other filters among {', '.join(EntryQuery.EXCLUSIVE)}"
        raise Refusal(Code.MUTUALLY_EXCLUSIVE, [Problem(wire, sentence).wire() for wire in used])
    where = [await _directories(call), Is("type", query.type), *_filters(query)]
    return await page_of(call, call.store.directory_entries, DirectoryEntry, query, *where)


async def _directories(call: Call[EntryQuery]) -> Condition:
    """The directories of the list. Few are named, so that their entries are read in the order of the index."""
    within = (directories_within(call), *_owners(call))
    found = await call.store.directories.find(Is("live", True), *within, limit=MOST_MERGED)
    if found.total > MOST_MERGED:
        return in_directories(*within)
    return AnyFieldIn((("directory", tuple(str(directory["id"]) for directory in found.documents)),))


def _attribute(wire: str) -> str:
    return "phone_numbers" if wire == "phoneNumbers" else wire


def _owners(call: Call[EntryQuery]) -> list[Condition]:
    query, where = call.query, list[Condition]()
    if query.company_id:
        where.append(Is("companyId", checked_id("companyId", query.company_id)))
    if query.organisation_ids:
        of = In("organisationId", tuple(checked_id("organisationIds", id) for id in words_of(query.organisation_ids)))
        where.append(Related("companyId", "companies", of))
    if query.view != "all":
        where.append(Is("companyId", None) if query.view == "personal" else Not(Is("companyId", None)))
    return where


def _filters(query: EntryQuery) -> list[Condition]:
    where: list[Condition] = []
    for wire, part in (("name", query.name), ("companyName", query.company_name)):
        if part:
            where += _within(wire, part)
    if query.search:
        parts = dict.fromkeys((query.search.strip(), *search_parts(query.search)))
        where += _within("search", *parts)
    if query.phone_numbers:
        asked = [
            part
            for number in words_of(query.phone_numbers, most=_MOST_PARTS)
            for part in search_parts(number) or (number,)
        ]
        where += _within("numbers", *asked)
    if query.tags:
        tags = words_of(query.tags, most=_MOST_PARTS)
        where += [AnyOf(tuple(Contains("search", tag) for tag in tags)), ContainsAny("tags", tags)]
    if query.from_update_date:
        where.append(AtLeast("lastUpdateDate", stamp(query.from_update_date)))
    if query.to_update_date:
        where.append(AtMost("lastUpdateDate", stamp(query.to_update_date)))
    return where


def _within(wire: str, *parts: str) -> Iterator[Condition]:
    """At least one of these texts is in a field: then it is in `search` too, which has an index."""
    for field in dict.fromkeys(("search", wire)):
        yield AnyOf(tuple(Contains(field, part) for part in parts))


@rule(declared.create_directory_entry)
async def create(call: Call[Nothing, EntryCreation]) -> RuleResult:
    assert call.caller is not None
    values = {wire: value for wire, value in non_null_values(call.body).items() if wire != "companyId"}
    company = await reached_company(call, call.body.company_id) if call.body.company_id else None
    owner = ("companyId", company.id) if company else ("userId", call.caller.user_id)
    entry = completed(values, await _country(call, company))
    directory = await opened_directory(call, owner)
    await _take_place(call, directory)
    created = {
        "id": call.service.ids.record(),
        "directory": directory.id,
        owner[0]: owner[1],
        **entry,
        "creationDate": call.stamp,
        "lastUpdateDate": call.stamp,
    }
    return {"data": represented(await call.store.directory_entries.add(created))}


async def _take_place(call: AnyCall, directory: StoredDirectory) -> None:
    """Count one more entry. Refusal 400000 for a full directory. All entries are counted only when it may be full."""
    most, present = call.service.settings.largest_directory, directory.most_entries
    if present is None or present >= most:
        present = await call.store.directory_entries.count(Is("directory", directory.id))
    if present >= most:
        raise Refusal(Code.VALIDATION, f"The directory is full: it holds {most} entries.")
    counted = copied(directory)
    counted.most_entries = present + 1
    await call.store.directories.put(document_of(counted))


async def _country(call: AnyCall, company: StoredCompany | None) -> str:
    """The country of numbers without a country code: the company's."""
    assert call.caller is not None
    found = company or typed(StoredCompany, await call.store.companies.get(call.caller.company_id))
    return (found and found.country) or ""


@rule(declared.get_directory_entry)
async def get(call: Call[EntryFormatQuery]) -> RuleResult:
    return {"data": DirectoryEntry.answered(document_of(await _reached(call)), call.query.format)}


@rule(declared.update_directory_entry)
async def update(call: Call[Nothing, EntryUpdate]) -> RuleResult:
    entry = await _locked(call)
    values = update_of(call.body)
    company = typed(StoredCompany, await call.store.companies.get(entry.company_id or ""))
    country, found = await _country(call, company), merged(document_of(entry), values)
    if "state" not in values and str(found.get("country") or country) not in STATE_COUNTRIES:
        # The state goes with the country that it is in.
        found.pop("state", None)
    changed = completed(found, country)
    return {"data": represented(await call.store.directory_entries.put({**changed, "lastUpdateDate": call.stamp}))}


@rule(declared.delete_directory_entry)
async def delete(call: Call) -> RuleResult:
    entry = await _locked(call)
    await call.store.directory_entries.remove(entry.id)
    return {"status": f"Directory entry {entry.id} successfully deleted"}


@rule(declared.delete_company_directory)
async def delete_all(call: Call) -> RuleResult:
    company = await reached_company(call, call.path["companyId"])
    await call.store.lock(f"directory:{company.id}")
    directory = await live_directory(call.store, ("companyId", company.id))
    if directory is not None:
        await call.store.directory_entries.remove_all(Is("directory", directory.id))
    return {"status": f"Directory of company {company.id} successfully deleted"}


async def _reached(call: AnyCall) -> StoredEntry:
    """The entry of the path, from a live directory. Refusal 404000, or 403301."""
    found = await call.store.directory_entries.one(Is("id", call.path["entryId"]), in_directories())
    entry = typed(StoredEntry, found)
    if entry is None:
        raise not_found("Directory entry", call.path["entryId"])
    await require_entry(call, entry)
    return entry


async def _locked(call: AnyCall) -> StoredEntry:
    """The entry of the path for a change: no other request changes, empties or replaces its directory."""
    entry = await _reached(call)
    await call.store.lock(f"directory:{entry.company_id or entry.user_id}")
    return await _reached(call)


def completed(values: Document, country: str) -> Document:
    """An entry with its type, and with numbers in E.164. Refusal 400000 for values that are no entry."""
    found = {wire: value for wire, value in values.items() if value not in ("", [])}
    entry = typed(DirectoryEntry, found)
    country = entry.country or country
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
    if entry.state and country not in STATE_COUNTRIES:
        problems.append(Problem("state", f"is for {' and '.join(STATE_COUNTRIES)} only", entry.state))
    entry.type = type_of(entry)
    if entry.type is None:
        problems.append(Problem("lastName", NAME_REQUIRED))
    if problems:
        raise invalid(*problems)
    return found
