"""vCard files (2.1, 3.0 and 4.0) as rows in the columns of the service: a card is a row."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import vobject

from svc_tui.interface.directory.csv.columns import CsvColumn, header
from svc_tui.interface.directory.csv.dialects import BYTE_ORDER_MARK
from svc_tui.interface.directory.csv.encodings import (
    error_handler,
    escapes_in,
    name_of,
    undecodable,
    with_signs_for_escapes,
)
from svc_tui.interface.directory.csv.faults import LONGEST_LINE, BadFile, Fault
from svc_tui.interface.directory.csv.mapping import (
    JOINED,
    ColumnMapping,
    Source,
    kind_of_number,
    mapping_of,
    row_of,
    values_of,
)
from svc_tui.interface.directory.csv.reading import CsvRow
from svc_tui.interface.errors import Code
from svc_tui.language import _

PROGRAM = "vCard"
#: Longest card, in lines without those of pictures.
_MOST_LINES = 2000
_BEGIN, _END = re.compile(r"BEGIN\s*:\s*VCARD\s*", re.IGNORECASE), re.compile(r"END\s*:\s*VCARD\s*", re.IGNORECASE)
#: Properties that are not read, among them the long ones.
_NOT_READ = re.compile(r"(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|X-MS-CARDPICTURE)[;:]", re.IGNORECASE)
_QUOTED_PRINTABLE = re.compile(r"quoted-printable", re.IGNORECASE)
#: `_$!<Work>!$_`, as Apple writes labels.
_APPLE_LABEL = re.compile(r"_\$!<(.*)>!\$_")
_TEL_URI = re.compile(r"tel:", re.IGNORECASE)
#: What the library raises for a card that is none; it decodes texts of any character set.
_UNREADABLE = (vobject.base.VObjectError, ValueError, LookupError, AttributeError, TypeError)
#: Numbers of one kind that have a column; the last one has all others.
_NUMBERS = 3


def is_vcard(file: BinaryIO, encoding: str) -> bool:
    """Whether a file is one of vCards. Its position is then anywhere."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, errors=error_handler(encoding), newline="")
    try:
        first = next(
            (line for line in iter(lambda: text.readline(200), "") if line.strip(BYTE_ORDER_MARK + "\r\n ")), ""
        )
        return _BEGIN.fullmatch(first.lstrip(BYTE_ORDER_MARK)) is not None
    except UnicodeError:
        return False
    finally:
        with suppress(ValueError):
            text.detach()


def card_mapping() -> ColumnMapping:
    """What the properties of cards are."""
    numbers = [Source("TEL", "otherPhoneNumber", label=0)] * _NUMBERS
    texts = [
        Source("N", "lastName"),
        Source("N", "firstName"),
        Source("FN", "lastName", 1),
        Source("ORG", "companyName"),
        Source("ORG", "department"),
        Source("TITLE", "jobTitle"),
        Source("EMAIL", "eMail"),
        *(Source("ADR", target) for target in _ADDRESS.values()),
    ]
    return mapping_of([*texts, *numbers, Source(_("all other properties"))], PROGRAM)


_ADDRESS = {"street": "street", "city": "city", "region": "state", "code": "postalCode", "country": "country"}


def card_rows(
    file: BinaryIO, encoding: str, mapping: ColumnMapping, *, synchronizing: bool = False
) -> tuple[tuple[CsvColumn, ...], str, Iterator[CsvRow]]:
    """The columns, no first line, and a row for each card. BadFile where the file cannot be read."""
    if synchronizing:
        header([column.name for column in mapping.columns], 1, synchronizing=True)
    found = _cards(file, encoding)
    return mapping.columns, "", (_row(number, *card, encoding, mapping) for number, card in enumerate(found, 1))


def _cards(file: BinaryIO, encoding: str) -> Iterator[tuple[int, list[str], bool]]:
    """First line, lines and completeness of each card, without pictures."""
    file.seek(0)
    text = io.TextIOWrapper(file, encoding=encoding, errors=error_handler(encoding), newline=None)
    lines: list[str] = []
    first, depth, skips, number = 1, 0, False, 0
    try:
        while line := text.readline(LONGEST_LINE + 1):
            number += 1
            line = line.lstrip(BYTE_ORDER_MARK)
            if skips and line.startswith((" ", "\t")):
                continue
            skips = _NOT_READ.match(line) is not None
            if skips or (not depth and not _BEGIN.fullmatch(line)):
                continue
            if _BEGIN.fullmatch(line):
                first = first if depth else number
                depth += 1
            lines.append(line)
            if len(lines) > _MOST_LINES:
                raise BadFile(Code.BAD_FILE, _("a card has too many lines"), line=first)
            if _END.fullmatch(line):
                depth -= 1
                if not depth:
                    yield first, lines, True
                    lines = []
        if lines:
            yield first, lines, False
    except UnicodeError as error:
        raise undecodable(file, encoding) from error
    finally:
        with suppress(ValueError):
            text.detach()


