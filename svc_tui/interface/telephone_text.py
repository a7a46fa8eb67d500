"""The text of a telephone number, without a country: what users and programs write around its digits.

`cleaned` brings a text into one form. The other functions find what is no part of a number, or more than one.
"""

from __future__ import annotations

import re
import unicodedata

#: Joining signs, fillers and blank patterns that look like a space, though Unicode has them elsewhere.
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
#: Dashes that are no punctuation in Unicode, and other signs between groups of digits.
_DASHES = "\u2212\u30fc\uff70\u00b7\u2022_\u2053\u223c\uff5e"
_VARIATION_SELECTORS = re.compile("[\u034f\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")

#: `="0301234567"`, as programs write texts that a spreadsheet must not take for numbers.
_FORMULA = re.compile(r'=\s*"(.*)"', re.S)
_SCHEME = re.compile(r"tel:/{0,2}", re.I)
#: The apostrophe before a text of a spreadsheet, and quotes around it.
_QUOTES = re.compile(r"""(["'‘’`“”„])(.*?)["'‘’`“”„]?""", re.S)
_DECIMAL = re.compile(r"(\+?[0-9]{5,})[.,]0")

_SCIENTIFIC = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?\s*(?:e|[x×*]\s*10\s*\^?)\s*[+-]?[0-9]+", re.I)
_DAY, _MONTH, _YEAR = "(?:0?[1-9]|[12][0-9]|3[01])", "(?:0?[1-9]|1[0-2])", "(?:19|20)[0-9]{2}"
_POINT, _ANY_POINT = r"(?P<{}>\s*[-./]\s*|\s+)", r"(?P<{}>\s*[-./]\s*)"
_DATE = re.compile(
    rf"(?:{_YEAR}{_POINT.format('a')}{_MONTH}(?P=a){_DAY}"
    rf"|(?:{_DAY}{_POINT.format('b')}{_MONTH}|{_MONTH}{_POINT.format('c')}{_DAY})(?:(?P=b)|(?P=c)){_YEAR}"
    rf"|(?:{_DAY}{_ANY_POINT.format('d')}{_MONTH}|{_MONTH}{_ANY_POINT.format('e')}{_DAY})(?:(?P=d)|(?P=e))[0-9]{{2}}"
    rf"|{_MONTH}[-./]{_YEAR})"
    r"\.?(?:[T\s]\s*[0-9]{1,2}(?::[0-9]{2}){1,2}(?:\.[0-9]+)?\s*(?:[AP]M)?\s*(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?",
    re.I,
)
#: Words for an extension in the languages of the console and its neighbours.
_EXTENSION_WORDS = (
    "extension|extensión|extensao|extensão|ext|extn|xtn|poste|post|durchwahl|dw|nebenstelle|nst|app|apparat|klappe|kl|"
    "interno|int|interne|internal|anexo|ramal|toestel|tst|anknytning|ankn|lokal|lok|linka|kl|wew|wewn|mellék|доб|внутр|"
    "pin|p|w|x"
)
_EXTENSION = re.compile(
    rf"[\s(,;-]*(?:;\s*(?:ext|isub|postd)\s*=\s*[0-9-]*[^0-9]*"
    rf"|(?:(?:\b|(?<=[0-9]))(?:{_EXTENSION_WORDS})[\s.:=]*|#\s*|,[\s,]*|;;+\s*)[0-9]{{1,7}}\s*\)?)$",
    re.I,
)
#: Words between two numbers: `or` and `and`.
_BETWEEN_WORDS = (
    r"or|oder|bzw\.?|resp\.?|ou|o|ó|of|eller|oppure|lub|albo|vagy|nebo|sau|veya|или|and|und|et|y|e|en|og|och|ja|i|и"
)
#: Signs that only ever stand between numbers, and those that also stand inside one.
_HARD = re.compile(rf"\s*(?::::|[;,|&])\s*|\s+(?:{_BETWEEN_WORDS})\s+|(?<=[0-9)])\s+(?=\(?\+)", re.I)
_SOFT = re.compile(r"(\s*[/\n]\s*)")

_DIGITS = re.compile(r"[+(]*[0-9](?:[\s()\[\]./~\-]*[0-9])*")
_WORD = re.compile(r"[^\W\d_]+")
_SEPARATORS = re.compile(r"[\s()\[\]./~\-]+")
_NUMBER = re.compile(r"\+*[0-9]+")
_PLAIN = re.compile(r"\+?[0-9]+(?: [0-9]+)*")
_UNKNOWN = re.compile(r"[^0-9+\s()\[\]./~\-]")
_ZERO = re.compile(r"[(\[]\s*0\s*[)\]]")
_LAST_PART = re.compile(r"(?:(\+?[0-9]{5,})[.,]00+|(.*[0-9].*?)\s*[(\[]\s*[0-9][0-9\s]*[)\]])")


