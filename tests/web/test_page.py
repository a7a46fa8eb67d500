"""The files of the page: scripts of others are unchanged, and nothing comes from another machine."""

from __future__ import annotations

import hashlib
import html
import json
import re
from pathlib import Path

import pytest

import svc_tui.web
from svc_tui.web import page as texts
from svc_tui.web.application import size_in
from svc_tui.web.console_process import Size

STATIC = Path(svc_tui.web.__file__).parent / "static"
#: SHA-256 of the files in the npm packages that `LICENSE` beside them names.
PUBLISHED = {
    "addon-fit.mjs": "2d87e1bddc73be9111de8beee5370c3bb7aac9c94e18e6f245f02ca741ef1769",
    "addon-unicode11.mjs": "37bb2d573c615661c875398be2a3497e02bd21d7202a5d1159f6ab70a8cfc2f2",
    "xterm.css": "854a7c0fb70e8b1a083c16797ab827299fb18744f5ad34f227b48337e33293c6",
    "xterm.mjs": "b336ec65a086c056d4804b3d4c2347da5663d3f23c3f25be866467bd8857ad59",
}


def test_the_files_of_xterm_are_those_that_its_authors_published() -> None:
    folder = STATIC / "xterm"
    assert {path.name for path in folder.iterdir()} == {*PUBLISHED, "LICENSE"}
    for name, digest in PUBLISHED.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
    assert "granted, free of charge" in (folder / "LICENSE").read_text()


def test_the_page_asks_no_other_machine_and_has_no_script_of_its_own() -> None:
    for path in STATIC.glob("page.*"):
        assert not re.search(r"https?://", path.read_text()), path.name
    page = texts.page()
    assert re.findall(r"<script[^>]*>([^<]*)", page) == [""]
    assert not re.search(r"\bon\w+=|style=", page)


def test_the_page_contains_each_text_that_its_script_shows() -> None:
    shown = set(re.findall(r"TEXTS\.(\w+)", (STATIC / "page.js").read_text()))
    found = re.search(r'data-texts="([^"]*)"', texts.page())
    assert found is not None
    assert set(json.loads(html.unescape(found[1]))) == shown


@pytest.mark.parametrize(
    "message",
    ["1e999", "-1e999", "NaN", '"x"', "null", "[]", "{}", "9" * 5000, ""],
)
def test_a_size_that_no_terminal_has_is_ignored(message: str) -> None:
    assert size_in(f'{{"columns": {message}, "rows": 24}}') is None
    assert size_in(f'{{"rows": {message}, "columns": 80}}') is None
    assert size_in(message) is None


def test_a_size_is_read_as_the_page_sends_it() -> None:
    assert size_in('{"columns": 80, "rows": 24}') == Size(80, 24)
