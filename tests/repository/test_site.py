"""The documents as a site: every document has a page, every link leads somewhere, and the drawing is current."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs.making import drawing, site
from tests.repository.files import ROOT, tracked


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site."""
    folder = tmp_path_factory.mktemp("site")
    site.build(folder)
    return folder


def test_every_document_has_a_place_in_the_site() -> None:
    documents = {
        str(path.relative_to(ROOT)) for path in tracked() if path.suffix == ".md" and "tests" not in path.parts
    }
    assert documents == set(site.PAGES)
    assert len(site.PAGES) == len(set(site.PAGES))


def test_every_link_and_picture_of_the_site_exists(built: Path) -> None:
    pages = {page.resolve(): page.read_text(encoding="utf-8") for page in built.rglob("*.html")}
    assert len(pages) == len(site.PAGES)
    for page, text in pages.items():
        for link in set(re.findall(r'(?:href|src)="([^"]*)"', text)):
            assert "://" not in link
            path, _, anchor = unquote(link).partition("#")
            file = (page.parent / path).resolve() if path else page
            assert file.is_file(), f"{page.name}: {link}"
            assert not anchor or f'id="{anchor}"' in pages[file], f"{page.name}: {link}"


def test_pages_run_nothing_and_ask_no_other_machine(built: Path) -> None:
    for page in built.rglob("*.html"):
        assert not re.search(r"<script|@import|url\(", page.read_text(encoding="utf-8"))


def test_a_link_to_something_else_is_an_error() -> None:
    with pytest.raises(site.BrokenLink, match="not part of the site"):
        site.target_of("README.md", "svc_tui/__init__.py")


def test_the_drawing_of_the_packages_is_current() -> None:
    found = drawing.TARGET.read_text(encoding="utf-8")
    assert found == drawing.drawing(), "run `python -m docs.making.drawing`"
