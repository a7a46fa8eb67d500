"""The DDI numbers of a subscriber: the main number, the order of the further ones, and unassigning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from textual.widget import Widget

from svc_tui.console.areas.voice.change_sequence import ChangeSequence, send_in_turn
from svc_tui.console.core.changes import Change, FieldChange
from svc_tui.console.core.dialog_keys import CLOSE, LINE_DOWN, LINE_UP, MOVE_DOWN, MOVE_UP, REMOVE, SAVE
from svc_tui.console.core.place_requests import full_record
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.preview import Preview
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.formatting import NOTHING
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.telephone_numbers import written
from svc_tui.interface.texts import counted
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


class Ordering(Box[list[str]]):
    """Returns the IDs in their new order, without the removed ones, or None when closed.

    `names` are IDs and names in their order; `place` names a position, counted from 0.
    """

    DEFAULT_CSS = "Ordering Sheet { height: auto; min-height: 2; max-height: 14; }"
    KEYS = (
        LINE_UP.labelled(_("Select")),
        LINE_DOWN.labelled(_("Select")),
        MOVE_DOWN,
        MOVE_UP,
        REMOVE.labelled(_("Unassign")),
        SAVE.labelled(_("Review")),
        CLOSE.labelled(_("Cancel")),
    )

    def __init__(self, title: str, names: Sequence[tuple[str, str]], place: Callable[[int], str], text: str) -> None:
        super().__init__(title)
        self._names = dict(names)
        self._order = [id for id, _ in names]
        self._place, self._text = place, text

    def body(self) -> Iterable[Widget]:
        yield plain(self._text)
        yield Sheet(label_width=12)

    def on_mount(self) -> None:
        self._draw()
        self.sheet.focus()

    @property
    def sheet(self) -> Sheet:
        return self.query_one(Sheet)

    def _draw(self) -> None:
        named = [(self._place(at), safe_text(self._names[id]).text, id) for at, id in enumerate(self._order)]
        self.sheet.styles.height = max(2, len(named))
        self.sheet.show([Line("field", place, name, key=id) for place, name, id in named])

    def move(self, by: int) -> None:
        self.sheet.move(by)

    def action_move_down(self) -> None:
        self._shift(1)

    def action_move_up(self) -> None:
        self._shift(-1)

    def _shift(self, by: int) -> None:
        at, order = self.sheet.cursor, self._order
        if 0 <= at < len(order) and 0 <= at + by < len(order):
            order[at], order[at + by] = order[at + by], order[at]
            self._draw()

    def action_remove(self) -> None:
        if self._order:
            del self._order[self.sheet.cursor]
            self._draw()

    def action_save(self) -> None:
        self.dismiss(list(self._order))


def moves(current: Sequence[str], requested: Sequence[str]) -> tuple[list[str], list[str]]:
    """The numbers to unassign, and the numbers to assign again after that, each in this order.

    The first number is the main one, and a newly assigned number comes last: no operation moves a number. Numbers that
    are already in the requested order stay assigned, so that as few numbers as possible are unreachable in between.
    """
    kept = 0
    at = 0
    for number in requested:
        if number not in current[at:]:
            break
        at = current.index(number, at) + 1
        kept += 1
    stays = set(requested[:kept])
    return [number for number in current if number not in stays], list(requested[kept:])
