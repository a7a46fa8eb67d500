"""Texts of a PDF, with their places on the page."""

from __future__ import annotations

from dataclasses import dataclass

import pypdfium2 as pdfium

#: Points in a millimetre.
MILLIMETRE = 72 / 25.4


@dataclass(frozen=True, slots=True)
class Placed:
    """A text with its place: from the left and upper edge of its page, in millimetres. Pages count from 1."""

    page: int
    text: str
    left: float
    right: float
    top: float


def text_of(pdf: bytes) -> str:
    """The text of all pages, with a space in place of each line break."""
    return " ".join(" ".join(_page_texts(pdf)).split())


def pages_of(pdf: bytes) -> list[str]:
    """The text of each page."""
    return [" ".join(text.split()) for text in _page_texts(pdf)]


def _page_texts(pdf: bytes) -> list[str]:
    document = pdfium.PdfDocument(pdf)
    return [page.get_textpage().get_text_bounded() for page in document]


def placed(pdf: bytes) -> list[Placed]:
    """The texts in the order in which they are drawn: each in one line, without gaps wider than a space."""
    found: list[Placed] = []
    for number, page in enumerate(pdfium.PdfDocument(pdf), start=1):
        texts, height = page.get_textpage(), page.get_height()
        last = None
        for at in range(texts.count_chars()):
            left, bottom, right, top = texts.get_charbox(at, loose=True)
            character = texts.get_text_range(at, 1)
            if right <= left or not character.strip("\r\n"):
                continue
            continues = last and abs(last[1] - bottom) < 1 and left - last[2] < 3 and last[0] - right < 3
            edges = (left / MILLIMETRE, right / MILLIMETRE, (height - top) / MILLIMETRE)
            if continues:
                before = found.pop()
                edges = (min(before.left, edges[0]), max(before.right, edges[1]), before.top)
                character = before.text + character
            found.append(Placed(number, character, *edges))
            last = left, bottom, right
    return found


def fonts_of(pdf: bytes) -> set[str]:
    """The names of the embedded fonts, without the mark of a subset."""
    found = set()
    for page in pdfium.PdfDocument(pdf):
        for each in page.get_objects(filter=[pdfium.raw.FPDF_PAGEOBJ_TEXT]):
            font = each.get_font()
            assert font.is_embedded
            found.add(font.get_base_name().rpartition("+")[2])
    return found
