"""The dialogs for a directory file: its path, then its format and purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from textual import events, work
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from svc_tui.console.areas.directory.column_choice import are_known
from svc_tui.console.areas.directory.progress_dialogs import CORRECT_LINE
from svc_tui.console.core.dialog_keys import ACCEPT, CLOSE
from svc_tui.console.core.keys import DialogKey
from svc_tui.console.dialogs.box import Box, plain
from svc_tui.console.dialogs.path import PathBox
from svc_tui.console.terminal.text import cut, safe_text
from svc_tui.interface.directory.csv.corrections import can_be_corrected
from svc_tui.interface.directory.csv.encodings import UTF8, name_of
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.interface.directory.values import COMMENT
from svc_tui.language import _, number_text
from svc_tui.workspace.directory.contact_files import mapping_lines
from svc_tui.workspace.directory.inspection import Inspection, inspect, readable_file
from svc_tui.workspace.directory.target import PURPOSES, ImportTarget
from svc_tui.workspace.files.saved_files import size_text
from svc_tui.workspace.files.uploads import UnsuitableFile

_SIGNS = {
    "\t": _("tab"),
    " ": _("space"),
    "": _("none"),
    ",": _("comma"),
    ";": _("semicolon"),
    "|": _("bar"),
}


class CsvFileBox(PathBox[Path]):
    """Returns the path of a readable file."""

    ENDINGS = (".csv", ".txt", ".vcf")

    def __init__(self, title: str) -> None:
        super().__init__(title, _("A CSV file whose first line names the columns, or a vCard file."))

    async def take(self, path: str) -> None:
        try:
            self.dismiss(await asyncio.to_thread(readable_file, Path(path)))
        except UnsuitableFile as error:
            self.show_error(str(error))


@dataclass(frozen=True, slots=True)
class PurposeChoice:
    """A purpose of the file; a `reason` states why it is not possible."""

    target: ImportTarget
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ImportSettings:
    """The format and purpose of a file; `bad` is a line to repair first, `asks` what is to be chosen first.

    `encoding` and `choices` (heading -> target) are those of the user, `look` is the inspection of the file.
    """

    csv_format: CsvFormat
    target: ImportTarget
    recognised: bool = True
    bad: BadFile | None = None
    asks: Literal["", "encoding", "columns"] = ""
    encoding: str = ""
    choices: Mapping[str, str] | None = None
    look: Inspection | None = None


class CsvSettings(Box[ImportSettings]):
    """Shows the detected format; the delimiter, the comment character and the purpose can be changed."""

    DEFAULT_CSS = "CsvSettings #facts { height: auto; }"
    CHANGES = (
        DialogKey("csv.delimiter", ("d",), "Delimiter", "Choose the delimiter"),
        DialogKey("csv.comment", ("c",), "Comment", "Choose the comment character"),
        DialogKey("csv.encoding", ("n",), "Encoding", "Choose the encoding"),
        DialogKey("csv.columns", ("o",), "Columns", "Choose what the columns are"),
        DialogKey("csv.purpose", ("m",), "Purpose", "Change the purpose of the file"),
    )
    KEYS = (ACCEPT.labelled(_("Check")), *CHANGES, CLOSE)
    FAULTY_KEYS = (CORRECT_LINE, ACCEPT.unlisted(), *CHANGES, CLOSE)
    #: While the encoding is unknown.
    ENCODING_KEYS = (CHANGES[2], ACCEPT.unlisted(), CLOSE)
    ASKING_KEYS = (
        DialogKey("csv.none", ("backspace",), "None", "Detect the delimiter, or read no comments"),
        CLOSE.labelled(_("Cancel")),
    )

    def __init__(
        self,
        path: Path,
        purposes: Sequence[PurposeChoice],
        at: int = 0,
        before: ImportSettings | None = None,
        stored: Callable[[Sequence[str]], Mapping[str, str]] = lambda names: {},
    ) -> None:
        """`stored` returns what a user has chosen for a file with the same headings."""
        super().__init__(_("Read {name}").format(name=path.name))
        self._path, self._purposes, self._at = path, purposes, at
        self._delimiter = before.csv_format.delimiter if before and not before.recognised else None
        self._comment = before.csv_format.comment if before else COMMENT
        self._corrected = before.csv_format.corrected if before else {}
        self._encoding = before.encoding if before else ""
        self._choices = before.choices if before else None
        self._stored = stored
        self._asks = ""
        self._look: Inspection | None = None

    def body(self) -> Iterable[Widget]:
        yield plain(_("reading…"), id="facts")
        yield plain("", id="asks")
        yield plain("", id="error", classes="error")

    def on_mount(self) -> None:
        self.set_focus(None)
        self._read()

    @property
    def _wrong(self) -> BadFile | None:
        """The fault of a repairable line."""
        bad = self._look.bad if self._look is not None else None
        return bad if bad is not None and can_be_corrected(bad) else None

    @property
    def _only_a_part(self) -> str:
        """A warning where the import would delete entries that are not in the file."""
        if self._look is None or not self._look.part or self._selected.target.purpose not in ("replace", "personal"):
            return ""
        return _("The file contains only a part of a directory ({part}). All other entries would be lost.").format(
            part=self._look.part
        )

    @property
    def _selected(self) -> PurposeChoice:
        return self._purposes[self._at]

    @work(exclusive=True, group="look", exit_on_error=False)
    async def _read(self) -> None:
        self._look = None
        try:
            self._look = await asyncio.to_thread(self._inspected)
        except OSError as error:
            self.put(
                "#error",
                _("Could not read {path}: {reason}.").format(path=self._path, reason=error.strerror or error),
            )
            return
        self._draw()

    def _inspected(self) -> Inspection:
        """The inspection of the file, in a thread: with the chosen or stored columns if they are complete."""
        look = partial(
            inspect,
            self._path,
            self._delimiter,
            self._comment,
            synchronizing=self._selected.target.purpose == "synchronize",
            corrected=self._corrected,
            encoding=self._encoding,
        )
        found = look()
        choices = self._stored(found.headings) if self._choices is None else self._choices
        return look(mapping=choices) if choices and are_known(found.headings, choices) else found

    def _draw(self) -> None:
        found = self._look
        if found is None:
            return
        encoding = name_of(found.encoding) if found.encoding else _("unknown")
        if found.encoding not in ("", UTF8):
            encoding += _("; sent as UTF-8")
        sign = _named(found.csv_format.delimiter) if found.csv_format else _("unknown")
        facts = {
            "Size": size_text(found.size),
            "Encoding": encoding,
            "Delimiter": f"{sign}{_(', detected') if self._delimiter is None else ''}",
            "Comment": f"{_named(self._comment)}{_(' at the start of a line') if self._comment else ''}",
            "Columns": f"{len(found.columns)}: {', '.join(found.columns)}" if found.columns else "—",
            **self._mapped(found),
            **({"Repaired": _lines(self._corrected)} if self._corrected else {}),
            "Country": self._selected.target.country or _("unknown: only numbers with a country code can be checked"),
            "Purpose": self._purpose(),
        }
        lines = [Content.assemble((f"{name:<11}", "dim"), _cut(value)) for name, value in facts.items()]
        self.query_one("#facts", Static).update(Content("\n").join(lines))
        readings = "".join(f"\n{name}: {text}" for name, text in found.readings)
        error = found.error_message + readings if found.error_message else ""
        self.put("#error", error or self._selected.reason or self._only_a_part)
        self.show_keys()

    def _mapped(self, found: Inspection) -> dict[str, str]:
        """What the columns of an export are, and which are left out."""
        mapping = found.csv_format.mapping if found.csv_format else None
        if mapping is None or not mapping_lines(mapping):
            return {}
        taken = ", ".join(f"{heading} → {target}" for heading, target in mapping.taken)
        facts = {"Mapped": f"{mapping.program}: {taken}" if mapping.program else taken}
        return {**facts, _("Left out"): ", ".join(mapping.left_out)} if mapping.left_out else facts

    def _purpose(self) -> str:
        target = self._selected.target
        whose = (
            _(" of {name}").format(name=target.name) if target.purpose in ("check", "replace") and target.name else ""
        )
        if target.purpose == "check":
            return _("{check}, for the directory{whose}").format(check=PURPOSES["check"], whose=whose)
        if target.purpose == "synchronize" and target.command_id:
            return _("{synchronize} (command {command_id})").format(
                synchronize=PURPOSES["synchronize"], command_id=target.command_id
            )
        return f"{PURPOSES[target.purpose]}{whose}"

    def current_keys(self) -> Sequence[DialogKey]:
        if self._asks:
            return self.ASKING_KEYS
        if self._look is not None and not self._look.encoding:
            return self.ENCODING_KEYS
        return self.FAULTY_KEYS if self._wrong else self.KEYS

    async def take_key(self, event: events.Key) -> bool:
        taken = await super().take_key(event)
        if not taken and self._asks:
            self._answer(event)
            return True
        return taken

    def action_correct(self) -> None:
        self._close_with(self._wrong)

    def action_delimiter(self) -> None:
        self._ask("delimiter")

    def action_comment(self) -> None:
        self._ask("comment")

    def action_encoding(self) -> None:
        self._close_with(asks="encoding")

    def action_columns(self) -> None:
        self._close_with(asks="columns")

    def action_purpose(self) -> None:
        self._at = (self._at + 1) % len(self._purposes)
        self._read()

    def _ask(self, what: str) -> None:
        self._asks = what
        name = _("delimiter") if what == "delimiter" else _("comment character")
        without = _("detects it") if what == "delimiter" else _("reads no comments")
        self.put(
            "#asks",
            self.with_keys(
                _("Type the {name}, which can also be a tab. {{none}} {without}.").format(name=name, without=without)
            ),
        )
        self.show_keys()

    def _answer(self, event: events.Key) -> None:
        self._set_sign("\t" if event.key == "tab" else event.character if event.is_printable else None)

    def action_none(self) -> None:
        self._set_sign("")

    def _set_sign(self, sign: str | None) -> None:
        asked, self._asks = self._asks, ""
        self.put("#asks", "")
        self.show_keys()
        if sign is None:
            return
        if asked == "delimiter":
            self._delimiter = sign or None
        else:
            self._comment = sign
        self._read()

    def action_accept(self) -> None:
        found = self._look
        if found is not None and not found.error_message and not self._selected.reason:
            self._close_with()

    def _close_with(self, bad: BadFile | None = None, asks: Literal["", "encoding", "columns"] = "") -> None:
        found = self._look
        if found is None or (found.csv_format is None and asks != "encoding"):
            return
        csv_format = found.csv_format or CsvFormat(UTF8, self._delimiter or "", self._comment, self._corrected)
        recognised = self._delimiter is None
        self.dismiss(
            ImportSettings(
                csv_format, self._selected.target, recognised, bad, asks, self._encoding, self._choices, found
            )
        )

    def action_close(self) -> None:
        if self._asks:
            self._asks = ""
            self.put("#asks", "")
            self.show_keys()
        else:
            self.dismiss(None)


def _lines(corrected: Mapping[int, str]) -> str:
    """The numbers of the repaired lines."""
    numbers = ", ".join(number_text(number) for number in sorted(corrected)[:5])
    more = _(" and {corrected} more").format(corrected=number_text(len(corrected) - 5)) if len(corrected) > 5 else ""
    return _("{corrected} {numbers}{more}; the file is not changed").format(
        corrected="line" if len(corrected) == 1 else "lines", numbers=numbers, more=more
    )


def _named(sign: str) -> str:
    return _SIGNS.get(sign, sign)


def _cut(text: str, cells: int = 60) -> str:
    """A text of two lines at most."""
    return cut(safe_text(text).text, 2 * cells)
