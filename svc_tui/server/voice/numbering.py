"""Internal numbers: consistent settings, numbers in use, and free numbers (4.7)."""

from __future__ import annotations

from itertools import islice

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import document_of
from svc_tui.interface.voice import ddis as declared
from svc_tui.interface.voice.numbering import (
    MOST_FREE,
    PLAN,
    free_numbers,
    is_missing_digits,
    lost,
    new_contradictions,
)
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.access import country_of, reached_pbx
from svc_tui.server.voice.stored import StoredCloudPbx

#: The most numbers that a refusal names.
_MOST_NAMED = 20


def check_update(update: Document) -> None:
    """Refuse (400000) prefixes without the number of digits, also where it is configured already (4.7)."""
    if is_missing_digits(update):
        raise invalid(Problem("numberingDigits", "is required with numberingPrefixes"))


def check_settings(old: Document, settings: Document) -> None:
    """Refuse (400000, 400601) settings that contradict each other because of this change."""
    found = new_contradictions(old, settings)
    if found:
        code = next((each.code for each in found if each.code is not Code.VALIDATION), Code.VALIDATION)
        problems = [Problem(each.key, each.sentence, _plain(settings.get(each.key))) for each in found]
        raise Refusal(code, [problem.wire() for problem in problems])


async def check_plan(store: Store, pbx: StoredCloudPbx, settings: Document) -> None:
    """Refuse (403721) a numbering plan without some of the numbers in use."""
    old = document_of(pbx.cloudpbx)
    if all(old.get(wire) == settings.get(wire) for wire in PLAN):
        return
    if gone := lost(old, settings, await numbers_in_use(store, pbx)):
        problems = [Problem("shortNumber", "is in use and not in the new numbering plan", number) for number in gone]
        raise Refusal(Code.PLAN_LOCKED, [problem.wire() for problem in problems[:_MOST_NAMED]])


async def numbers_in_use(store: Store, pbx: StoredCloudPbx) -> list[str]:
    """The internal numbers in use, including the voicemail's."""
    numbers = await store.subscribers.values("shortNumber", Is("systemId", pbx.id))
    voicemail = pbx.cloudpbx.voice_number
    return sorted(numbers) + ([voicemail] if voicemail else [])


async def is_in_use(store: Store, pbx: StoredCloudPbx, number: str) -> bool:
    """Whether a subscriber or the voicemail has this internal number."""
    if number == pbx.cloudpbx.voice_number:
        return True
    return bool(await store.subscribers.count(Is("systemId", pbx.id), Is("shortNumber", number)))


@rule(declared.list_free_internal_numbers)
async def list_free_internal_numbers(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    used = set(await numbers_in_use(call.store, pbx))
    free = free_numbers(document_of(pbx.cloudpbx), used, await country_of(call, pbx))
    return {"data": list(islice(free, MOST_FREE))}


def _plain(value: object) -> object:
    return value if isinstance(value, (str, int)) else None
