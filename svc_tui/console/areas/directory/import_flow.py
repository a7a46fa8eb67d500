"""From a file to the doctor: the file is chosen, how it is read is shown, and every row is checked here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from svc_tui.console.areas.directory.csv_file_dialog import CsvFileBox, CsvSettings, Settings, Way
from svc_tui.console.areas.directory.doctor_actions import open_doctor, target_here
from svc_tui.console.areas.directory.line_repair import mended
from svc_tui.console.areas.directory.progress_dialogs import ScanBox
from svc_tui.console.core.resource import Context, managed
from svc_tui.console.dialogs.line import LineBox
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import Shape
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.doctor import Doctor
from svc_tui.workspace.directory.target import PURPOSES, Purpose, Target, company_operation

_ID = re.compile(r"[0-9A-Za-z]{24}")


async def import_file(context: Context, *, purpose: Purpose = "replace") -> None:
    """Choose a file for the directory of the company here (or one's own), check it, and open the doctor."""
    await _from_file(context, await with_company(context, target_here(context)), purpose)


async def import_for_command(context: Context) -> None:
    """The same for a command, whose identifier is asked first: its rows say what becomes of their entries."""
    asked = LineBox("Import by a command", "The identifier of the command", command_problem)
    command = await context.stage.ask(asked)
    if command:
        caller = context.workspace.caller
        own = Target("synchronize", caller.company_id if caller else "", command_id=command)
        await _from_file(context, await with_company(context, own), "synchronize")


def command_problem(text: str) -> str:
    """Why a text is no identifier of a command; empty when it can be one."""
    return "" if _ID.fullmatch(text.strip()) else "an identifier has 24 letters and digits"


async def with_company(context: Context, target: Target) -> Target:
    """The target with name and country of its company, as far as they can be read."""
    caller = context.workspace.caller
    reads = company_operation(target.company_id, caller.company_id if caller else "")
    try:
        body = await context.workspace.read(reads, {"companyId": target.company_id}, {"format": "full"})
    except ReadError:
        return target
    found: Mapping[str, Any] = (body.get("data") if isinstance(body, Mapping) else None) or {}
    name, country = str(found.get("name") or target.company), str(found.get("country") or target.country)
    return replace(target, company=name, country=country)


async def _from_file(context: Context, target: Target, purpose: Purpose) -> None:
    console = context.stage
    whose = f" for {target.name}" if target.name else ""
    path = await console.ask(CsvFileBox(f"Directory file{whose}"))
    if path is None:
        return
    settings = await _settled(context, path, _ways(context, target), purpose)
    if settings is None:
        return
    doctor = await _scanned(context, path, settings)
    if doctor is None:
        context.stage.say("Stopped: nothing was sent.", "warn")
        return
    await open_doctor(context, doctor, settings.target)


async def _settled(context: Context, path: Path, ways: list[Way], purpose: Purpose) -> Settings | None:
    """How a file is read, once its first line can be; None when it was given up."""
    found: Settings | None = None
    while True:
        at = next((at for at, way in enumerate(ways) if way.target.purpose == purpose and not way.reason), 0)
        asked = await context.stage.ask(CsvSettings(path, ways, at, found))
        if asked is None or asked.bad is None:
            return asked
        shape = await mended(context, path, asked.shape, asked.bad)
        found, purpose = replace(asked, shape=shape or asked.shape, bad=None), asked.target.purpose


async def _scanned(context: Context, path: Path, settings: Settings) -> Doctor | None:
    """The faulty rows of a file, once all of its lines can be read; None when it was given up."""
    shape: Shape | None = settings.shape
    while shape is not None:
        found = await context.stage.ask(ScanBox(path, shape, settings.target))
        if not isinstance(found, BadFile):
            return found
        shape = await mended(context, path, shape, found)
    return None


def _ways(context: Context, target: Target) -> list[Way]:
    """What a file can be for here; each that it cannot has its reason."""
    purposes: tuple[Purpose, ...] = ("synchronize",) if target.command_id else tuple(PURPOSES)
    return [Way(replace(target, purpose=each), _why_not(context, replace(target, purpose=each))) for each in purposes]


def _why_not(context: Context, target: Target) -> str:
    workspace = context.workspace
    caller, operations = workspace.caller, target.operations
    if caller is None:
        return "needs a login"
    if target.purpose == "synchronize" and target.company_id != caller.company_id:
        return "The service does this in your own company only."
    subject = None if target.purpose == "personal" else managed(target.company_id, caller)
    return workspace.decide(operations.check if target.purpose == "check" else operations.send, subject).reason
