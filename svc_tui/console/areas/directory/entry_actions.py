"""Actions for directory entries: tag them, save them as a file, and empty a company's directory."""

from __future__ import annotations

import time

from svc_tui.console.areas.directory.entries_view import EntriesView
from svc_tui.console.areas.directory.import_flow import with_company
from svc_tui.console.areas.directory.names import EMPTY, UPDATE
from svc_tui.console.areas.directory.progress_dialogs import rate
from svc_tui.console.core.actions import performed
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context, managed
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.save import SaveBox, SaveTarget, WorkBox
from svc_tui.console.editing.bulk import BulkBox, show_result
from svc_tui.console.editing.record_edit import preview
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.access import Caller
from svc_tui.interface.data import RecordData
from svc_tui.interface.directory.values import LONGEST_TAG, MOST_TAGS
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.changes.bulk import Job, JobStep
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.directory.save_entries import save_entries
from svc_tui.workspace.directory.target import ImportTarget, count_entries
from svc_tui.workspace.files.downloads import first_path
from svc_tui.workspace.lists.listing import Listing


def company_here(context: Context) -> str:
    """The company of the current directory: of the place, of the entry under the cursor, or of the caller."""
    caller = context.workspace.caller
    below = context.view.place.parents.get("companies") or (context.record or {}).get("companyId")
    return str(below or (caller.company_id if caller else ""))


def begins(context: Context) -> RecordData:
    """The first values of a new entry: the company of its directory, or nothing for the personal one."""
    view, caller = context.view, context.workspace.caller
    if isinstance(view, EntriesView) and view.whose == "personal":
        return {}
    company = view.place.parents.get("companies") or (caller.company_id if caller else "")
    if caller is None or not context.workspace.decide(EMPTY, managed(company, caller)):
        return {}
    return {"companyId": company}


# --- tags ------------------------------------------------------------------------------------------------------


async def tag(context: Context) -> None:
    """Add a tag to the entry or the marked entries, or remove it."""
    asked = LineBox(_("Tag"), _("a word to add, or -word to remove it"), _tag_problem)
    text = await context.stage.ask(asked)
    if not text:
        return
    off, word = text.startswith("-"), text.removeprefix("-").strip()
    label = _("{off} the tag {word}").format(off=_("Remove") if off else _("Add"), word=word)
    if context.marked:
        await _tag_marked(context, label, word, off=off)
    else:
        await _tag_one(context, label, word, off=off)


def _tag_problem(text: str) -> str:
    word = text.strip().removeprefix("-").strip()
    if not word:
        return _("a tag has at least one character")
    return (
        _("a tag has at most {longest_tag} characters").format(longest_tag=LONGEST_TAG)
        if len(word) > LONGEST_TAG
        else ""
    )


def _tagged(record: RecordData, word: str, *, off: bool) -> list[str]:
    """The tags of an entry after the change."""
    tags = [str(each) for each in record.get("tags") or ()]
    if off:
        return [each for each in tags if each != word]
    return tags if word in tags else [*tags, word]


