"""What a user names: groups of companies, which show only their rows in every list over companies, saved searches, and
reports by name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from svc_tui.console.core.actions import USER_GROUP
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.place_requests import list_request
from svc_tui.console.core.places import Link
from svc_tui.console.dialogs.messages import Question
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.shell.resources import ALL, BY_NAME, find, refused
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
_NAME = re.compile(r"\w[\w-]*")


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


def search_names(frame: StageScreen) -> Sequence[str]:
    """The names of the saved searches."""
    return sorted(frame.workspace.preferences.searches)


async def save_search(frame: StageScreen, name: str, *, taken: bool) -> None:
    """Save the list or record on top with its filter and order under a name, which then opens it.

    `taken`: the name is that of a command.
    """
    view, searches = frame.view, frame.workspace.preferences.searches
    if not name:
        frame.show_message(_("A name is needed: `:save late-renewals`."), "warn")
        return
    if not _NAME.fullmatch(name):
        frame.show_message(_("A name has letters, digits and hyphens, for example `late-renewals`."), "warn")
        return
    if taken or find(name) is not None or name in _user_commands(frame):
        frame.show_message(_("“{name}” is a place or a command. Choose another name.").format(name=name), "warn")
        return
    if view is None or view.resource is None:
        frame.show_message(_("Open a list or a record first: it is saved with its filter."), "warn")
        return
    # Marks are a choice for the moment.
    link = str(replace(view.link, marks=()))
    if (old := searches.get(name)) not in (None, link):
        text = _("{name} opens {old} now.").format(name=name, old=old)
        if not await frame.ask(Question(_("Replace the saved search?"), text, yes=_("Replace"), no=_("Cancel"))):
            return
    searches[name] = link
    frame.workspace.preferences.save()
    frame.show_message(_("Saved: `:{name}` opens {link}.").format(name=name, link=link), "ok")


async def open_search(frame: StageScreen, name: str) -> None:
    """Open a saved search, chosen from a list when none is named."""
    searches = frame.workspace.preferences.searches
    if not searches:
        frame.show_message(_("Nothing is saved: `:save NAME` saves a list with its filter."), "warn")
        return
    if not name:
        choices = [Choice(each, each, searches[each]) for each in sorted(searches)]
        name = await frame.ask(Picker(_("Saved searches"), choices)) or ""
    if name in searches:
        await frame.open_link(Link.parse(searches[name]), replace=True)
    elif name:
        frame.show_message(_("No saved search “{name}”. `:saved` lists all.").format(name=name), "warn")


async def forget_search(frame: StageScreen, name: str) -> None:
    """Forget a saved search."""
    preferences = frame.workspace.preferences
    if preferences.searches.pop(name, None) is None:
        frame.show_message(_("No saved search “{name}”. `:saved` lists all.").format(name=name), "warn")
        return
    preferences.save()
    frame.show_message(_("The saved search {name} is forgotten.").format(name=name), "ok")


def _user_commands(frame: StageScreen) -> set[str]:
    """The names of the user commands: a saved search would hide them."""
    return {action.name.split(".")[1] for action in frame.registry if action.group == USER_GROUP}


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
