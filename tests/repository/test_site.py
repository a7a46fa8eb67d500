"""The documents as a site: every document has a page, every link leads somewhere, and the drawing is current."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from docs.making import conf, drawing
from tests.repository.files import ROOT, tracked

PAGES = [conf.root_doc, *(page for pages in conf.CHAPTERS.values() for page in pages)]


def built_in(target: Path, source: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-c", "docs/making", "-d", f"{target}.read", source, target]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site."""
    folder = tmp_path_factory.mktemp("made") / "site"
    done = built_in(folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_document_has_a_place_in_the_site() -> None:
    documents = {
        str(path.relative_to(ROOT).with_suffix(""))
        for path in tracked()
        if path.suffix == ".md" and "tests" not in path.parts
    }
    assert documents == set(PAGES)
    assert len(PAGES) == len(set(PAGES))


def test_every_link_and_picture_of_the_site_exists(built: Path) -> None:
    pages = {page.resolve(): page.read_text(encoding="utf-8") for page in built.rglob("*.html")}
    for page, text in pages.items():
        for link in set(re.findall(r'<(?:a|img|link|script)\b[^>]*\b(?:href|src)="([^"]*)"', text)):
            if "://" not in link:
                path, _, anchor = unquote(link).partition("#")
                file = (page.parent / path.partition("?")[0]).resolve() if path else page
                assert file.is_file(), f"{page.name}: {link}"
                assert not anchor or f'id="{anchor}"' in pages[file], f"{page.name}: {link}"


def test_a_page_asks_no_other_machine(built: Path) -> None:
    """Only links that a reader follows lead to others: those of the programs that made the site."""
    for file in built.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert not re.findall(r'<(?!a\b)\w+\b[^>]*\b(?:href|src|srcset|data)="(?:\w+:)?//[^"]*"', text), file
    for file in built.rglob("*.css"):
        assert not re.findall(r"@import|url\([\"']?(?:\w+:)?//", file.read_text(encoding="utf-8")), file
    for file in built.rglob("*.js"):
        asked = re.findall(r"(?:fetch|import|open|src *=)\(?[\"'`](?:https?:)?//", file.read_text(encoding="utf-8"))
        assert not asked, file


def test_a_page_has_a_search_its_contents_and_its_neighbours(built: Path) -> None:
    page = (built / "docs" / "operating.html").read_text(encoding="utf-8")
    assert 'name="q"' in page
    assert '<a class="reference internal" href="#tls">TLS</a>' in page
    [before, after] = (PAGES[PAGES.index("docs/operating") + step] for step in (-1, 1))
    assert re.search(rf'rel="prev"[^>]* href="{Path(before).name}\.html"', page)
    assert re.search(rf'rel="next"[^>]* href="{after.removeprefix("docs/")}\.html"', page)
    index = json.loads((built / "searchindex.js").read_text(encoding="utf-8")[len("Search.setIndex(") : -1])
    assert set(index["docnames"]) == set(PAGES)
    assert "haproxi" in index["terms"]


def test_the_folder_begins_with_the_first_page(built: Path) -> None:
    assert (built / "index.html").read_bytes() == (built / f"{conf.root_doc}.html").read_bytes()


def test_a_link_to_something_that_is_no_page_is_an_error(tmp_path: Path) -> None:
    source = tmp_path / "documents"
    source.mkdir()
    (source / "README.md").write_text("# Title\n\n[A link](docs/nothing.md)\n", encoding="utf-8")
    done = built_in(tmp_path / "site", source)
    assert done.returncode != 0
    assert "docs/nothing.md" in done.stderr


def test_every_picture_is_in_the_gallery_or_is_a_larger_or_another_one_of_it() -> None:
    gallery = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\.\./screenshots/([\w-]+)\.png", gallery))
    made = {path.stem for path in (ROOT / "screenshots").glob("*.png")}
    assert shown <= made
    assert {re.sub(r"-(wide|large|partner)$", "", name) for name in made - shown} <= shown


def test_the_drawing_of_the_packages_is_current() -> None:
    found = drawing.TARGET.read_text(encoding="utf-8")
    assert found == drawing.drawing(), "run `python -m docs.making.drawing`"