def without_unseen(text: str) -> str:
    """The text without the signs that are not seen: those of format (category Cf) and variation selectors."""
    if text.isascii():
        return text
    return "".join(sign for sign in text if unicodedata.category(sign) != "Cf" and not _VARIATION_SELECTORS.match(sign))


def _plain(sign: str) -> str:
    """A sign in its plain form. Superscripts and numbers in circles stay: they are no digits of a number."""
    category = unicodedata.category(sign)
    if category == "Nd":
        return str(unicodedata.decimal(sign))
    if sign in _BLANK or category in ("Zs", "Zl", "Zp"):
        return " "
    if sign in _DASHES or category == "Pd":
        return "-"
    return sign if category == "No" else unicodedata.normalize("NFKC", sign)


def cleaned(text: str) -> str:
    """The text in one form: visible signs, plain digits and spaces; without the marks of spreadsheets and `tel:`."""
    if not text.isascii():
        plain = "".join(map(_plain, without_unseen(text)))
        text = "".join(map(_plain, plain)) if not plain.isascii() else plain
    text = text.strip()
    if (found := _FORMULA.fullmatch(text)) is not None:
        text = found[1].replace('""', '"').strip()
    if (found := _QUOTES.fullmatch(text)) is not None:
        text = found[2].strip()
    if (found := _SCHEME.match(text)) is not None:
        text = text[found.end() :].strip()
    decimal = _DECIMAL.fullmatch(text)
    return decimal[1] if decimal else text


def is_plain(text: str) -> bool:
    """Whether a text is only digits, with single spaces that do not make a date of it: there is nothing to clean."""
    return _PLAIN.fullmatch(text) is not None and text.count(" ") != 2


def is_scientific(text: str) -> bool:
    """Whether a cleaned text is a rounded number, as spreadsheets write long ones."""
    return _SCIENTIFIC.fullmatch(text) is not None


def is_date(text: str) -> bool:
    """Whether a cleaned text has the shape of a date, with or without a time."""
    return _DATE.fullmatch(text) is not None


def without_extension(text: str) -> str | None:
    """The text before the extension of a cleaned text; None without an extension."""
    found = _EXTENSION.search(text)
    return text[: found.start()] if found and any(sign.isdigit() for sign in text[: found.start()]) else None


def words_in(text: str) -> list[str]:
    """The words of a cleaned text."""
    return [word for word in _WORD.findall(text) if any(sign.isalpha() for sign in word)]


def without_words(text: str) -> str:
    """The number of a cleaned text whose words are beside it; empty when a word touches it, or there is more."""
    found = _DIGITS.search(text)
    if found is None:
        return ""
    before, after = text[: found.start()], text[found.end() :]
    apart = not before[-1:].isalpha() and not after[:1].isalpha()
    return found[0] if apart and not any(sign.isdigit() for sign in before + after) else ""


def unknown_signs(text: str) -> list[str]:
    """The signs of a cleaned text that are neither digits nor separators."""
    return list(dict.fromkeys(_UNKNOWN.findall(text)))


def digits_of(text: str) -> str:
    """The digits of a cleaned text, with a plus sign before them if it has one; empty for any other text."""
    digits = _SEPARATORS.sub("", text)
    return "+" * digits.startswith("+") + digits.lstrip("+") if _NUMBER.fullmatch(digits) else ""


def groups_of(text: str) -> list[str]:
    """The groups of digits of a text."""
    return re.findall("[0-9]+", text)


def zero_left_out(text: str) -> tuple[str, ...]:
    """A cleaned text as it is; if it has a `(0)`: without that zero, and with it."""
    return (text,) if _ZERO.search(text) is None else (_ZERO.sub(" ", text), _ZERO.sub(" 0 ", text))


def without_last_part(text: str) -> str:
    """The text before digits in brackets, or before decimals of zero, at its end; empty without them."""
    found = _LAST_PART.fullmatch(text)
    return found[1] or found[2] if found else ""


def certain_parts(text: str) -> list[str]:
    """The parts between signs and words that only stand between numbers."""
    return [part for part in _HARD.split(text) if part]


def possible_parts(text: str) -> list[str]:
    """The parts between signs that can also stand inside a number, and these signs, in turn."""
    return _SOFT.split(text)
