"""The encoding of a file: by its byte order mark, its zero bytes, or what its bytes can be. None is guessed.

UTF-8 with a few foreign bytes stays UTF-8: they are read as lone surrogates (PEP 383), so that rows know them.
Windows-1252 is assumed only where nothing speaks against it. For any other file the user decides.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import BinaryIO

from svc_tui.interface.directory.csv.faults import BadFile, NoText
from svc_tui.interface.errors import Code
from svc_tui.language import _

UTF8, WINDOWS = "utf-8", "cp1252"
#: UTF-32 before UTF-16: its byte order mark begins with the one of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: How workbooks begin: those of Excel (.xlsx), LibreOffice and Numbers, which are archives, and the older .xls.
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
#: Names of encodings on screens.
NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": _("UTF-8 with a byte order mark"),
    "utf-16": "UTF-16",
    "utf-16-le": _("UTF-16 (little endian, without a byte order mark)"),
    "utf-16-be": _("UTF-16 (big endian, without a byte order mark)"),
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252",
    "mac_roman": "Mac OS Roman",
    "cp850": _("DOS, Western Europe"),
    "cp437": _("DOS, USA"),
    "cp1250": _("Windows, Central Europe"),
    "cp1251": _("Windows, Cyrillic"),
    "cp1253": _("Windows, Greek"),
    "cp1254": _("Windows, Turkish"),
    "cp1255": _("Windows, Hebrew"),
    "cp1256": _("Windows, Arabic"),
    "cp1257": _("Windows, Baltic"),
    "iso8859_2": _("ISO 8859-2, Central Europe"),
    "koi8_r": _("KOI8-R, Russian"),
    "mac_latin2": _("Mac OS, Central Europe"),
    "cp852": _("DOS, Central Europe"),
    "cp866": _("DOS, Cyrillic"),
    "shift_jis": _("Shift JIS, Japanese"),
    "gb18030": _("GB 18030, Chinese"),
    "big5": _("Big5, Chinese"),
    "euc_kr": _("EUC-KR, Korean"),
}
#: The encodings that are proposed for a file, the more usual first.
_PROPOSED = tuple(name for name in NAMES if not name.startswith("utf") and name != WINDOWS)
_MOST_PROPOSED, _LONGEST_SHOWN = 5, 100
_CHUNK = 1 << 20
#: The first lines with foreign bytes decide what is proposed.
_SAMPLE = 1 << 16
#: How bytes that are invalid in an encoding are read: those beyond ASCII, one by one.
ESCAPED = "surrogateescape"
_WORD = re.compile(r"[^\W\d_]+")
_ESCAPES = re.compile("[\udc80-\udcff]")
#: Codecs of Python that are no encodings of files.
_NO_ENCODINGS = frozenset({"idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape", "utf_7"})


def _high_signs() -> dict[str, list[str]]:
    """The signs of Windows-1252 beyond ASCII: lower-case letters, all letters, and the others."""
    signs = [bytes([byte]).decode(WINDOWS, "ignore") for byte in range(128, 256)]
    lower = [sign for sign in signs if sign.islower()]
    letters = [sign for sign in signs if unicodedata.category(sign or " ") in ("Lu", "Ll")]
    return {"lower": lower, "letters": letters, "others": [sign for sign in signs if sign and sign not in lower]}


_HIGH = {name: "".join(re.escape(sign) for sign in signs) for name, signs in _high_signs().items()}
_LETTER = f"[A-Za-z{_HIGH['letters']}]"
#: What no text in Windows-1252 has: a capital or a symbol beyond ASCII behind a lower-case letter, or a symbol between
#: letters. Except those in whose place no other encoding has a letter: `d’Angelo`, `n° 5`, `Marcel·lí`.
_NOT_WINDOWS = re.compile(
    rf"[a-z{_HIGH['lower']}](?!’[A-Z{_HIGH['letters']}])(?![ºª°](?!{_LETTER}))(?!(?<=l)·l)[{_HIGH['others']}]"
    rf"|{_LETTER}(?!’|·)(?!{_LETTER})[{_HIGH['others']}]{_LETTER}"
)
#: A word without any letter of ASCII, as texts of another alphabet have it, and a word with both.
_FOREIGN_WORD = re.compile(rf"(?<!{_LETTER})[{_HIGH['letters']}]{{2,}}(?!{_LETTER})")
_ACCENTED_WORD = re.compile(rf"[A-Za-z]+[{_HIGH['letters']}]|[{_HIGH['letters']}]+[A-Za-z]")


class UnknownEncoding(BadFile):
    """A file whose encoding the user has to choose. `readings`: likely encodings, and how each reads one line."""

    def __init__(self, sentence: str, readings: tuple[tuple[str, str], ...], *, line: int, column: int) -> None:
        super().__init__(Code.BAD_FILE, sentence, line=line, column=column)
        self.readings = readings


def check_text(file: BinaryIO) -> None:
    """NoText for a workbook. The position of the file is then its start."""
    file.seek(0)
    start = file.read(max(map(len, _WORKBOOKS)))
    file.seek(0)
    if start.startswith(_WORKBOOKS):
        raise NoText


def encoding_of(file: BinaryIO) -> str:
    """The encoding of a file, whose position is then its start. NoText, UnknownEncoding when it has to be chosen."""
    check_text(file)
    start = file.read(4096)
    try:
        for mark, name in _BYTE_ORDER_MARKS:
            if start.startswith(mark):
                return name
        if start and start.count(0) > len(start) // 4:
            # In Latin text every second byte is zero: the first of each pair in big endian, else the second.
            return "utf-16-le" if start[1::2].count(0) >= start[::2].count(0) else "utf-16-be"
        valid, invalid = _utf8_signs(file)
        if not invalid or valid >= invalid:
            return UTF8
        if _is_windows(file):
            return WINDOWS
        raise _unknown(file)
    finally:
        file.seek(0)


def chosen_encoding(name: str) -> str:
    """The encoding with this name, as Python calls it. ValueError, with a sentence, when there is none for files."""
    try:
        found = codecs.lookup(name)
        known = found._is_text_encoding and found.name.replace("-", "_") not in _NO_ENCODINGS
    except (LookupError, ValueError):
        known = False
    if not known:
        raise ValueError(
            _("{name} is not the name of an encoding, such as utf-8, cp1252 or mac_roman").format(name=name)
        )
    return found.name


def name_of(encoding: str) -> str:
    """The name of an encoding on screens."""
    return NAMES.get(encoding) or NAMES.get(encoding.replace("-", "_"), encoding)


def escapes_in(text: str) -> list[tuple[int, int]]:
    """Position and byte of each byte in a text that its encoding does not have."""
    return [(found.start(), ord(found[0]) - 0xDC00) for found in _ESCAPES.finditer(text)]


def with_signs_for_escapes(text: str) -> str:
    """The text with the sign of unknown characters in place of foreign bytes."""
    return _ESCAPES.sub("\N{REPLACEMENT CHARACTER}", text)


def error_handler(encoding: str) -> str:
    """How invalid bytes of this encoding are read: escaped, except where they shift all that follows."""
    return "strict" if encoding.replace("-", "_").startswith(("utf_16", "utf_32")) else ESCAPED


def marked_utf8(file: BinaryIO) -> str:
    """UTF-8 with or without a byte order mark. The position of the file is then its start."""
    file.seek(0)
    start = file.read(len(codecs.BOM_UTF8))
    file.seek(0)
    return "utf-8-sig" if start == codecs.BOM_UTF8 else UTF8


def _utf8_signs(file: BinaryIO) -> tuple[int, int]:
    """The numbers of characters beyond ASCII that are valid UTF-8, and of bytes that are not."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder(UTF8)(ESCAPED)
    valid = invalid = 0
    while True:
        chunk = file.read(_CHUNK)
        text = decoder.decode(chunk, final=not chunk)
        if not text.isascii():
            foreign = len(_ESCAPES.findall(text))
            invalid += foreign
            valid += sum(sign > "\x7f" for sign in text) - foreign
        if not chunk:
            return valid, invalid


