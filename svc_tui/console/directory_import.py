"""From a file to the doctor: the file is chosen, how it is read is shown, and every row is checked here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from svc_tui.console.actions import Context
from svc_tui.console.dialogs.csv_file import CsvFileBox, CsvSettings, Way
from svc_tui.console.dialogs.line import LineBox
from svc_tui.console.dialogs.working import ScanBox
from svc_tui.console.directory_doctor import open_doctor, target_here
from svc_tui.console.resource import managed
from svc_tui.workspace.directory.target import PURPOSES, Purpose, Target, reads_company
from svc_tui.workspace.list_source import NotRead

_ID = re.compile(r"[0-9A-Za-z]{24}")


async def import_file(context: Context, *, purpose: Purpose = "replace") -> None:
    """Choose a file for the directory of the company here (or one's own), check it, and open the doctor."""
    await _from_file(context, await with_company(context, target_here(context)), purpose)


async def import_for_command(context: Context) -> None:
    """The same for a command, whose identifier is asked first: its rows say what becomes of their entries."""
    asked = LineBox("Import by a command", "The identifier of the command", command_problem)
    command = await context.frame.console.ask(asked)
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
    reads = reads_company(target.company_id, caller.company_id if caller else "")
    try:
        body = await context.workspace.read(reads, {"companyId": target.company_id}, {"format": "full"})
    except NotRead:
        return target
    found: Mapping[str, Any] = (body.get("data") if isinstance(body, Mapping) else None) or {}
    name, country = str(found.get("name") or target.company), str(found.get("country") or target.country)
    return replace(target, company=name, country=country)


async def _from_file(context: Context, target: Target, purpose: Purpose) -> None:
    console = context.frame.console
    whose = f" for {target.called}" if target.called else ""
    path = await console.ask(CsvFileBox(f"Directory file{whose}"))
    if path is None:
        return
    ways = _ways(context, target)
    at = next((at for at, way in enumerate(ways) if way.target.purpose == purpose and not way.reason), 0)
    settings = await console.ask(CsvSettings(path, ways, at))
    if settings is None:
        return
    doctor = await console.ask(ScanBox(path, settings.shape, settings.target))
    if doctor is None:
        context.frame.say("Stopped: nothing was sent.", "warn")
        return
    await open_doctor(context, doctor, settings.target)


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
