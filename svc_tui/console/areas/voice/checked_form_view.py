"""A record while it is edited here and maybe elsewhere too: what somebody else changed of it meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.areas.voice.conflicts import Meanwhile
from svc_tui.console.core.field_text import Hint, joined, warned
from svc_tui.console.terminal.text import shown
from svc_tui.console.views.form import FormView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import written
from svc_tui.console.widgets.sheet import Line

THEIRS_KEY = "ctrl+y"


def entry(value: object) -> str:
    """An entry of a list in a few words: its values, without their names."""
    if isinstance(value, Mapping):
        return " ".join(written(item) for item in value.values() if item not in (None, ""))
    return written(value)


def drawn(value: object) -> str:
    """A value in one line; of a list of records how many there are, and each in a few words."""
    if isinstance(value, list) and any(isinstance(item, Mapping) for item in value):
        return f"{len(value)}: {'; '.join(entry(item) for item in value)}"
    return written(value)


class GuardedView(FormView):
    """Fields that somebody else changed too say so, and can be given what they have now."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.meanwhile = Meanwhile()

    def rebase(self, now: Mapping[str, Any], found: Meanwhile) -> None:
        """Go on from the record as it is now; what was edited here stays, with rows that others added beside it."""
        self.meanwhile = self.meanwhile.after(found)
        self.form.rebase(now)
        for wire, rows in found.merged.items():
            self.form.set(wire, rows)
        self.draw()
        self.tell()

    @property
    def contested(self) -> list[str]:
        """Fields that were edited here and meanwhile by somebody else."""
        return [wire for wire in self.meanwhile.theirs if self.form.changed(wire)]

    def take_theirs(self) -> None:
        """Give the field under the cursor the value that somebody else set."""
        self.take_value(self.wire, self.form.before.get(self.wire))

    def theirs_told(self, wire: str) -> Hint:
        """What somebody else made of a field that was edited here too; empty when nobody did."""
        if wire not in self.contested:
            return ""
        now = drawn(self.form.before.get(wire))
        return warned(joined(f"Somebody else made it {now}", f"{THEIRS_KEY} takes that"))

    def line_of(self, wire: str) -> Line:
        line = super().line_of(wire)
        if wire not in self.contested or self.form.problem(wire):
            return line
        return replace(line, note=f"meanwhile {shown(drawn(self.form.before.get(wire))).text}", note_style="warn")

    def hint_lines(self, wire: str) -> Sequence[Hint]:
        first, *more = super().hint_lines(wire)
        theirs = self.theirs_told(wire)
        return [first, theirs, *more] if theirs else [first, *more]

    def status(self) -> Sequence[Piece]:
        pieces = super().status()
        if not self.contested:
            return pieces
        return [*pieces, Piece(f"   {len(self.contested)} changed by somebody else too", "warn")]