async def _tag_one(context: Context, label: str, word: str, *, off: bool) -> None:
    resource = context.require_resource()
    record_id = resource.record_id(context.require_record())
    record = await full_record(context, record_id)
    before, after = list(record.get("tags") or ()), _tagged(record, word, off=off)
    if before == after:
        context.stage.show_message(
            _("{label} {off} the tag {word}.").format(
                label=resource.label(record), off=_("does not have") if off else _("already has"), word=word
            )
        )
        return
    if len(after) > MOST_TAGS:
        context.stage.show_message(
            _("{label} already has {most_tags} tags. Remove one first.").format(
                label=resource.label(record), most_tags=MOST_TAGS
            ),
            "warn",
        )
        return
    change = Change(
        label=f"{label}: {resource.label(record)}",
        operation=UPDATE,
        path=resource.path_at(context.view.place, context.workspace.caller, record_id),
        body={"tags": after},
        fields=(FieldChange(_("Tags"), ", ".join(before) or NOTHING, ", ".join(after) or NOTHING),),
        reach=_("Affects 1 entry."),
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        context.stage.show_message(_("Changed."), "ok")


async def _tag_marked(context: Context, label: str, word: str, *, off: bool) -> None:
    resource, view = context.require_resource(), context.require_view(EntriesView)
    caller = context.workspace.caller or Caller("")
    steps, reasons = [], {}
    for record_id in context.marked:
        row = _row(view, record_id) or await full_record(context, record_id)
        tags, subject = _tagged(row, word, off=off), resource.subject(row, caller) if resource.subject else None
        path = resource.path_at(view.place, caller, record_id)
        steps.append(JobStep(record_id, resource.label(row), path, {"tags": tags}, subject))
        if tags == list(row.get("tags") or ()):
            reasons[record_id] = _("does not have the tag") if off else _("already has the tag")
    action = performed(context)
    job = Job(context.workspace, UPDATE, steps)
    unfinished = await context.stage.ask(BulkBox(context.workspace.journal, action, resource, job, reasons))
    left_out = set(reasons)
    view.records.set_marks([each for each in unfinished or () if each not in left_out])
    show_result(context, label, job)


def _row(view: EntriesView, record_id: str) -> RecordData | None:
    index = view.listing.index_of(record_id)
    return view.listing.row(index) if index is not None else None


# --- a file ----------------------------------------------------------------------------------------------------


class SavingBox(WorkBox[int]):
    """Reads all entries and writes the file; returns their number."""

    def __init__(self, lists: tuple[Listing, ...], target: SaveTarget, part: str = "") -> None:
        about = _("Contacts and companies are saved to {path}.").format(path=target.path)
        super().__init__(
            _("Save the directory"),
            _("{about}\nOnly {part}, as noted in the file.").format(about=about, part=part) if part else about,
        )
        self._lists, self._target, self._part, self._count = lists, target, part, 0
        self._began = time.monotonic()

    async def outcome(self) -> int:
        path, overwrite = expanded(self._target.path), self._target.overwrite
        try:
            return await save_entries(
                self._lists, path, part=self._part, overwrite=overwrite, on_progress=self._count_entry
            )
        finally:
            for each in self._lists:
                each.close()

    def _count_entry(self, count: int) -> None:
        self._count = count

    def progress(self) -> str:
        totals = [each.total for each in self._lists]
        read = _("{entries} read").format(entries=counted(self._count, "entry", "entries"))
        if not all(total is not None for total in totals):
            return read
        total = sum(filter(None, totals))
        read = _("{count} of {entries} read").format(
            count=number_text(self._count), entries=counted(total, "entry", "entries")
        )
        return read + rate(self._count, _("entries"), time.monotonic() - self._began, self._count / max(total, 1))


async def save(context: Context) -> None:
    """Save the listed contacts and companies as a CSV file that can be imported again."""
    view = context.require_view(EntriesView)
    part = view.part
    name = _("part of the directory") if part else _("directory")
    target = await context.stage.ask(SaveBox(_("Save the directory"), first_path(name, ".csv")))
    if target is None:
        return
    count = await context.stage.ask(SavingBox(view.both(), target, part))
    if count is None:
        context.stage.show_message(_("Stopped: nothing was saved."), "warn")
    else:
        only = _("; only {part}").format(part=part) if part else ""
        context.stage.show_message(
            _("Saved {entries}{only}: {path}").format(
                entries=counted(count, "entry", "entries"), only=only, path=target.path
            ),
            "ok",
        )


# --- everything ------------------------------------------------------------------------------------------------


async def empty(context: Context) -> None:
    """Delete all entries of a company's directory, once the name of the company is typed."""
    target = await with_company(context, ImportTarget("replace", company_here(context)))
    count = await count_entries(context.workspace, target)
    if count == 0:
        context.stage.show_message(_("The directory of {name} is empty.").format(name=target.name))
        return
    there = _("an unknown number of entries") if count is None else counted(count, "entry", "entries")
    change = Change(
        label=_("Empty the directory of {name}").format(name=target.name),
        operation=EMPTY,
        path={"companyId": target.company_id},
        fields=(FieldChange(_("Entries"), NOTHING if count is None else number_text(count), "0"),),
        reach=_("Affects {there}.").format(there=there),
        confirm=target.name,
        warning=_("This cannot be undone. Save the directory first to be able to import it again."),
    )
    outcome = await preview(context, change)
    if outcome is not None and outcome.error is None:
        context.view.refresh_now()
        context.stage.show_message(_("The directory of {name} is empty.").format(name=target.name), "ok")
