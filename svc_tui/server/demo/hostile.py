"""Hostile texts in the records of one demo company: escape sequences, markup, text directions, odd widths.

They replace ordinary texts after all records were written, and are stored unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from svc_tui.server.demo.accounts import NORTHWIND, STORM, account
from svc_tui.server.demo.catalogue import TRADES
from svc_tui.server.demo.repeatable import id_of

if TYPE_CHECKING:
    from svc_tui.server.store.store import Store
    from svc_tui.server.store.tables import Document

_ESC, _BEL, _CSI, _OSC, _ST = "\x1b", "\x07", "\x9b", "\x9d", "\x9c"

_COMPANY_NAME = f"{_ESC}]0;owned{_BEL}Storm [bold]& Sons[/x] \u202egnp.exe"
_DESCRIPTION = f"First line\nsecond line\r\nthird\ttabbed {_ESC}[2J{_ESC}[H and the screen is gone"

#: Kind of attack -> text.
TEXTS: dict[str, str] = {
    "clipboard": f"Clipboard {_ESC}]52;c;cm0gLXJmIH4K{_BEL} thief",
    "clipboard-st": f"Clipboard {_ESC}]52;c;ZXZpbA=={_ESC}\\ with a string terminator",
    "hyperlink": f"{_ESC}]8;;https://evil.example/{_ESC}\\Click me{_ESC}]8;;{_ESC}\\",
    "title": f"{_ESC}]0;You are owned{_BEL}Window title",
    "clear": f"{_ESC}[2J{_ESC}[HCleared screen",
    "colours": f"{_ESC}[31;5mRed and blinking{_ESC}[0m",
    "alternate": f"{_ESC}[?1049hAlternate screen{_ESC}[?1049l",
    "mouse": f"{_ESC}[?1003hMouse reports",
    "cursor-report": f"{_ESC}[6nCursor report",
    "device": f"{_ESC}P$q q{_ESC}\\Device control",
    "c1-csi": f"{_CSI}31mEight bit CSI",
    "c1-osc": f"{_OSC}52;c;ZXZpbA=={_ST}Eight bit OSC",
    "bell": f"Ding{_BEL}{_BEL}{_BEL} dong",
    "backspace": "Paid\b\b\b\bFree",
    "return": "Trustworthy\rEvil",
    "delete": "Dele\x7fted",
    "newlines": "Two\nlines\n\n\nand more",
    "tabs": "Column\tone\ttwo\tthree",
    "line-separators": "Line\u2028separator and paragraph\u2029separator and next\x85line",
    "bidi-override": "Invoice \u202efdp.exe",
    "bidi-isolate": "Isolated \u2067right to left\u2069 left \u2066again",
    "zero-width": "Zero\u200bwidth\u200c join\u200ders\u2060and\ufeffmarks",
    "soft-hyphen": "Soft\u00adhyphen Northwind\u00adTelecom",
    "tag-characters": "Hidden \U000e0048\U000e0069 tags",
    "markup-close": "[/x] closing nothing",
    "markup-action": "[@click=app.quit]Quit the console[/]",
    "markup-open": "[bold red on",
    "markup-link": "[link=https://evil.example]bank[/link]",
    "markup-nested": "[[[]]] [b][/b] [/] [$name] {name} %s \\[",
    "percent": "100% %(name)s %n {0} {} ${HOME} `id` $(id)",
    "formula": '=HYPERLINK("https://evil.example";"Prize")',
    "formula-plus": "+1+cmd|'/c calc'!A0",
    "formula-at": "@SUM(1+1)*cmd|' /C calc'!A0",
    "formula-minus": "-2+3",
    "csv": 'Comma, "quote"; semicolon',
    "wide": "日本電信電話株式会社の会議室予約アプリケーション",
    "wide-edge": "漢" * 60,
    "emoji": "👩‍👩‍👧‍👦 Family 🏳️‍🌈 flags 🇵🇹 thumbs 👍🏽",
    "combining": "Z̷̡̢͇̮a̸͉̼l̴̹̈́g̶̰̏o̷̝͝ text",
    "combining-alone": "\u0301\u0301\u0301 starts with accents",
    "arabic": "تطبيق الفواتير للشركة",
    "hebrew-mixed": "App יישום 123 abc",
    "thai": "แอปพลิเคชันการจอง",
    "homoglyph": "Nοrthwind Теlеcom",
    "long": "Very long name " * 17,
    "long-word": "W" * 255,
    "only-spaces": "   ",
    "only-invisible": "\u200b\u200b\u200b",
    "html": "<script>alert('x')</script>&lt;b&gt;",
    "sql": "Robert'); DROP TABLE applications;--",
    "path": "../../etc/passwd",
    "private-use": "Private \ue000\uf8ff use and \ufffd replaced \ufffe none",
}

#: Texts that also occur in lists of the demo company, and the first of the applications that get them.
_AMONG_OTHERS, _FIRST_AMONG_OTHERS = ("clipboard", "markup-action", "bidi-override"), 57
#: The offers and their texts.
_OF_OFFERS = ("markup-close", "title", "bidi-override", "formula", "newlines", "wide-edge")


@dataclass(frozen=True, slots=True)
class HostileText:
    """Fields that replace those of all records whose field `by` has the value `key`. Objects keep other fields."""

    collection: str
    key: str
    fields: Document
    by: str = "id"


async def replace(store: Store, texts: Iterable[HostileText]) -> None:
    """Write these texts to the stored records."""
    from svc_tui.server.store.conditions import Is

    for text in texts:
        records = getattr(store, text.collection)
        for document in (await records.find(Is(text.by, text.key))).documents:
            await records.put(
                {**document, **{wire: _merged(document.get(wire), it) for wire, it in text.fields.items()}}
            )


def _merged(before: object, after: object) -> object:
    return {**before, **after} if isinstance(before, dict) and isinstance(after, dict) else after


def texts() -> Iterator[HostileText]:
    """The hostile texts of all records that belong to no area with demo data of its own."""
    company, tester = id_of("company", STORM), account("hostile")
    yield HostileText("companies", company, _company())
    yield HostileText("users", company, {"companyName": _COMPANY_NAME}, by="companyId")
    fields = {"nickName": TEXTS["title"], "title": TEXTS["markup-close"], "userInfo1": TEXTS["newlines"]}
    yield HostileText("users", tester.id, fields)
    yield HostileText("mfa_settings", id_of("mfa", STORM), {"mfaName": TEXTS["markup-action"]}, by="mfaId")
    yield HostileText("templates", id_of("template", "roofers"), {"name": TEXTS["markup-action"]})
    yield HostileText("templates", id_of("template", "workshop"), {"name": TEXTS["bidi-override"]})
    yield HostileText("catalogs", id_of("catalog", "trades"), {"name": TEXTS["markup-open"]})
    for (key, _), text in zip(TRADES, _OF_OFFERS, strict=True):
        yield HostileText("offers", id_of("offer", key), {"name": TEXTS[text]})
    for key, text, fields in (
        ("workshop", "markup-close", {"businessAdminComment": TEXTS["title"]}),
        ("night", "newlines", {"purchaseOrderNumber": TEXTS["markup-action"]}),
    ):
        names = {"offerName": TEXTS[text], "profileName": TEXTS[text]}
        yield HostileText("subscriptions", id_of("company subscription", f"{STORM}/{key}"), {**names, **fields})
    for index, text in enumerate(TEXTS.values()):
        key = f"{STORM}/{index}"
        names = {"firstName": "", "lastName": text, "displayName": text, "jobTitle": text}
        yield HostileText("users", id_of("user", key), names)
        yield HostileText("sites", id_of("site", f"{STORM}-{index}"), {"name": text[:255]})
        yield HostileText("api_keys", id_of("api key", f"{tester.name}/{index}"), {"description": text})
        yield HostileText("applications", id_of("application", key), _application(key, text))
    for index, key in enumerate(_AMONG_OTHERS, _FIRST_AMONG_OTHERS):
        yield HostileText("applications", id_of("application", f"{NORTHWIND}/{index}"), {"name": TEXTS[key]})


def _company() -> Document:
    return {
        "name": _COMPANY_NAME,
        "description": _DESCRIPTION,
        "slogan": TEXTS["markup-action"],
        "city": TEXTS["title"],
        "street": TEXTS["newlines"],
        "website": "https://evil.example/\u202egro.elpmaxe",
        "superadminComment": TEXTS["markup-close"],
        "customData": {"[@click=app.quit]key": TEXTS["title"], "\u202eyek": TEXTS["newlines"]},
        "externalReference": TEXTS["title"],
    }


def _application(key: str, text: str) -> Document:
    return {
        "name": text[:255],
        "description": text,
        "origin": text[:255],
        "deployReason": text[:255],
        "oauthRedirectUris": ["https://evil.example/\u202egro.elpmaxe"],
        "subscriptions": [{"id": id_of("application subscription", key), "offerName": text, "status": "active"}],
        "subscriptionStatus": ["active"],
    }
