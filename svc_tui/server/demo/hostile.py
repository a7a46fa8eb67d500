"""Hostile texts: escape sequences, markup, text directions, odd widths. All are stored unchanged."""

from __future__ import annotations

_ESC, _BEL, _CSI, _OSC, _ST = "\x1b", "\x07", "\x9b", "\x9d", "\x9c"

COMPANY_NAME = f"{_ESC}]0;owned{_BEL}Storm [bold]& Sons[/x] \u202egnp.exe"
DESCRIPTION = f"First line\nsecond line\r\nthird\ttabbed {_ESC}[2J{_ESC}[H and the screen is gone"

#: Kind of attack -> text. The names are keys of identifiers: do not change them.
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

#: Texts that also occur in lists of the demo company.
AMONG_OTHERS = ("clipboard", "markup-action", "bidi-override")
