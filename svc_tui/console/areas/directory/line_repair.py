"""Lines that keep a directory file from being read: columns get other names, broken quotes are taken as text.

The file itself stays as it is; what was mended goes into the corrected file, and into what is sent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from svc_tui.console.areas.directory.progress_dialogs import WorkBox
from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.text_editor import TextEditor
from svc_tui.interface.directory.csv.columns import COLUMNS, proposals
from svc_tui.interface.directory.csv.faults import BadFile, BadQuote
from svc_tui.interface.directory.csv.mending import as_text, quotes_as_text, renamed, without_quotes
from svc_tui.interface.directory.csv.reading import Shape, record_of
from svc_tui.workspace.directory.inspection import line_at

_ALL, _LINE, _TEXT, _WITHOUT = "all", "line", "text", "without"
#: Longest line that is edited as a whole, in characters; a longer one is mended by what is proposed.
_LONGEST_EDITED = 20_000
_EDIT = Choice(_LINE, "Edit the line itself")


async def mended(context: Context, path: Path, shape: Shape, bad: BadFile) -> Shape | None:
    """How the file is read once this line was mended; None when it was left as it is."""
    try:
        line = await asyncio.to_thread(line_at, path, shape.encoding, bad.line, shape.corrected)
        if isinstance(bad, BadQuote):
            return await _quotes(context, path, shape, bad, line)
        text = await _columns(context, shape, bad, line)
    except (OSError, BadFile) as error:
        context.stage.say(f"It could not be mended: {error}", "bad")
        return None
    return None if text is None else _with(shape, {bad.line: text})


def _with(shape: Shape, lines: Mapping[int, str]) -> Shape:
    return replace(shape, corrected={**shape.corrected, **lines})


async def _edited(context: Context, shape: Shape, bad: BadFile, line: str) -> str | None:
    """The line as a person types it; None when it was left."""
    if len(line) > _LONGEST_EDITED:
        context.stage.say(f"The line has {len(line):,} characters: that is too long to be edited here.", "warn")
        return None

    def problem(text: str) -> tuple[str, str]:
        try:
            record_of(text, shape)
        except BadFile as found:
            return "", found.sentence
        return "", "it is more than one line" if "\n" in text else ""

    text = await context.stage.ask(TextEditor(f"Line {bad.line:,}", line, check=problem))
    return None if text is None else " ".join(text.splitlines())


# --- columns ---------------------------------------------------------------------------------------------------


async def _columns(context: Context, shape: Shape, bad: BadFile, line: str) -> str | None:
    """The first line with the names that a person chooses; None when it was left."""
    cells = [cell.strip() for cell in record_of(line, shape)]
    names: dict[int, str] = {}
    while True:
        now = [names.get(place, cell) for place, cell in enumerate(cells)]
        wrong = proposals(now)
        if names and not wrong:
            return renamed(line, shape, names)
        chosen = await context.stage.ask(Picker("What the columns are", _names(cells, now, wrong)))
        if chosen is None:
            return None
        if chosen == _LINE:
            return await _edited(context, shape, bad, line)
        if chosen == _ALL:
            names |= {place: meant for place, meant in wrong.items() if meant}
        elif column := await _column(context, now, int(chosen), wrong.get(int(chosen), "")):
            names[int(chosen)] = column


def _names(cells: Sequence[str], now: Sequence[str], wrong: Mapping[int, str]) -> list[Choice]:
    """What can be done: everything that is proposed at once, one column after the other, the line itself."""
    meant = sum(bool(name) for name in wrong.values())
    everything = [Choice(_ALL, f"Take what is proposed for {meant} of them")] if meant else []
    places = [*wrong, *(place for place in range(len(now)) if place not in wrong)]
    said = {place: "is right" if now[place] == cells[place] else f"was {cells[place]}" for place in range(len(now))}
    said |= {place: f"did you mean {name}?" if name else "choose what it is" for place, name in wrong.items()}
    return [*everything, *(Choice(str(place), _called(now, place), said[place]) for place in places), _EDIT]


def _called(now: Sequence[str], place: int) -> str:
    return now[place] or f"column {place + 1}"


async def _column(context: Context, now: Sequence[str], place: int, meant: str) -> str | None:
    """Which column one of the first line is; the proposed one is offered first."""
    free = [name for name in COLUMNS if name not in now or name == now[place]]
    free.sort(key=lambda name: name != meant)
    choices = [Choice(name, name, "proposed" if name == meant else "") for name in free]
    return await context.stage.ask(Picker(f"{_called(now, place)} is", choices))


# --- quotes ----------------------------------------------------------------------------------------------------


class QuotesBox(WorkBox[dict[int, str]]):
    """Looks through the whole file for broken quotes, in a thread; gives back the mended lines."""

    def __init__(self, path: Path, shape: Shape) -> None:
        super().__init__(f"Quotes in {path.name}", "Every broken quote is taken as text; the file stays as it is.")
        self._path, self._shape, self._stopped = path, shape, False

    async def outcome(self) -> dict[int, str]:
        return await asyncio.to_thread(self._mended)

    def _mended(self) -> dict[int, str]:
        """Called in the thread."""
        with self._path.open("rb") as file:
            return quotes_as_text(file, self._shape, lambda: not self._stopped)

    def progress(self) -> str:
        return "looking through the file…"

    def action_close(self) -> None:
        self._stopped = True
        super().action_close()


async def _quotes(context: Context, path: Path, shape: Shape, bad: BadQuote, line: str) -> Shape | None:
    texts = {_TEXT: as_text(line, bad, shape), _WITHOUT: without_quotes(line, bad, shape)}
    choices = [
        Choice(_TEXT, "The quote is a part of the text", _around(texts[_TEXT], bad)),
        Choice(_WITHOUT, "Leave the quote out", _around(texts[_WITHOUT], bad)),
        Choice(_ALL, "Take every such quote as text", "in all of the file"),
        _EDIT,
    ]
    chosen = await context.stage.ask(Picker(f"The quote in line {bad.line:,}", choices))
    if chosen is None:
        return None
    if chosen == _ALL:
        found = await context.stage.ask(QuotesBox(path, shape))
        return None if found is None else _with(shape, found)
    text = await _edited(context, shape, bad, line) if chosen == _LINE else texts[chosen]
    return None if text is None else _with(shape, {bad.line: text})


def _around(line: str, bad: BadQuote) -> str:
    """The part of a line where its value was mended."""
    first = max(bad.opened - 16, 0)
    return f"{'…' if first else ''}{line[first : bad.opened + 24]}"
