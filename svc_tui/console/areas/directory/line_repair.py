"""Repairs of lines that make a directory file unreadable: unknown names of columns, and broken quotes.

The file itself is not changed; repairs are part of the corrected file, and of the request.
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
from svc_tui.interface.directory.csv.columns import COLUMNS, suggested_columns
from svc_tui.interface.directory.csv.corrections import (
    correct_all_quotes,
    with_column_names,
    with_quotes_as_text,
    without_quotes,
)
from svc_tui.interface.directory.csv.faults import BadFile, BadQuote
from svc_tui.interface.directory.csv.reading import CsvFormat, record_of
from svc_tui.language import _, number_text
from svc_tui.workspace.directory.inspection import line_at

_ALL, _LINE, _TEXT, _WITHOUT = "all", "line", "text", "without"
#: Longest line that can be edited, in characters; longer lines can only be repaired with a suggestion.
_LONGEST_EDITED = 20_000
_EDIT = Choice(_LINE, _("Edit the line"))


async def repaired(context: Context, path: Path, csv_format: CsvFormat, bad: BadFile) -> CsvFormat | None:
    """The format of the file with this line repaired; None when cancelled."""
    try:
        line = await asyncio.to_thread(line_at, path, csv_format.encoding, bad.line, csv_format.corrected)
        if isinstance(bad, BadQuote):
            return await _quotes(context, path, csv_format, bad, line)
        text = await _columns(context, csv_format, bad, line)
    except (OSError, BadFile) as error:
        context.stage.show_message(_("Could not repair the line: {error}").format(error=error), "bad")
        return None
    return None if text is None else _with(csv_format, {bad.line: text})


def _with(csv_format: CsvFormat, lines: Mapping[int, str]) -> CsvFormat:
    return replace(csv_format, corrected={**csv_format.corrected, **lines})


async def _edited(context: Context, csv_format: CsvFormat, bad: BadFile, line: str) -> str | None:
    """The edited line; None when cancelled."""
    if len(line) > _LONGEST_EDITED:
        context.stage.show_message(
            _("The line is too long to edit: {line} characters.").format(line=number_text(len(line))), "warn"
        )
        return None

    def problem(text: str) -> tuple[str, str]:
        try:
            record_of(text, csv_format)
        except BadFile as found:
            return "", found.sentence
        return "", _("more than one line") if "\n" in text else ""

    text = await context.stage.ask(TextEditor(_("Line {line}").format(line=number_text(bad.line)), line, check=problem))
    return None if text is None else " ".join(text.split("\n"))


# --- columns ---------------------------------------------------------------------------------------------------


async def _columns(context: Context, csv_format: CsvFormat, bad: BadFile, line: str) -> str | None:
    """The first line with the chosen names; None when cancelled."""
    cells = [cell.strip() for cell in record_of(line, csv_format)]
    names: dict[int, str] = {}
    while True:
        now = [names.get(place, cell) for place, cell in enumerate(cells)]
        wrong = suggested_columns(now)
        if names and not wrong:
            return with_column_names(line, csv_format, names)
        chosen = await context.stage.ask(Picker(_("Names of the columns"), _names(cells, now, wrong)))
        if chosen is None:
            return None
        if chosen == _LINE:
            return await _edited(context, csv_format, bad, line)
        if chosen == _ALL:
            names |= {place: suggested for place, suggested in wrong.items() if suggested}
        elif column := await _column(context, now, int(chosen), wrong.get(int(chosen), "")):
            names[int(chosen)] = column


def _names(cells: Sequence[str], now: Sequence[str], wrong: Mapping[int, str]) -> list[Choice]:
    """The choices: all suggestions, one column, or the line itself."""
    suggested = sum(bool(name) for name in wrong.values())
    label = (
        _("Apply all {suggested} suggestions").format(suggested=suggested)
        if suggested > 1
        else _("Apply the suggestion")
    )
    everything = [Choice(_ALL, label)] if suggested else []
    places = [*wrong, *(place for place in range(len(now)) if place not in wrong)]
    hints = {
        place: _("unchanged") if now[place] == cells[place] else _("was {cells}").format(cells=cells[place])
        for place in range(len(now))
    }
    hints |= {
        place: _("did you mean {name}?").format(name=name) if name else _("unknown") for place, name in wrong.items()
    }
    return [*everything, *(Choice(str(place), _called(now, place), hints[place]) for place in places), _EDIT]


def _called(now: Sequence[str], place: int) -> str:
    return now[place] or _("column {place}").format(place=place + 1)


async def _column(context: Context, now: Sequence[str], place: int, suggested: str) -> str | None:
    """Ask for the name of a column; the suggested one comes first."""
    free = [name for name in COLUMNS if name not in now or name == now[place]]
    free.sort(key=lambda name: name != suggested)
    choices = [Choice(name, name, _("suggested") if name == suggested else "") for name in free]
    return await context.stage.ask(Picker(_("Name of {called}").format(called=_called(now, place)), choices))


# --- quotes ----------------------------------------------------------------------------------------------------


class QuotesBox(WorkBox[dict[int, str]]):
    """Searches the whole file for broken quotes, in a thread; returns the repaired lines."""

    def __init__(self, path: Path, csv_format: CsvFormat) -> None:
        super().__init__(
            _("Quotes in {name}").format(name=path.name), _("Broken quotes are read as text. The file is not changed.")
        )
        self._path, self._csv_format, self._stopped = path, csv_format, False

    async def outcome(self) -> dict[int, str]:
        return await asyncio.to_thread(self._corrected)

    def _corrected(self) -> dict[int, str]:
        """Called in the thread."""
        with self._path.open("rb") as file:
            return correct_all_quotes(file, self._csv_format, lambda: not self._stopped)

    def progress(self) -> str:
        return _("searching the file…")

    def action_close(self) -> None:
        self._stopped = True
        super().action_close()


async def _quotes(context: Context, path: Path, csv_format: CsvFormat, bad: BadQuote, line: str) -> CsvFormat | None:
    texts = {_TEXT: with_quotes_as_text(line, bad, csv_format), _WITHOUT: without_quotes(line, bad, csv_format)}
    choices = [
        Choice(_TEXT, _("Read the quote as text"), _around(texts[_TEXT], bad)),
        Choice(_WITHOUT, _("Remove the quote"), _around(texts[_WITHOUT], bad)),
        Choice(_ALL, _("Read all broken quotes as text"), _("in the whole file")),
        _EDIT,
    ]
    chosen = await context.stage.ask(
        Picker(_("Broken quote in line {line}").format(line=number_text(bad.line)), choices)
    )
    if chosen is None:
        return None
    if chosen == _ALL:
        found = await context.stage.ask(QuotesBox(path, csv_format))
        return None if found is None else _with(csv_format, found)
    text = await _edited(context, csv_format, bad, line) if chosen == _LINE else texts[chosen]
    return None if text is None else _with(csv_format, {bad.line: text})


def _around(line: str, bad: BadQuote) -> str:
    """The repaired part of a line."""
    first = max(bad.opened - 16, 0)
    return f"{'…' if first else ''}{line[first : bad.opened + 24]}"