def _is_windows(file: BinaryIO) -> bool:
    """Whether nothing speaks against Windows-1252."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder(WINDOWS)()
    foreign = accented = 0
    before = ""
    try:
        while chunk := file.read(_CHUNK):
            text = before + decoder.decode(chunk)
            if _NOT_WINDOWS.search(text):
                return False
            foreign += len(_FOREIGN_WORD.findall(text))
            accented += len(_ACCENTED_WORD.findall(text))
            before = text[-2:]
    except UnicodeDecodeError:
        return False
    return foreign <= accented


# --- proposals -------------------------------------------------------------------------------------------------


def _unknown(file: BinaryIO) -> UnknownEncoding:
    """The error of a file whose encoding has to be chosen: its first foreign byte, and how encodings read that line."""
    line, column, byte, sample = _foreign_lines(file)
    scored = [(_implausible(sample, name), place, name) for place, name in enumerate(_PROPOSED)]
    fewest = min(score for score, _, _ in scored)
    likely = [name for score, _, name in sorted(scored) if score == fewest][:_MOST_PROPOSED]
    first = sample.split(b"\n", 1)[0].strip()
    readings = tuple((name, _shown(first.decode(name, "replace"))) for name in likely)
    sentence = _("the byte 0x{byte:02X} is neither UTF-8 nor Windows-1252, so the encoding of the file must be chosen")
    return UnknownEncoding(sentence.format(byte=byte), readings, line=line, column=column)


def _shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:_LONGEST_SHOWN])


def _foreign_lines(file: BinaryIO) -> tuple[int, int, int, bytes]:
    """Line, column and value of the first byte beyond ASCII, and a sample of lines with such bytes."""
    file.seek(0)
    found, line, first = b"", 0, (1, 1, 0)
    before = b""
    while len(found) < _SAMPLE:
        chunk = file.read(_CHUNK)
        *whole, before = re.sub(rb"\r\n?", b"\n", before + chunk).split(b"\n")
        for text in whole if chunk else [*whole, before]:
            line += 1
            if not text.isascii() and len(found) < _SAMPLE:
                if not found:
                    column = next(place for place, byte in enumerate(text) if byte > 127)
                    first = (line, column + 1, text[column])
                found += text[:1000] + b"\n"
        if not chunk:
            break
    return *first, found


def _implausible(sample: bytes, encoding: str) -> int:
    """How many places of a text no language has, if these bytes are in this encoding."""
    try:
        text = f" {sample.decode(encoding)} "
    except UnicodeDecodeError:
        return len(sample)
    foreign = sum(len(word) > 2 and _is_foreign_latin(word) for word in _WORD.findall(text))
    return foreign + sum(_is_implausible(*signs) for signs in zip(text, text[1:], text[2:], strict=False))


def _is_foreign_latin(word: str) -> bool:
    """Whether a word consists of Latin letters none of which is one of ASCII."""
    return all(not sign.isascii() and _script(sign) == "LATIN" for sign in word)


def _is_implausible(before: str, sign: str, behind: str) -> bool:
    if sign.isascii():
        return False
    if not sign.isalpha():
        return unicodedata.category(sign)[0] == "C" or before.isalpha() or behind.isalpha()
    if any(other.isalpha() and _script(other) != _script(sign) for other in (before, behind)):
        return True
    return sign.isupper() and (before.islower() or (before.isalpha() and behind.islower()))


def _script(letter: str) -> str:
    """The script of a letter; Chinese characters are one with both scripts of Japan."""
    name = unicodedata.name(letter, "").split(maxsplit=1)[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA") else name


def undecodable(file: BinaryIO, encoding: str) -> BadFile:
    """The first bytes that are invalid in this encoding, as an error with their line and column."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder(encoding)()
    line, column = 1, 1
    while True:
        chunk = file.read(_CHUNK)
        try:
            text, failed = decoder.decode(chunk, final=not chunk), None
        except UnicodeDecodeError as error:
            # The object of the error begins with the rest of the previous chunk; it is valid up to `start`.
            text, failed = error.object[: error.start].decode(encoding.removesuffix("-sig"), "replace"), error
        lines = text.count("\n")
        line += lines
        column = len(text) - text.rfind("\n") if lines else column + len(text)
        if failed is not None:
            byte = failed.object[failed.start]
            message = _("the byte 0x{byte:02X} is not valid {names}: save the file as UTF-8").format(
                byte=byte, names=name_of(encoding)
            )
            return BadFile(Code.BAD_FILE, message, line=line, column=column)
        if not chunk:
            return BadFile(
                Code.BAD_FILE,
                _("the file is not valid {names}").format(names=name_of(encoding)),
                line=line,
                column=column,
            )
