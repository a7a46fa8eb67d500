"""The settings of a CloudPBX while they are edited, with what somebody else changed of them meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from svc_tui.console.bars import Piece
from svc_tui.console.meanwhile import Meanwhile
from svc_tui.console.terminal.text import shown
from svc_tui.console.values import written
from svc_tui.console.views.form import joined
from svc_tui.console.views.settings import SettingsView
from svc_tui.console.views.sheet import Line

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


class CloudPbxView(SettingsView):
    """Fields that somebody else changed too say so, and can be given what they have now."""

    def __init__(self, *args: Any, settings: Mapping[str, Any], **options: Any) -> None:
        super().__init__(*args, **options)
        #: The CloudPBX as it was when editing began, its fields where bodies have them.
        self.settings = settings
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

    def line_of(self, wire: str) -> Line:
        line = super().line_of(wire)
        value = self.form.values.get(wire)
        if isinstance(value, list):
            line = replace(line, value=drawn(value))
        elif self.form.why_not(wire) and (name := self.form.named.get(str(value))):
            # Beside a value that cannot be set its reason stands where the name would.
            line = replace(line, value=shown(name).text)
        if wire not in self.contested or self.form.problem(wire):
            return line
        return replace(line, note=f"meanwhile {shown(drawn(self.form.before.get(wire))).text}", note_style="warn")

    def hint_lines(self, wire: str) -> Sequence[str]:
        first, *more = super().hint_lines(wire)
        if wire in self.contested:
            now = drawn(self.form.before.get(wire))
            return [first, joined(f"Somebody else made it {now}", f"{THEIRS_KEY} takes that"), *more]
        needing = [each for each in self.form.contradictions if each.needs == wire]
        if needing:
            said = "; ".join(dict.fromkeys(each.sentence for each in needing))
            return [first, said, *more]
        return [first, *more]

    def status(self) -> Sequence[Piece]:
        pieces = super().status()
        if not self.contested:
            return pieces
        return [*pieces, Piece(f"   {len(self.contested)} changed by somebody else too", "warn")]
