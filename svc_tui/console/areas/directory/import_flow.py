"""From a file to the doctor: choose the file, confirm its format, and check every row on this machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from svc_tui.console.areas.directory.column_choice import are_known, ask_columns, store_choices, stored_choices
from svc_tui.console.areas.directory.csv_file_dialog import CsvFileBox, CsvSettings, ImportSettings, PurposeChoice
from svc_tui.console.areas.directory.doctor_actions import open_doctor, target_here
from svc_tui.console.areas.directory.line_repair import edited_line, repaired
from svc_tui.console.areas.directory.progress_dialogs import ScanBox
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context, managed
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.picker import Picker
from svc_tui.interface.directory.csv.encodings import NAMES, name_of
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.interface.errors import Code
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.doctor import Doctor
from svc_tui.workspace.directory.target import PURPOSES, ImportTarget, Purpose, company_operation

_ID = re.compile(r"[0-9A-Za-z]{24}")


async def import_file(context: Context, *, purpose: Purpose = "replace") -> None:
    """Choose a file for the current company's directory (or the personal one), check it, and open the doctor."""
    await _from_file(context, await with_company(context, target_here(context)), purpose)


async def import_for_command(context: Context) -> None:
    """Import for a command, whose ID is asked first: each row contains the action for its entry."""
    asked = LineBox(_("Import by command"), _("ID of the command"), command_problem)
    command = await context.stage.ask(asked)
    if command:
        caller = context.workspace.caller
        own = ImportTarget("synchronize", caller.company_id if caller else "", command_id=command)
        await _from_file(context, await with_company(context, own), "synchronize")


def command_problem(text: str) -> str:
    """Why a text is not the ID of a command; empty when it can be one."""
    return "" if _ID.fullmatch(text.strip()) else _("the ID has 24 letters and digits")


async def with_company(context: Context, target: ImportTarget) -> ImportTarget:
    """The target with the name and country of its company, as far as they can be read."""
    caller = context.workspace.caller
    reads = company_operation(target.company_id, caller.company_id if caller else "")
    try:
        body = await context.workspace.read(reads, {"companyId": target.company_id}, {"format": "full"})
    except ReadError:
        return target
    found: Mapping[str, Any] = (body.get("data") if isinstance(body, Mapping) else None) or {}
    name, country = str(found.get("name") or target.company), str(found.get("country") or target.country)
    return replace(target, company=name, country=country)


async def _from_file(context: Context, target: ImportTarget, purpose: Purpose) -> None:
    console = context.stage
    if purpose == "personal":
        title = _("File for your own directory")
    else:
        whose = _(" for {name}").format(name=target.name) if target.name else ""
        title = _("Directory file{whose}").format(whose=whose)
    path = await console.ask(CsvFileBox(title))
    if path is None:
        return
    settings = await _confirmed_settings(context, path, _purposes(context, target), purpose)
    if settings is None:
        return
    doctor = await _scanned(context, path, settings)
    if doctor is None:
        context.stage.show_message(_("Stopped. Nothing was sent."), "warn")
        return
    await open_doctor(context, doctor, settings.target)


async def _confirmed_settings(
    context: Context, path: Path, choices: list[PurposeChoice], purpose: Purpose
) -> ImportSettings | None:
    """The confirmed format of a file whose first line can be read; None when cancelled."""
    found: ImportSettings | None = None
    stored = partial(stored_choices, context)
    while True:
        at = next(
            (at for at, choice in enumerate(choices) if choice.target.purpose == purpose and not choice.reason), 0
        )
        asked = await context.stage.ask(CsvSettings(path, choices, at, found, stored))
        if asked is None or not (asked.asks or asked.bad):
            return asked
        purpose, found = asked.target.purpose, replace(asked, bad=None, asks="")
        if asked.asks == "encoding":
            found = replace(found, encoding=await _encoding(context, asked) or asked.encoding)
        elif asked.asks == "columns" or (asked.bad and asked.bad.code is Code.BAD_COLUMN):
            found = await _with_columns(context, path, found, asked.bad)
        elif asked.bad:
            csv_format = await repaired(context, path, asked.csv_format, asked.bad)
            found = replace(found, csv_format=csv_format or asked.csv_format)


async def _encoding(context: Context, settings: ImportSettings) -> str:
    """The chosen encoding, the likely ones first; empty when cancelled."""
    likely = dict(settings.look.readings if settings.look else ())
    names = [*likely, *(name for name in NAMES if name not in likely)]
    choices = [Choice(name, f"{name}  {name_of(name)}", likely.get(name, "")) for name in names]
    return await context.stage.ask(Picker(_("Encoding of the file"), choices)) or ""


async def _with_columns(context: Context, path: Path, settings: ImportSettings, bad: BadFile | None) -> ImportSettings:
    """The settings with the chosen columns, which are stored once they are complete, or with the edited first line."""
    names = settings.look.headings if settings.look else ()
    before = stored_choices(context, names) if settings.choices is None else settings.choices
    chosen = await ask_columns(context, names, before)
    if chosen is None:
        csv_format = await edited_line(context, path, settings.csv_format, bad.line if bad else 1)
        return replace(settings, csv_format=csv_format or settings.csv_format)
    if chosen != before and are_known(names, chosen):
        store_choices(context, names, chosen)
    return replace(settings, choices=chosen)


async def _scanned(context: Context, path: Path, settings: ImportSettings) -> Doctor | None:
    """The rows with errors of a file whose lines can all be read; None when cancelled."""
    csv_format: CsvFormat | None = settings.csv_format
    while csv_format is not None:
        found = await context.stage.ask(ScanBox(path, csv_format, settings.target))
        if not isinstance(found, BadFile):
            return found
        csv_format = await repaired(context, path, csv_format, found)
    return None


def _purposes(context: Context, target: ImportTarget) -> list[PurposeChoice]:
    """The purposes of a file, the impossible ones with their reason."""
    purposes: tuple[Purpose, ...] = ("synchronize",) if target.command_id else tuple(PURPOSES)
    return [
        PurposeChoice(replace(target, purpose=each), _why_not(context, replace(target, purpose=each)))
        for each in purposes
    ]


def _why_not(context: Context, target: ImportTarget) -> str:
    workspace = context.workspace
    caller, operations = workspace.caller, target.operations
    if caller is None:
        return _("login required")
    if target.purpose == "synchronize" and target.company_id != caller.company_id:
        return _("Only possible in your own company.")
    subject = None if target.purpose == "personal" else managed(target.company_id, caller)
    return workspace.decide(operations.check if target.purpose == "check" else operations.send, subject).reason
