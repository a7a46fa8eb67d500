"""Telephone numbers in forms: refused as the service would, and reviewed as they will be stored, in E.164."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from svc_tui.console.core.form_rules import FormValues, Rules
from svc_tui.console.core.resource import Context
from svc_tui.interface.data import RecordData
from svc_tui.interface.telephone_numbers import e164
from svc_tui.interface.voice.numbering import called_number, ranges
from svc_tui.workspace.core.service import ReadError

#: The stored form of a typed number. ValueError, with a sentence, for a text that is none.
Read = Callable[[str], str]
_CLOSED = "closedHoursOverflow"


async def ddi_rules(context: Context, record: RecordData | None, start: Mapping[str, Any]) -> Rules:
    """The number of a new DDI number."""
    if not (pbx := await _pbx(context)):
        return Rules()
    read = partial(e164, country=pbx.get("country"))
    return Rules(
        stored=lambda values: stored_number("number", read, values),
        broken=lambda values: broken_number("number", read, values),
    )


async def service_rules(context: Context, record: RecordData | None, start: Mapping[str, Any]) -> Rules:
    """The number that a welcome service calls in closed hours."""
    if not (pbx := await _pbx(context)):
        return Rules()
    found = pbx.get("cloudpbx")
    settings: Mapping[str, Any] = found if isinstance(found, Mapping) else {}

    def read(text: str) -> str:
        # Without a plan, any digits can be an internal number.
        return text if not ranges(settings) and text.isdecimal() else called_number(settings, text, pbx.get("country"))

    def stored(values: FormValues) -> FormValues:
        target = values.get(_CLOSED)
        return {**values, _CLOSED: stored_number("number", read, target)} if isinstance(target, Mapping) else values

    def broken(values: FormValues) -> Mapping[str, str]:
        target = values.get(_CLOSED)
        found = broken_number("number", read, target) if isinstance(target, Mapping) else {}
        return {_CLOSED: found["number"]} if found else {}

    return Rules(stored=stored, broken=broken)


def stored_number(wire: str, read: Read, values: FormValues) -> FormValues:
    """Values with a number as it will be stored; unchanged where it is none."""
    with suppress(ValueError):
        if text := values.get(wire):
            return {**values, wire: read(str(text))}
    return values


def broken_number(wire: str, read: Read, values: FormValues) -> dict[str, str]:
    """The field of a number that the service would refuse, and the reason."""
    try:
        if text := values.get(wire):
            read(str(text))
    except ValueError as error:
        return {wire: str(error)}
    return {}


async def _pbx(context: Context) -> Mapping[str, Any]:
    """The CloudPBX of the place; empty where it cannot be read: then only the service checks a number."""
    path = context.require_resource().path_at(context.view.place, context.workspace.caller)
    try:
        body = await context.workspace.read("get_cloudpbx", path, {})
    except ReadError:
        return {}
    found = body.get("data") if isinstance(body, dict) else None
    return found if isinstance(found, Mapping) else {}
