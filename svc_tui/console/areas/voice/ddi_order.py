"""The DDI numbers of a subscriber: the main one, the order of the further ones, and those that are released."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from svc_tui.console.areas.voice.change_sequence import Several, send_in_turn
from svc_tui.console.areas.voice.ddi_order_dialog import Ordering
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.record_source import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.voice.ddi_order import moves
from svc_tui.interface.voice.numbers import written


async def order_numbers(context: Context) -> None:
    """Put the DDI numbers of the subscriber under the cursor in another order, or release some."""
    resource, record = context.require_resource(), context.require_record()
    subscriber = await full_record(context, resource.record_id(record))
    name, numbers = resource.label(subscriber), _numbers(subscriber)
    if not numbers:
        context.stage.say(f"{name} has no DDI number: N gives one.", "warn")
        return
    said = "The first one is the main number; N in the list gives a further one."
    box = Ordering(f"DDI numbers of {name}", numbers, _place, said)
    wanted = await context.stage.ask(box)
    if wanted is None or wanted == [id for id, _ in numbers]:
        return
    path = resource.path_at(context.view.place, context.workspace.caller)
    await _send(context, name, {**path, "userId": str(subscriber.get("userId"))}, numbers, wanted)


def _place(at: int) -> str:
    return f"further {at}" if at else "main"


def _places(old: Sequence[str], new: Sequence[str]) -> tuple[FieldChange, ...]:
    """The places whose number is another one."""
    pairs = enumerate(zip_longest(old, new, fillvalue=NOTHING))
    return tuple(FieldChange(_place(at).capitalize(), was, now) for at, (was, now) in pairs if was != now)


def _numbers(subscriber: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Id and number of each, as its country writes it, the main one first."""
    main = {"phoneNumberId": subscriber.get("externalNumberId"), "numberE164": subscriber.get("externalNumber")}
    found = [main, *(subscriber.get("secondaryDDIs") or ())]
    country = subscriber.get("country")
    return [
        (str(each["phoneNumberId"]), written(str(each.get("numberE164") or ""), country))
        for each in found
        if each.get("phoneNumberId")
    ]


async def _send(
    context: Context, name: str, path: Mapping[str, str], numbers: Sequence[tuple[str, str]], wanted: Sequence[str]
) -> None:
    called = dict(numbers)
    released, given = moves([id for id, _ in numbers], wanted)
    changes = [
        Change(f"{verb} {called[id]}", operation, {**path, "phoneNumberId": id}, body)
        for verb, operation, body, ids in (
            ("Release", "unassign_ddi_from_user", None, released),
            ("Give", "assign_ddi_to_user", {}, given),
        )
        for id in ids
    ]
    meanwhile = ", ".join(called[id] for id in released if id in given)
    change = Several(
        label=f"DDI numbers of {name}",
        operation=changes[0].operation,
        path=changes[0].path,
        fields=_places(list(called.values()), [called[id] for id in wanted]),
        reach=f"Reaches 1 subscriber and {len(set(released))} DDI number{'s' * (len(released) != 1)}.",
        warning=f"For a moment they reach nobody: {meanwhile}." if meanwhile else "",
        parts=tuple(changes),
    )

    async def send(_: Change) -> Mapping[str, Any]:
        return (await send_in_turn(context, changes, lambda sent: None))[-1]

    outcome = await context.stage.ask(Preview(change, send))
    if outcome is None:
        return
    # After a refusal, too: what went through before it stays.
    context.view.refresh_now()
    if outcome.error is None:
        context.stage.say(f"{name} has {', '.join(called[id] for id in wanted) or 'no DDI number'}.", "ok")