def _row(number: int, first: int, lines: list[str], complete: bool, encoding: str, mapping: ColumnMapping) -> CsvRow:
    source = "".join(lines)
    faults = []
    for position, byte in escapes_in(source)[:1]:
        message = _("contains the byte 0x{byte:02X}, which is not {encoding} (line {line}, column {column})")
        before = source[:position]
        place = {"line": first + before.count("\n"), "column": position - before.rfind("\n")}
        text = message.format(byte=byte, encoding=name_of(encoding), **place)
        faults.append(Fault("", text, rule=_("invalid character")))
    source = with_signs_for_escapes(source)
    try:
        if not complete:
            raise ValueError(_("it has no end"))
        placed = _placed(_parsed(source))
    except _UNREADABLE as error:
        placed = []
        faults.append(Fault("", _("is no vCard that can be read: {error}").format(error=error), rule=_("vCard")))
    cells = row_of(values_of(placed, [], joins=JOINED), mapping.columns)
    return CsvRow(number, first, source.rstrip("\n"), cells, len(lines), tuple(faults))


def _parsed(source: str) -> Any:
    return vobject.readOne(_QUOTED_PRINTABLE.sub("QUOTED-PRINTABLE", source), allowQP=True)


def _placed(card: Any) -> list[tuple[Source, str]]:
    """The values of a card with their targets."""
    found: list[tuple[str, int, str]] = []
    contents = card.contents
    formatted = _first(contents, "fn")
    name = contents["n"][0].value if "n" in contents else None
    organisation = [str(part) for part in contents["org"][0].value] if "org" in contents else []
    is_company = _first(contents, "x-abshowas").upper() == "COMPANY" or _first(contents, "kind").lower() == "org"
    if is_company:
        organisation = organisation or [formatted]
    else:
        if name is not None:
            found += [("lastName", 0, _text(name.family)), ("firstName", 0, _text(name.given))]
            found.append(("firstName", 0, _text(name.additional)))
        if formatted not in organisation:
            found.append(("lastName", 1, formatted))
    for target, part in zip(("companyName", "department"), organisation, strict=False):
        found.append((target, 0, part))
    found.append(("jobTitle", 0, _first(contents, "title")))
    labels = {each.group: _APPLE_LABEL.sub(r"\1", str(each.value)) for each in contents.get("x-ablabel", ())}
    for place, email in enumerate(_preferred_first(contents.get("email", ()))):
        found.append(("eMail", place, str(email.value)))
    for place, address in enumerate(_by_kind(contents.get("adr", ()))):
        found += [(target, place, _text(getattr(address.value, part))) for part, target in _ADDRESS.items()]
    for telephone in _preferred_first(contents.get("tel", ())):
        label = " ".join([*_types(telephone), labels.get(telephone.group, "")])
        found.append((kind_of_number(label), 0, _TEL_URI.sub("", str(telephone.value)).replace(";ext=", " ext. ")))
    return [(Source("", target, rank), " ".join(value.split())) for target, rank, value in found if value.strip()]


def _first(contents: Any, name: str) -> str:
    return str(contents[name][0].value).strip() if name in contents else ""


def _text(value: Any) -> str:
    """A part of a structured value, which can be a list."""
    return " ".join(str(part) for part in value) if isinstance(value, list | tuple) else str(value)


def _types(line: Any) -> list[str]:
    """The types of a property, of all versions: `TYPE=work,voice`, `TYPE="work,voice"`, `WORK;VOICE`."""
    named = [part for value in line.params.get("TYPE", ()) for part in value.split(",")]
    return [each.strip().lower() for each in (*named, *line.singletonparams)]


def _preferred_first(lines: Any) -> list[Any]:
    return sorted(lines, key=lambda line: not ("pref" in _types(line) or "PREF" in line.params))


def _by_kind(lines: Any) -> list[Any]:
    """Addresses: those of work first, then others."""
    return sorted(lines, key=lambda line: ("work" not in _types(line), "home" not in _types(line)))
