"""The DDI numbers of a subscriber: the main number, the order of the further ones, and unassigning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from svc_tui.console.areas.voice.change_sequence import ChangeSequence, send_in_turn
from svc_tui.console.areas.voice.ddi_order_dialog import Ordering
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.interface.telephone_numbers import written
from svc_tui.interface.texts import counted
from svc_tui.interface.voice.ddi_order import moves
from svc_tui.language import _


async def order_numbers(context: Context) -> None:
    """Reorder the DDI numbers of the subscriber under the cursor, or unassign some."""
    resource, record = context.require_resource(), context.require_record()
    subscriber = await full_record(context, resource.record_id(record))
    name, numbers = resource.label(subscriber), _numbers(subscriber)
    if not numbers:
        context.stage.show_message(_("{name} has no DDI number. Assign one first.").format(name=name), "warn")
        return
    text = _("The first number is the main number.")
    box = Ordering(_("DDI numbers of {name}").format(name=name), numbers, _place, text)
    order = await context.stage.ask(box)
    if order is None or order == [id for id, _ in numbers]:
        return
    path = resource.path_at(context.view.place, context.workspace.caller)
    await _send(context, name, {**path, "userId": str(subscriber.get("userId"))}, numbers, order)


def _place(at: int) -> str:
    return _("further {at}").format(at=at) if at else _("main")


def _places(old: Sequence[str], new: Sequence[str]) -> tuple[FieldChange, ...]:
    """The positions with a different number."""
    pairs = enumerate(zip_longest(old, new, fillvalue=NOTHING))
    return tuple(FieldChange(_place(at).capitalize(), was, now) for at, (was, now) in pairs if was != now)


def _numbers(subscriber: Mapping[str, Any]) -> list[tuple[str, str]]:
    """ID and number of each, in the notation of the country, the main number first."""
    main = {"phoneNumberId": subscriber.get("externalNumberId"), "numberE164": subscriber.get("externalNumber")}
    found = [main, *(subscriber.get("secondaryDDIs") or ())]
    country = subscriber.get("country")
    return [
        (str(each["phoneNumberId"]), written(str(each.get("numberE164") or ""), country))
        for each in found
        if each.get("phoneNumberId")
    ]


async def _send(
    context: Context, name: str, path: Mapping[str, str], numbers: Sequence[tuple[str, str]], order: Sequence[str]
) -> None:
    called = dict(numbers)
    released, given = moves([id for id, _ in numbers], order)
    changes = [
        Change(f"{verb} {called[id]}", operation, {**path, "phoneNumberId": id}, body)
        for verb, operation, body, ids in (
            (_("Unassign"), "unassign_ddi_from_user", None, released),
            (_("Assign"), "assign_ddi_to_user", {}, given),
        )
        for id in ids
    ]
    briefly = ", ".join(called[id] for id in released if id in given)
    change = ChangeSequence(
        label=_("DDI numbers of {name}").format(name=name),
        operation=changes[0].operation,
        path=changes[0].path,
        fields=_places(list(called.values()), [called[id] for id in order]),
        reach=_("Affects 1 subscriber and {ddi_numbers}.").format(
            ddi_numbers=counted(len(set(released)), "DDI number")
        ),
        warning=_("Briefly unreachable: {briefly}.").format(briefly=briefly) if briefly else "",
        parts=tuple(changes),
    )

    async def send(_: Change) -> Mapping[str, Any]:
        return (await send_in_turn(context, changes, lambda sent: None))[-1]

    outcome = await context.stage.ask(Preview(change, send))
    if outcome is None:
        return
    # Also after a refusal: successful requests are not undone.
    context.view.refresh_now()
    if outcome.error is None:
        context.stage.show_message(
            _("{name} has {numbers}.").format(
                name=name, numbers=", ".join(called[id] for id in order) or _("no DDI number")
            ),
            "ok",
        )
