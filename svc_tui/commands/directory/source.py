"""The file of a command line: its format, its columns, and its rows, checked on this machine."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from svc_tui.commands.exits import CommandError, Exit, UsageError, print_message
from svc_tui.commands.progress import ProgressLine
from svc_tui.commands.styles import measured
from svc_tui.interface.companies.countries import country_of
from svc_tui.interface.directory.csv.encodings import UnknownEncoding, chosen_encoding
from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.interface.directory.values import COMMENT
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.directory.contact_files import contact_format, mapping_lines, read_mapping
from svc_tui.workspace.directory.doctor import Doctor, ScanProgress, scan
from svc_tui.workspace.directory.inspection import describe_fault, readable_file
from svc_tui.workspace.directory.target import ImportTarget, Purpose
from svc_tui.workspace.files.uploads import UnsuitableFile


class InvalidFile(CommandError):
    """The file cannot be read as a directory file."""

    code = Exit.REFUSED


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read, where that is not to be detected. `country`: that of numbers without a country."""

    delimiter: str = ""
    comment: str = COMMENT
    encoding: str = ""
    mapping: Path | None = None
    country: str = ""


@dataclass(frozen=True, slots=True)
class DirectoryFile:
    """A file, its format, and the directory to check it for or to import it into."""

    file: Path
    csv_format: CsvFormat
    target: ImportTarget
    country: str = ""

    @property
    def country_of_numbers(self) -> str:
        """The country of numbers without a country."""
        return self.country or self.target.country


def directory_file(file: Path, company: str, personal: bool, command: str, reading: Reading) -> DirectoryFile:
    """The file and the target of a command line. UsageError for wrong options, InvalidFile for a bad format."""
    if sum(map(bool, (company, personal, command))) > 1:
        raise UsageError(_("Use only one of --company, --personal and --command."))
    try:
        file = readable_file(file)
        encoding = chosen_encoding(reading.encoding) if reading.encoding else ""
        country = _country(reading.country)
        mapping = read_mapping(reading.mapping) if reading.mapping else None
    except (UnsuitableFile, ValueError) as wrong:
        raise UsageError(str(wrong)) from None
    try:
        with file.open("rb") as opened:
            csv_format = contact_format(
                opened, reading.delimiter or None, reading.comment, encoding=encoding, mapping=mapping
            )
    except UnknownEncoding as unknown:
        first = _("{unknown}. Name it with --encoding:").format(unknown=unknown)
        raise InvalidFile("\n".join([first, *_readings(unknown)])) from None
    except BadFile as bad:
        raise InvalidFile(bad.sentence) from None
    for text in mapping_lines(csv_format.mapping):
        print_message(text)
    purpose: Purpose = "personal" if personal else "synchronize" if command else "replace"
    return DirectoryFile(file, csv_format, ImportTarget(purpose, company, command_id=command), country)


def _country(text: str) -> str:
    """The three-letter code of a country. ValueError, with a sentence, for a text that names none."""
    if text and not country_of(text):
        raise ValueError(_("{text} is not a country: use a code of three letters, such as PRT.").format(text=text))
    return country_of(text)


def _readings(unknown: UnknownEncoding) -> list[str]:
    """How the likely encodings read one line."""
    widest = max(len(name) for name, _text in unknown.readings)
    return [f"  {name:<{widest}}  {text}" for name, text in unknown.readings]


def _scan_progress(progress: ScanProgress, began: float) -> str:
    text = _("{rows}, {faulty} with errors").format(
        rows=counted(progress.rows, "row"), faulty=number_text(progress.faulty)
    )
    # As many rows are in the whole file as the bytes of those that were read let expect.
    total = progress.rows * progress.size / progress.read if progress.read else 0
    return measured(progress.rows, total, text, _("rows"), time.monotonic() - began)


def checked(source: DirectoryFile) -> Doctor:
    """Check every row on this machine. InvalidFile."""
    line, began, csv_format = ProgressLine(), time.monotonic(), source.csv_format

    def report(progress: ScanProgress) -> bool:
        line.update(lambda: _scan_progress(progress, began))
        return True

    try:
        doctor = scan(
            source.file,
            csv_format,
            synchronizing=source.target.purpose == "synchronize",
            country=source.country_of_numbers,
            on_progress=report,
        )
    except BadFile as bad:
        raise InvalidFile(describe_fault(source.file, csv_format.encoding, bad)) from None
    finally:
        line.clear()
    if not doctor.total:
        raise InvalidFile(_("The file has no rows after its first line."))
    return doctor
