"""A document of tables and drawings as Markdown or HTML. Its texts are data: nothing in them is markup or a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from svc_tui.language import _, current

#: Characters that mean something in Markdown within a line.
_MARKUP = re.compile(r"([\\`*_\[\]<>#|~&])")
#: Characters that are not drawn, or that change the direction of text.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
#: The head of a page: no program, no picture and no style of another place, whatever a text contains; and its style.
_STYLES = (
    '<!DOCTYPE html>\n<html lang="LANGUAGE">\n<meta charset="utf-8">\n'
    """<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n"""
    "<style>body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:.5em 0 1.5em}th,td{border:1px solid #bbb;padding:.2em .6em;text-align:left;"
    "vertical-align:top}th{background:#eee}pre{background:#f4f4f4;padding:.8em;overflow-x:auto}</style>"
)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document below its heading: a table, a drawing of lines, or a sentence. `level` 2 is a chapter."""

    title: str
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[object]] = ()
    drawing: Sequence[str] = ()
    sentence: str = ""
    level: int = 3


def markdown(title: str, blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of a document in CommonMark with tables."""
    yield f"# {_plain(title)}"
    for block in blocks:
        yield from ("", f"{'#' * block.level} {_plain(block.title)}")
        if sentence := _sentence(block):
            yield from ("", _plain(sentence))
        if block.rows:
            yield from ("", _line(block.columns), _line(["---"] * len(block.columns), raw=True))
            yield from (_line([_text(cell) for cell in row]) for row in block.rows)
        if block.drawing:
            # A fence that is longer than any in the drawing.
            fence = "`" * max(3, *(len(run) + 1 for line in block.drawing for run in re.findall("`+", line) or [""]))
            yield from ("", fence, *(_shown(line) for line in block.drawing), fence)


def html(title: str, blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of a document as one page without programs, which loads nothing."""
    yield _STYLES.replace("LANGUAGE", current())
    yield f"<title>{escape(_shown(title))}</title>\n<body>"
    yield f"<h1>{escape(_shown(title))}</h1>"
    for block in blocks:
        yield f"<h{block.level}>{escape(_shown(block.title))}</h{block.level}>"
        if sentence := _sentence(block):
            yield f"<p>{escape(_shown(sentence))}</p>"
        if block.rows:
            yield f"<table>\n<tr>{''.join(f'<th>{escape(name)}</th>' for name in block.columns)}</tr>"
            for row in block.rows:
                yield f"<tr>{''.join(f'<td>{escape(_shown(_text(cell)))}</td>' for cell in row)}</tr>"
            yield "</table>"
        if block.drawing:
            yield f"<pre>{escape(chr(10).join(map(_shown, block.drawing)))}</pre>"
    yield "</body>\n</html>"


def _sentence(block: Block) -> str:
    """The sentence of a block; that of a table without rows where it has none."""
    return block.sentence or (_("None.") if block.columns and not block.rows else "")


def _line(cells: Sequence[str], *, raw: bool = False) -> str:
    return f"| {' | '.join(cells if raw else [_plain(cell) for cell in cells])} |"


def _plain(text: str) -> str:
    """The text in one line, with its markup escaped."""
    return _MARKUP.sub(r"\\\1", " ".join(_shown(text).split()))


def _shown(text: str) -> str:
    return _HIDDEN.sub("\ufffd", text)


def _text(value: object) -> str:
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)
