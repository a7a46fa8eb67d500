"""The page of a console in a browser, in the language of this process."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from string import Template

from svc_tui import language
from svc_tui.language import _

_TEMPLATE = Path(__file__).with_name("page.html")
_PARTS = {
    "console": _("Console"),
    "hide": _("Hide"),
    "copy": _("Copy"),
    "copyByHand": _("The browser did not allow copying. Copy the selected text with the keys of the browser."),
    "copyText": _("Text to copy"),
    "close": _("Close"),
}
#: What `static/page.js` says; it reads them from the page.
_TEXTS = {
    "replaced": _("The previous console has ended. This is a new one."),
    "ended": _("The console has ended."),
    "openNew": _("Open a new one"),
    "takenOver": _("This console is open in another tab."),
    "useHere": _("Use it here"),
    "tooMany": _("Too many consoles are open. Close a tab."),
    "tryAgain": _("Try again"),
    "reconnecting": _("Connection lost. Reconnecting…"),
    "lost": _("Connection lost. Run svc-tui web again and open its address."),
    "saved": _("Saved. F6 leads to the download."),
    "download": _("Download {name}"),
    "copied": _("Copied to the clipboard."),
}
ADMITTED = (
    f'<!doctype html><html lang="{language.current()}"><meta http-equiv="refresh" content="0; url=/">'
    "<title>svc-tui</title>"
)
NOT_ADMITTED = _(
    "This browser has no access, or the address was already used. It works once. "
    "Run `svc-tui web` again for a new address."
)
FILE_MISSING = _("This file is no longer there.")


def page() -> str:
    """The HTML of the page."""
    values = {"language": language.current(), "texts": json.dumps(_TEXTS, ensure_ascii=False), **_PARTS}
    template = Template(_TEMPLATE.read_text(encoding="utf-8"))
    return template.substitute({name: escape(value) for name, value in values.items()})
