"""The PDF of invoices and credit notes: every name in its letters, whole numbers, complete totals (2.12)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from svc_tui.server.documents.fonts import breakable, language_of, printable
from tests.server.invoicing.documents import drawn, invoice, item
from tests.support.pdf import fonts_of, pages_of, placed, text_of
from tests.support.world import PARTNER

Document = dict[str, Any]

GREEK, RUSSIAN = "Ελληνική Εταιρεία Τηλεπικοινωνιών", "Российская телефонная компания «Связь»"
CHINESE, JAPANESE = "华为技术有限公司（深圳）", "日本電信電話株式会社コミュニケーションズ"
ARABIC, POLISH, KOREAN = "شركة النور", "Łódzka Spółka Żółw", "한국전력공사"


def bill(**fields: Any) -> Document:
    return invoice("new", PARTNER, "2026-11-18", **fields)


def test_the_pdf_shows_payer_lines_and_amounts() -> None:
    lines = [
        item(),
        item(chargeName="Usage", chargeAmount=100.0, taxAmount=23.0, quantity=2_000, unitOfMeasure="Minute"),
    ]
    company = {"name": "Harbour", "street": "Rua 1", "postalCode": "4000", "city": "Porto", "currency": "EUR"}
    text = text_of(drawn(bill(invoiceItems=lines, amount=399.75, balance=150.0), company, "Svc Operations\nVAT 123"))
    for part in (
        "Svc Operations", "VAT 123", "INV-new", "2026-11-01", "2026-12-01", "Bill to Distributor", "Rua 1",
        "4000 Porto", "Northwind Telecom: Business", "2026-10-01", "50 User", "2,000 Minute", "225.00", "51.75",
    ):  # fmt: skip
        assert part in text, part
    for total in ("325.00 EUR", "74.75 EUR", "Total 399.75 EUR", "Still to be paid 150.00 EUR"):
        assert total in text, total


def test_a_credit_is_between_the_lines_and_the_total() -> None:
    text = text_of(drawn(bill(amount=256.75, creditBalanceAdjustmentAmount=-20.0), {"currency": "EUR"}))
    assert "Credit -20.00 EUR Total 256.75 EUR" in text
    assert "Credit" not in text_of(drawn(bill(), {}))


def test_a_negative_invoice_is_a_credit_note_whose_amount_is_refunded() -> None:
    lines = [item(quantity=-50, chargeAmount=-225.0, taxAmount=-51.75)]
    text = text_of(drawn(bill(invoiceItems=lines, amount=-276.75, balance=-276.75), {"currency": "EUR"}))
    for part in ("Credit note number INV-new", "Refund to", "Total -276.75 EUR", "To be refunded 276.75 EUR"):
        assert part in text, part
    assert "Invoice" not in text and "paid" not in text
    refunded = text_of(drawn(bill(invoiceItems=lines, amount=-276.75, balance=0), {"currency": "EUR"}))
    assert "To be refunded 0.00 EUR" in refunded
    by_lines = text_of(drawn(bill(invoiceItems=lines, amount=None, balance=None), {"currency": "EUR"}))
    assert "Credit note" in by_lines and "Total -276.75 EUR" in by_lines


def test_an_overpaid_invoice_is_no_credit_note() -> None:
    text = text_of(drawn(bill(balance=-20.0), {"currency": "EUR"}))
    assert "To be refunded 20.00 EUR" in text and "Credit note" not in text
    assert "Total 0.00 EUR" in text_of(drawn(bill(amount=0, balance=0), {"currency": "EUR"}))


def test_the_currency_is_that_of_the_invoice_and_not_of_the_company() -> None:
    text = text_of(drawn(bill(currency="CNY"), {"currency": "EUR"}))
    assert "276.75 CNY" in text and "EUR" not in text


@pytest.mark.parametrize(
    ("name", "font"),
    [
        (GREEK, "NotoSansBold"),
        (RUSSIAN, "NotoSansBold"),
        (POLISH, "NotoSansBold"),
        (CHINESE, "NotoSansCJKJP"),
        (JAPANESE, "NotoSansCJKJP"),
        (KOREAN, "NotoSansCJKJP"),
        (ARABIC, "FiraGOBold"),
        ("חברת החשמל", "FiraGOBold"),
        ("บริษัทไทย", "FiraGOBold"),
        ("Zürich & Søn — “Ltd”", "NotoSansBold"),
    ],
)
def test_a_name_is_written_in_its_own_letters(name: str, font: str) -> None:
    pdf = drawn(bill(accountName=name), {})
    text = text_of(pdf)
    assert "?" not in text and "cannot be printed" not in text
    # Spaces and the order of letters from right to left are those of the drawing.
    assert set(name) - {" "} <= set(text)
    assert fonts_of(pdf) == {"NotoSans", "NotoSansBold"} | {font}
    assert len(pdf) < 60_000, "only the letters that are used"


def test_a_line_from_right_to_left_begins_at_the_right() -> None:
    texts = {each.text.strip(): each for each in placed(drawn(bill(accountName="شركة 2024"), {}))}
    assert texts["شركة"].left > texts["2024"].right


@pytest.mark.parametrize(
    ("text", "country", "language"),
    [
        (JAPANESE, "FRA", "ja"),
        (CHINESE, "FRA", "zh-Hans"),
        ("華為", "TWN", "zh-Hant"),
        ("日本電信電話", "JPN", "ja"),
        ("한국전력 電力", "FRA", "ko"),
        ("Łódź", "JPN", None),
    ],
)
def test_chinese_characters_have_the_form_of_their_language(text: str, country: str, language: str | None) -> None:
    assert language_of(text, country) == language


@pytest.mark.parametrize(
    ("text", "printed", "is_replaced"),
    [
        ("\x1b[31mred\x07", "[31mred", False),
        ("a\u202eb", "a b", False),
        ("a\nb\u2028c", "a b c", False),
        ("1\u202f234,50\u00a0EUR", "1\u202f234,50\u00a0EUR", False),
        ("می\u200cخواهم", "می\u200cخواهم", False),
        ("½ ﬁ 😀", "½ ﬁ ?", True),
        ("\ud800", "", False),
    ],
)
def test_what_no_font_has_is_replaced(text: str, printed: str, *, is_replaced: bool) -> None:
    assert printable(text) == (printed, is_replaced)


def test_a_replaced_letter_is_noted() -> None:
    assert "cannot be printed" in text_of(drawn(bill(accountName="Smile 😀"), {}))
    assert "cannot be printed" not in text_of(drawn(bill(accountName="a\u202eb"), {}))


def test_long_names_and_descriptions_wrap_and_are_complete() -> None:
    words = " ".join(f"Word{number}" for number in range(60))
    chinese = "".join(chr(0x4E00 + number) for number in range(120))
    document = bill(accountName=words, invoiceItems=[item(chargeDescription=words, chargeName=chinese)])
    pdf = drawn(document, {})
    text = text_of(pdf)
    assert text.count(words) == 2
    assert chinese in text.replace(" ", "")
    assert max(each.right for each in placed(pdf)) < 196, "within the margin"
    assert max(each.right for each in placed(pdf) if each.text.startswith("Word")) < 112, "beside the numbers"


def test_numbers_are_not_broken() -> None:
    about = "Fee of 1,234.50\u00a0EUR and more, " * 12
    lines = [item(chargeDescription=about, chargeAmount=-1_234_567_890_123.45, taxAmount=999_999_999_999.99)]
    pieces = [each.text for each in placed(drawn(bill(invoiceItems=lines), {}))]
    joined = "\n".join(pieces)
    assert "-1,234,567,890,123.45" in joined and "999,999,999,999.99" in joined
    assert joined.count("1,234.50 EUR") == 12
    assert breakable("価格1,234.50円（税込）") == "価\u200b格\u200b1,234.50\u200b円\u200b（税\u200b込）"


def test_numbers_of_any_size_stay_beside_each_other() -> None:
    value, amount, quantity = -9_876_543_210_987_654.0, "-9,876,543,210,987,654.00", f"{1e-30:.30f}"
    line = item(quantity=1e-30, chargeAmount=value, taxAmount=value)
    found = [each for each in placed(drawn(bill(invoiceItems=[line]), {})) if 63 < each.top < 66 and each.left > 30]
    assert [each.text for each in found][1:] == [quantity, amount, amount]
    assert all(before.right < after.left for before, after in pairwise(found))


def test_totals_are_never_cut() -> None:
    amount = 1_234_567_890_123.45
    pdf = drawn(bill(amount=amount, balance=amount), {"currency": "EUR"})
    totals = [each for each in placed(pdf) if "1,234,567,890,123.45 EUR" in each.text]
    assert len(totals) == 2 and all(110 < each.right < 196 for each in totals)


def test_forty_lines_continue_on_numbered_pages_with_headings() -> None:
    pdf = drawn(bill(invoiceItems=[item(chargeName=f"Line {n}.", quantity=n) for n in range(40)]), {"currency": "EUR"})
    pages = pages_of(pdf)
    assert len(pages) == 3
    assert all(f"Page {number} of 3" in page for number, page in enumerate(pages, start=1))
    assert all("Service Period Quantity Tax Amount" in page for page in pages)
    assert [n for page in pages for n in range(40) if f"Line {n}. " in page] == list(range(40)), "once, in order"
    assert "Total 276.75 EUR" in pages[-1]
    assert max(each.top for each in placed(pdf) if "Page" not in each.text and "INV" not in each.text) < 273, (
        "no text below"
    )


@pytest.mark.parametrize("lines", range(13, 18))
def test_totals_are_on_one_page(lines: int) -> None:
    *_, last = pages_of(drawn(bill(invoiceItems=[item()] * lines), {"currency": "EUR"}))
    assert all(name in last for name in ("Without tax", "Total", "Still to be paid"))


def test_a_name_of_several_scripts_has_the_letters_of_each() -> None:
    pdf = drawn(bill(accountName=f"Nord {GREEK} {CHINESE} {ARABIC}"), {})
    assert fonts_of(pdf) >= {"NotoSansBold", "NotoSansCJKJP", "FiraGOBold"}
    assert "?" not in text_of(pdf)


def test_a_line_that_is_higher_than_a_page_continues_on_the_next() -> None:
    words = " ".join(f"Word{number}" for number in range(900))
    pages = pages_of(drawn(bill(invoiceItems=[item(), item(chargeDescription=words), item(chargeName="Last")]), {}))
    assert len(pages) > 2
    text = " ".join(pages)
    assert text.index("Word899 ") < text.index("Last") < text.index("Total")
    assert all(text.count(f"Word{number} ") == 1 for number in range(900))


@pytest.mark.parametrize(
    "broken",
    [
        {"invoiceItems": None},
        {"invoiceItems": [{}]},
        {"invoiceDate": "someday", "amount": None, "balance": "much"},
        {"accountName": "W" * 5_000, "invoiceItems": [item(chargeDescription="long " * 400)]},
        {"invoiceItems": [item(chargeDescription="W" * 3_000, unitOfMeasure="W" * 300)]},
        {"invoiceItems": [item(quantity="few", chargeAmount="nothing", serviceStartDate=None)]},
        {"invoiceNumber": "INV/" * 80, "accountNumber": None, "accountName": "", "currency": "W" * 60},
        {"accountName": "\u0301\u200d" * 20 + "ก็" * 40},
    ],
)
def test_an_invoice_with_malformed_values_is_still_a_pdf(broken: Document) -> None:
    assert drawn(bill(**broken), {}, "").startswith(b"%PDF-")
