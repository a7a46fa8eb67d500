"""Internal numbers as the server sees them: settings that fit together, numbers in use, free ones (4.7)."""

from __future__ import annotations

from itertools import islice

from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import ddis as declared
from svc_tui.interface.voice.numbering import MOST_FREE, PLAN, broken_by, free_numbers, lost, ranges
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.conditions import Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.seen import reached_pbx

#: Numbers that a refusal names.
_MOST_TOLD = 20


def check_settings(old: Document, settings: Document) -> None:
    """Refuse (400000, 400601) settings that contradict each other, as far as this change has to do with it."""
    found = broken_by(old, settings)
    if found:
        code = next((each.code for each in found if each.code is not Code.VALIDATION), Code.VALIDATION)
        problems = [Problem(each.key, each.sentence, _plain(settings.get(each.key))) for each in found]
        raise Refusal(code, [problem.wire() for problem in problems])


async def check_plan(store: Store, pbx: Document, settings: Document) -> None:
    """Refuse (403721) a numbering plan that numbers in use would fall out of."""
    old = pbx["cloudpbx"]
    if all(old.get(wire) == settings.get(wire) for wire in PLAN):
        return
    if gone := lost(old, settings, await numbers_in_use(store, pbx)):
        problems = [Problem("shortNumber", "would fall out of the numbering plan", number) for number in gone]
        raise Refusal(Code.PLAN_LOCKED, [problem.wire() for problem in problems[:_MOST_TOLD]])


async def numbers_in_use(store: Store, pbx: Document) -> list[str]:
    """The internal numbers that somebody has, the voicemail's among them."""
    found = (await store.subscribers.find(Is("systemId", pbx["id"]))).documents
    voicemail = pbx["cloudpbx"].get("voiceNumber")
    return sorted(str(each["shortNumber"]) for each in found) + ([str(voicemail)] if voicemail else [])


async def is_in_use(store: Store, pbx: Document, number: str) -> bool:
    """Whether somebody has this internal number, or the voicemail."""
    if number == str(pbx["cloudpbx"].get("voiceNumber")):
        return True
    return bool(await store.subscribers.count(Is("systemId", pbx["id"]), Is("shortNumber", number)))


def plan_in_words(settings: Document) -> str:
    """`8000 to 8999, 90 to 99`."""
    return ", ".join(each.bounds for each in ranges(settings))


@rule(declared.list_free_internal_numbers)
async def list_free_internal_numbers(call: Call) -> RuleResult:
    pbx = await reached_pbx(call)
    used = set(await numbers_in_use(call.store, pbx))
    return {"data": list(islice(free_numbers(pbx["cloudpbx"], used), MOST_FREE))}


def _plain(value: object) -> object:
    return value if isinstance(value, (str, int)) else None
