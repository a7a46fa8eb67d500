"""Directory entries: columns and actions (4.9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from svc_tui.console.areas.directory import entries_view, entry_actions
from svc_tui.console.areas.directory import reports as directory_reports
from svc_tui.console.areas.directory.names import EMPTY, UPDATE, actions_of
from svc_tui.console.core.actions import LIST, RECORDS, Action
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Display, Editing, Placement, Resource, managed
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.values import keeps_state
from svc_tui.language import _
from svc_tui.workspace.kinds.registry import KINDS

ENTRIES_NAME = "directoryentries"


def _list_view() -> type[entries_view.EntriesView]:
    return entries_view.EntriesView


def _entries(context: Context) -> entries_view.EntriesView | None:
    return context.view if isinstance(context.view, entries_view.EntriesView) else None


def _empties(record: RecordData, changed: Mapping[str, Any]) -> list[str]:
    """The state of an address that moves to a country without states."""
    moves = bool(record.get("state")) and "state" not in changed
    return ["state"] if moves and not keeps_state(changed.get("country")) else []


def _subject(record: RecordData, caller: Caller) -> Subject:
    """The subject of an entry; an entry without a company belongs to the caller's personal directory."""
    company = str(record.get("companyId") or "")
    return managed(company, caller) if company else Subject(owner_id=str(record.get("userId") or caller.user_id))


def called(record: RecordData) -> str:
    """The name of an entry: the contact, or otherwise the company."""
    names = " ".join(str(record[wire]) for wire in ("firstName", "lastName") if record.get(wire))
    return names or str(record.get("companyName") or "")


async def _begins(context: Context) -> Mapping[str, Any] | None:
    return entry_actions.begins(context)


def _type(context: Context) -> None:
    if view := _entries(context):
        view.show_type()


def _whose(context: Context) -> None:
    if view := _entries(context):
        view.show_next_directory()


def _only_one(context: Context) -> str:
    view = _entries(context)
    return _("this list has the entries of one company only") if view is not None and view.company_id else ""


def _not_emptied(context: Context) -> str:
    view, caller = _entries(context), context.workspace.caller
    if view is not None and view.whose == "personal":
        return _("only for company directories: delete the marked entries instead")
    if caller is None or not context.stage.declared:
        return ""
    return context.workspace.decide(EMPTY, managed(entry_actions.company_here(context), caller)).reason


async def _imports(context: Context) -> None:
    place = Place(("companies", entry_actions.company_here(context), "directory"))
    await context.stage.open(place, owner=context.view.owner)


#: An action of the list of entries.
_in_list = actions_of(ENTRIES_NAME, group="Directory", views=LIST, resource=ENTRIES_NAME)

#: The list has the columns of contacts until companies are shown.
ENTRIES = Resource(
    kind=KINDS[ENTRIES_NAME],
    title="Directory",
    singular="entry",
    aliases=("entries", "contacts", "phonebook"),
    section=7,
    known_as=("contact", "phone book", "address book"),
    display=Display(
        columns=entries_view.COLUMNS["user"],
        facts=("companyName", "workPhoneNumbers", "mobilePhoneNumbers"),
        called=called,
        list_view=_list_view,
    ),
    query={"format": "full"},
    sort="lastName",
    create="create_directory_entry",
    update=UPDATE,
    delete="delete_directory_entry",
    placement=Placement(
        parents={"companies": "companyId"},
    ),
    subject=_subject,
    editing=Editing(
        begins=_begins,
        empties=_empties,
    ),
)

RESOURCES = (ENTRIES,)

ACTIONS: tuple[Action, ...] = (
    _in_list("type", "t", _("Contacts/companies"), _("Switch between contacts and companies"), _type, 35),
    _in_list(
        "whose",
        "w",
        _("Directory"),
        _("Switch between all, company and personal directories"),
        _whose,
        36,
        _only_one,
    ),
    Action(
        name=f"{ENTRIES_NAME}.tag",
        keys=("T",),
        label="Tag",
        help="Add a tag to the entry or to all marked entries; -tag removes it",
        run=entry_actions.tag,
        group="Change",
        views=RECORDS,
        resource=ENTRIES_NAME,
        operation=UPDATE,
        needs="records",
        footer=40,
    ),
    _in_list(
        "save",
        "S",
        _("Save"),
        _("Save the listed entries as a file that can be imported again"),
        entry_actions.save,
        50,
    ),
    _in_list("import", "i", _("Import"), _("Import a file, or show the last import"), _imports, 55),
    *directory_reports.ACTIONS,
    _in_list(
        "empty",
        "E",
        _("Empty"),
        _("Delete all entries of the company's directory"),
        entry_actions.empty,
        0,
        _not_emptied,
    ),
)
