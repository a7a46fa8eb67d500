"""Detection of the encoding of a file: by its byte order mark, its zero bytes, or whether all of it is UTF-8."""

from __future__ import annotations

import codecs
from typing import BinaryIO

from svc_tui.interface.directory.csv.faults import BadFile
from svc_tui.interface.errors import Code
from svc_tui.language import _

UTF8 = "utf-8"
#: UTF-32 before UTF-16: its byte order mark begins with the one of UTF-16.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Names of encodings on screens.
NAMES = {
    "utf-8": "UTF-8",
    "utf-8-sig": _("UTF-8 with a byte order mark"),
    "utf-16": "UTF-16",
    "utf-16-le": _("UTF-16 (little endian, without a byte order mark)"),
    "utf-16-be": _("UTF-16 (big endian, without a byte order mark)"),
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252",
}
_CHUNK = 1 << 20


def encoding_of(file: BinaryIO) -> str:
    """The encoding of a file; Windows-1252 when no other one fits. The position of the file is then its start."""
    file.seek(0)
    start = file.read(4096)
    try:
        for mark, name in _BYTE_ORDER_MARKS:
            if start.startswith(mark):
                return name
        if start and start.count(0) > len(start) // 4:
            # In Latin text every second byte is zero: the first of each pair in big endian, else the second.
            return "utf-16-le" if start[1::2].count(0) >= start[::2].count(0) else "utf-16-be"
        return UTF8 if _is_utf8(file) else "cp1252"
    finally:
        file.seek(0)


def marked_utf8(file: BinaryIO) -> str:
    """UTF-8 with or without a byte order mark. The position of the file is then its start."""
    file.seek(0)
    start = file.read(len(codecs.BOM_UTF8))
    file.seek(0)
    return "utf-8-sig" if start == codecs.BOM_UTF8 else UTF8


def _is_utf8(file: BinaryIO) -> bool:
    file.seek(0)
    decoder = codecs.getincrementaldecoder(UTF8)()
    try:
        while chunk := file.read(_CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


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
                byte=byte, names=NAMES.get(encoding, encoding)
            )
            return BadFile(Code.BAD_FILE, message, line=line, column=column)
        if not chunk:
            return BadFile(
                Code.BAD_FILE,
                _("the file is not valid {names}").format(names=NAMES.get(encoding, encoding)),
                line=line,
                column=column,
            )
