"""`:group NAME`: named sets of companies, made of marks or of a filter, which show only their rows in every list over
companies; and `:report NAME`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.place_requests import list_request
from svc_tui.console.core.places import Link
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.shell.resources import ALL, BY_NAME, refused
from svc_tui.console.shell.stage import StageScreen
from svc_tui.console.views.list import ListView
from svc_tui.console.views.list_filter import GROUP, is_over_companies
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.profiles.preferences import Group

if TYPE_CHECKING:
    from svc_tui.workspace.workspace import Workspace

_COMPANIES = "companies"


def names(frame: StageScreen) -> Sequence[str]:
    """The names of the groups."""
    return sorted(frame.workspace.preferences.groups)


async def group(frame: StageScreen, name: str) -> None:
    """Make a group of the marked or filtered companies, or show only the rows of a group in the list on top."""
    view, known = frame.view, frame.workspace.preferences.groups
    if isinstance(view, ListView) and name and view.resource.name == _COMPANIES and (view.marked or view.filter_text):
        await _make(frame, view, name)
        return
    if not known:
        hint = _("No group yet: mark or filter companies, then `:group NAME` makes one.")
        frame.show_message(hint, "warn")
        return
    if not name:
        choices = [Choice(each, each, described(known[each])) for each in sorted(known)]
        name = await frame.ask(Picker(_("Group of companies"), choices)) or ""
    if not name:
        return
    if name not in known:
        frame.show_message(_("No group “{name}”. `:group` lists all.").format(name=name), "warn")
    elif not isinstance(view, ListView) or not is_over_companies(view.resource):
        await find_again(name, frame.workspace)
        await frame.open_link(Link(BY_NAME[_COMPANIES].place(), where={GROUP: name}), replace=True)
    else:
        if reason := await find_again(name, frame.workspace):
            frame.show_message(reason, "warn")
        view.filter_query({**view.form_query, GROUP: name})


async def ungroup(frame: StageScreen, name: str) -> None:
    """Forget a group; its companies stay as they are."""
    preferences = frame.workspace.preferences
    if preferences.groups.pop(name, None) is None:
        frame.show_message(_("No group “{name}”. `:group` lists all.").format(name=name), "warn")
        return
    preferences.save()
    frame.show_message(_("The group {name} is forgotten; its companies are unchanged.").format(name=name), "ok")


def described(group: Group) -> str:
    """How many companies a group has, and the filter that finds them."""
    amount = counted(len(group.companies), "company", "companies")
    return f"{amount}  /{group.filter}" if group.filter else amount


async def _make(frame: StageScreen, view: ListView, name: str) -> None:
    preferences = frame.workspace.preferences
    try:
        ids = view.marked or tuple([record_id async for record_id in view.listing.ids()])
    except ReadError as error:
        frame.show_message(_("The group was not made: {reason}").format(reason=error.sentence), "bad")
        return
    # Marks are a choice by hand, which no filter changes later.
    made = Group(tuple(ids), "" if view.marked or view.form_query else view.filter_text)
    if (old := preferences.groups.get(name)) is not None and old != made:
        text = _("{name} has {old}. It will have {new}.").format(name=name, old=described(old), new=described(made))
        if not await frame.ask(Question(_("Replace the group?"), text, yes=_("Replace"), no=_("Cancel"))):
            return
    preferences.groups[name] = made
    preferences.save()
    frame.show_message(_("Group {name}: {made}.").format(name=name, made=described(made)), "ok")


async def find_again(name: str, workspace: Workspace) -> str:
    """Find the companies of a group with a filter again. Why they are those found last, where they cannot be read."""
    preferences = workspace.preferences
    group = preferences.groups[name]
    if not group.filter:
        return ""
    companies = BY_NAME[_COMPANIES]
    asked = list_request(companies, Link(companies.place(), group.filter), workspace)
    listing = workspace.listing(companies.list, path=asked.path, query=asked.query, local=asked.filtered.predicate)
    try:
        found = tuple([record_id async for record_id in listing.ids()])
    except ReadError as error:
        return _("The companies of {name} are those found last: {reason}").format(name=name, reason=error.sentence)
    finally:
        listing.close()
    preferences.groups[name] = replace(group, companies=found)
    preferences.save()
    return ""


def report_names(__: StageScreen) -> Sequence[str]:
    """The names of the reports."""
    return [each.report.name for each in ALL if each.report is not None]


async def report(frame: StageScreen, name: str) -> None:
    """Open a report across companies, chosen from a list when none is named."""
    reports = {each.report.name: each for each in ALL if each.report is not None}
    if name not in reports:
        choices = [
            Choice(
                each,
                resource.title,
                resource.report.help if resource.report else "",
                refused(resource, frame.workspace),
            )
            for each, resource in reports.items()
        ]
        if name:
            frame.show_message(_("No report “{name}”.").format(name=name), "warn")
        name = await frame.ask(Picker(_("Reports across companies"), choices)) or ""
    if name:
        await frame.open(reports[name].place(), replace=True)
