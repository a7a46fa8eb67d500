"""The barring of a CloudPBX: permissions, restrictions, the company's list, and emergency numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textual import work

from svc_tui.console.core.resource import Context
from svc_tui.console.views.sheet_view import WrappedView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import written
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.language import _
from svc_tui.workspace.core.service import ReadError

Options = Mapping[str, Any]
#: The parts with the operations that read them.
READS = {
    "pbx": "get_cloudpbx",
    "choices": "get_cloudpbx_barring_options",
    "own": "get_cloudpbx_custom_numbers_restriction",
    "emergency": "get_cloudpbx_emergency_numbers",
}


@dataclass(frozen=True, slots=True)
class Barring:
    """The responses, by the names of `READS`."""

    pbx: Options
    choices: Options
    own: Options
    emergency: Options

    def lines(self) -> Iterator[Line]:
        """The lines of all parts; the active choices are marked."""
        chosen = (self.pbx.get("cloudpbx") or {}).get("barringOptions") or {}
        for name, heading in (("permissions", _("Allowed calls")), ("restrictions", _("Prohibited numbers"))):
            yield Line("heading", heading)
            for each in self.choices.get(name) or ():
                is_chosen = each.get("id") == chosen.get(name)
                note = ("active", "ok") if is_chosen else ("", "dim")
                text = written(each.get("description"))
                yield Line("field", written(each.get("id")), text, *note[:1], key=name, note_style=note[1])
        yield from self._own(chosen.get("restrictions") == "custom_numbers")
        yield from self._emergency()

    def _own(self, holds: bool) -> Iterator[Line]:
        patterns = self.own.get("patterns") or ()
        yield Line(
            "heading",
            _("The company's list: {patterns}{holds}").format(
                patterns=len(patterns), holds="" if holds else _(" (not active)")
            ),
        )
        if not patterns:
            yield Line("text", value=_(" empty"), style="dim")
        for each in patterns:
            yield Line("field", written(each.get("pattern")), written(each.get("description")), key="own")

    def _emergency(self) -> Iterator[Line]:
        yield Line("heading", _("Emergency numbers, always allowed"))
        numbers = ", ".join(written(each.get("number")) for each in self.emergency.get("numbers") or ())
        yield Line("field", _("Numbers"), numbers or written(None), key="emergency")
        for wire, label in (
            ("callAuthorizationWithSoftPhone", _("With a softphone")),
            ("emergencyGroupActivated", _("Alerts a group")),
        ):
            yield Line("field", label, written(self.emergency.get(wire)), key=wire)


class BarringView(WrappedView):
    """Shows the responses; a refresh reads them again."""

    kind = "report"
    LABEL = 22
    #: Cells of the gutter, the gaps, and the note of active choices.
    BESIDE = 16

    def __init__(self, context: Context, system_id: str, name: str) -> None:
        super().__init__(context.view.place, context.resource)
        self._workspace, self._path, self._called = context.workspace, {"systemId": system_id}, name
        self._found: Barring | None = None
        self._error_message = ""

    def lines(self) -> Iterable[Line]:
        return () if self._found is None else self._found.lines()

    async def load(self) -> None:
        """Read all parts. ReadError when that fails."""
        found = {}
        for name, operation_id in READS.items():
            body = await self._workspace.read(operation_id, self._path, {"format": "full"})
            data = body.get("data") if isinstance(body, dict) else None
            found[name] = data if isinstance(data, dict) else {}
        self._found = Barring(**found)

    def refresh_now(self) -> None:
        self._read_again()

    @work(exclusive=True, group="barring", exit_on_error=False)
    async def _read_again(self) -> None:
        try:
            await self.load()
            self._error_message = ""
        except ReadError as error:
            self._error_message = error.sentence
        self.draw()
        self.notify_changed()

    @property
    def crumb(self) -> str:
        return _("Barring of {called}").format(called=self._called)

    def status(self) -> Sequence[Piece]:
        if self._error_message:
            return [Piece(f" {self._error_message}", "warn")]
        return [
            Piece(self.with_keys(_(" {refresh} refreshes"))),
            Piece(_("   edit the CloudPBX to change the barring"), "dim"),
        ]
