"""Text of files and of standard input: UTF-8, with or without the byte order mark that editors put before it."""

from __future__ import annotations

from svc_tui.language import _

#: UTF-32 before UTF-16: its byte order mark begins with the one of UTF-16.
_OTHER_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_MARK = "\ufeff"


class NotUtf8(ValueError):
    """Bytes that are not UTF-8 text. The text names what they are, `line` the place: 0 for all of them."""

    def __init__(self, found: str, line: int = 0) -> None:
        super().__init__(found)
        self.line = line


def text_of(content: bytes) -> str:
    """The text of bytes in UTF-8, without a byte order mark. NotUtf8 for UTF-16, UTF-32 and all others."""
    other = next((name for mark, name in _OTHER_MARKS if content.startswith(mark)), "")
    zeros = content[:256].count(0) / max(len(content[:256]), 1)
    if not other and zeros > 0.2:
        # Without a mark: every second byte of Latin text is zero, or three of four.
        other = "UTF-16" if zeros < 0.6 else "UTF-32"
    if other:
        raise NotUtf8(_("{encoding} text. Save it as UTF-8").format(encoding=other))
    try:
        return content.decode("utf-8").removeprefix(_MARK)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise NotUtf8(_("not UTF-8 text"), line) from None
