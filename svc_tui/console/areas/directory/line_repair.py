"""Repairs of lines that make a directory file unreadable: unknown names of columns, and broken quotes.

The file itself is not changed; repairs are part of the corrected file, and of the request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs import text_editor
from svc_tui.console.dialogs.picker import Picker
from svc_tui.console.dialogs.save import WorkBox
from svc_tui.interface.directory.csv.corrections import (
    correct_all_quotes,
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
        return await edited_line(context, path, csv_format, bad.line)
    except (OSError, BadFile) as error:
        context.stage.show_message(_("Could not repair the line: {error}").format(error=error), "bad")
        return None


async def edited_line(context: Context, path: Path, csv_format: CsvFormat, number: int) -> CsvFormat | None:
    """The format of the file with a line as the user edited it; None when cancelled."""
    try:
        line = await asyncio.to_thread(line_at, path, csv_format.encoding, number, csv_format.corrected)
    except OSError as error:
        context.stage.show_message(_("Could not repair the line: {error}").format(error=error), "bad")
        return None
    text = await _edited(context, csv_format, number, line)
    return None if text is None else _with(csv_format, {number: text})


def _with(csv_format: CsvFormat, lines: Mapping[int, str]) -> CsvFormat:
    return replace(csv_format, corrected={**csv_format.corrected, **lines})


async def _edited(context: Context, csv_format: CsvFormat, number: int, line: str) -> str | None:
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

    text = await context.stage.ask(
        text_editor.TextEditor(_("Line {line}").format(line=number_text(number)), line, check=problem)
    )
    return None if text is None else " ".join(text.split("\n"))


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
    text = await _edited(context, csv_format, bad.line, line) if chosen == _LINE else texts[chosen]
    return None if text is None else _with(csv_format, {bad.line: text})


def _around(line: str, bad: BadQuote) -> str:
    """The repaired part of a line."""
    first = max(bad.opened - 16, 0)
    return f"{'…' if first else ''}{line[first : bad.opened + 24]}"
