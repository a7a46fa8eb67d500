"""Contact files: their format, and their rows in the columns of the service; mappings of columns in files that
a user writes.
"""

from __future__ import annotations

import difflib
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from svc_tui.interface.directory.csv.columns import CsvColumn
from svc_tui.interface.directory.csv.encodings import encoding_of
from svc_tui.interface.directory.csv.mapping import ColumnMapping, all_targets, target_of
from svc_tui.interface.directory.csv.reading import DELIMITERS, CsvFormat, CsvRow
from svc_tui.interface.directory.csv.sources import headings, source_format, source_rows
from svc_tui.interface.texts import NotUtf8, text_of
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files.saved_files import reason_of

if TYPE_CHECKING:
    from svc_tui.workspace.directory import vcards
else:
    vcards = lazy_import("svc_tui.workspace.directory.vcards")


def contact_format(
    file: BinaryIO,
    delimiter: str | None = None,
    comment: str = "%",
    *,
    encoding: str = "",
    mapping: Mapping[str, str] | None = None,
    corrected: Mapping[int, str] | None = None,
) -> CsvFormat:
    """The format of a file, as `source_format` finds it, or of vCards. BadFile."""
    encoding = encoding or encoding_of(file)
    if vcards.is_vcard(file, encoding):
        return CsvFormat(encoding, DELIMITERS[0], comment, mapping=vcards.card_mapping())
    return source_format(file, delimiter, comment, encoding=encoding, mapping=mapping, corrected=corrected)


def contact_headings(file: BinaryIO, csv_format: CsvFormat) -> tuple[str, ...]:
    """The names of the columns as the file has them; none of cards. BadFile when they cannot be read."""
    mapping = csv_format.mapping
    if mapping is not None and mapping.program == vcards.PROGRAM:
        return ()
    return tuple(headings(file, csv_format))


def contact_rows(
    file: BinaryIO, csv_format: CsvFormat, *, synchronizing: bool = False
) -> tuple[tuple[CsvColumn, ...], str, Iterator[CsvRow]]:
    """The columns of the service in a file, its first line, and its rows. BadFile where it cannot be read."""
    mapping = csv_format.mapping
    if mapping is not None and mapping.program == vcards.PROGRAM:
        return vcards.card_rows(file, csv_format.encoding, mapping, synchronizing=synchronizing)
    return source_rows(file, csv_format, synchronizing=synchronizing)


def read_mapping(path: Path) -> dict[str, str]:
    """Heading -> target, empty to leave the column out. ValueError, with a sentence, for a file that is none."""
    try:
        found = tomllib.loads(text_of(expanded(path).read_bytes()))
    except OSError as error:
        raise ValueError(_("Cannot read {path}: {reason}.").format(path=path, reason=reason_of(error))) from None
    except NotUtf8 as error:
        raise ValueError(f"{path}: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_("{path} is not TOML: {error}.").format(path=path, error=error)) from None
    for heading, target in found.items():
        if not isinstance(target, str) or not _is_target(target):
            message = _(
                "{path}: “{heading}”: “{target}” is no column of the service. Name one, or leave it empty{hint}."
            )
            raise ValueError(message.format(path=path, heading=heading, target=target, hint=_hint(target)))
    return found


def _is_target(target: str) -> bool:
    try:
        return not target or bool(target_of(target))
    except ValueError:
        return False


def _hint(target: object) -> str:
    near = difflib.get_close_matches(str(target), all_targets(), n=1)
    return _(" (did you mean {suggestion}?)").format(suggestion=near[0]) if near else ""


def mapping_lines(mapping: ColumnMapping | None) -> list[str]:
    """What was mapped to what, and which columns were left out, as lines; none where all have names of the service."""
    if mapping is None or not (mapping.program or mapping.left_out or any(a != b for a, b in mapping.taken)):
        return []
    headings = defaultdict[str, list[str]](list)
    for source in mapping.sources:
        if source.target:
            target = _("work, mobile or other number by its label") if source.label is not None else source.target
            headings[target].append(source.heading)
    taken = "; ".join(f"{', '.join(several)} → {target}" for target, several in headings.items())
    lines = [_("Columns of {program}: {taken}.").format(program=mapping.program or _("the file"), taken=taken)]
    if any(source.target == "state" for source in mapping.sources):
        lines.append(_("A state is taken only in the USA and in Canada."))
    if mapping.left_out:
        lines.append(_("Left out: {columns}.").format(columns=", ".join(mapping.left_out)))
    return lines
