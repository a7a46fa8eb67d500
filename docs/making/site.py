"""`python -m docs.making.site FOLDER`: the documents as pages for a browser, without a server and without scripts.

Every page has the list of all pages in the order in which readers need them. Links between documents become links
between pages; a link to another file of the repository is an error.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
#: Chapters with their pages, paths in the repository, in the order of reading.
CHAPTERS: dict[str, tuple[str, ...]] = {
    "Begin": ("README.md", "docs/first-steps.md"),
    "Guides": (
        "docs/guides/support.md",
        "docs/guides/administrator.md",
        "docs/guides/demonstration.md",
        "docs/command-line.md",
        "docs/recipes.md",
        "docs/networks.md",
        "docs/extending.md",
        "docs/python-api.md",
        "docs/operating.md",
    ),
    "Console": ("docs/reference/keys.md", "docs/reference/filters.md", "docs/reference/settings.md"),
    "Service": (
        "docs/reference/server-settings.md",
        "docs/reference/errors.md",
        "docs/reference/operations.md",
        "docs/reference/authentication.md",
        "docs/reference/applications.md",
        "docs/reference/companies.md",
        "docs/reference/images.md",
        "docs/reference/customisation.md",
        "docs/reference/subscriptions.md",
        "docs/reference/invoicing.md",
        "docs/reference/voice.md",
        "docs/reference/directory.md",
        "docs/reference/directory-files.md",
        "docs/reference/user-files.md",
        "docs/reference/metrics.md",
        "docs/reference/audit.md",
    ),
    "Project": (
        "docs/architecture.md",
        "docs/threat-model.md",
        "docs/performance.md",
        "docs/glossary.md",
        "docs/decisions.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ),
}
PAGES = tuple(page for pages in CHAPTERS.values() for page in pages)
_STYLE = """
:root { color-scheme: light dark; --link: light-dark(#005f87, #87d7ff); --line: light-dark(#bcbcbc, #444444); }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 56rem); font: 1rem/1.5 system-ui, sans-serif; }
nav { grid-area: 1 / 1; padding: 1rem; border-right: 1px solid var(--line); }
nav ul { list-style: none; padding: 0; }
main { grid-area: 1 / 2; padding: 1rem 2rem; }
.narrow { display: none; }
a { color: var(--link); }
img { max-width: 100%; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); line-height: 1.25; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: top; }
@media (max-width: 50rem) { body, .narrow { display: block; } nav { border: 0; } main, nav { padding: 1rem; } }
"""


class BrokenLink(ValueError):
    """A link of a document to something that is not part of the site."""


def build(target: Path) -> None:
    """Write all pages and their pictures to a folder. BrokenLink with the document and the link."""
    shutil.copytree(ROOT / "screenshots", target / "screenshots", dirs_exist_ok=True)
    titles = {page: title_of((ROOT / page).read_text(encoding="utf-8")) for page in PAGES}
    for page in PAGES:
        file = target / place_of(page)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(rendered(page, titles), encoding="utf-8")
    for picture in (ROOT / "docs").glob("*.svg"):
        shutil.copy(picture, target / "docs" / picture.name)


def place_of(page: str) -> str:
    """The path of a page in the site."""
    return "index.html" if page == "README.md" else str(Path(page).with_suffix(".html"))


def title_of(text: str) -> str:
    """The first heading of a document."""
    return text.partition("\n")[0].removeprefix("# ")


def rendered(page: str, titles: dict[str, str]) -> str:
    """One page with the list of all pages."""
    markdown = MarkdownIt("commonmark").enable("table")
    tokens = markdown.parse((ROOT / page).read_text(encoding="utf-8"))
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            token.attrSet("id", anchor_of(following.content))
    for token in links(tokens):
        name = "href" if token.type == "link_open" else "src"
        token.attrSet(name, target_of(page, str(token.attrGet(name))))
    body = markdown.renderer.render(tokens, markdown.options, {})
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{html.escape(titles[page])}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<main>\n<p class="narrow"><a href="#documents">All documents</a></p>\n{body}</main>\n'
        f'<nav id="documents">\n{chapters(page, titles)}</nav>\n'
        "</body>\n</html>\n"
    )


def links(tokens: list[Token]) -> Iterator[Token]:
    """The links and pictures of a document."""
    for token in tokens:
        if token.type in ("link_open", "image"):
            yield token
        yield from links(token.children or [])


def target_of(page: str, link: str) -> str:
    """A link of a document, as a link of its page."""
    path, _, anchor = link.partition("#")
    if not path:
        return link
    file = os.path.normpath(Path(page).parent / path)
    if file in PAGES:
        file = place_of(file)
    elif file == "docs/guides":
        file = place_of("docs/guides/support.md")
    elif file == "screenshots":
        file = place_of("README.md")
    elif not file.startswith("screenshots/") and Path(file).suffix != ".svg":
        raise BrokenLink(f"{page}: {link} is not part of the site")
    return os.path.relpath(file, Path(place_of(page)).parent) + (f"#{anchor}" if anchor else "")


def anchor_of(heading: str) -> str:
    """The anchor of a heading, as in the links of the documents."""
    return re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-")


def chapters(page: str, titles: dict[str, str]) -> str:
    """The list of all pages, with the present one marked."""
    current = ' aria-current="page"'
    parts = []
    for chapter, pages in CHAPTERS.items():
        entries = "".join(
            f'<li><a href="{os.path.relpath(place_of(each), Path(place_of(page)).parent)}"'
            f"{current if each == page else ''}>{html.escape(titles[each])}</a></li>\n"
            for each in pages
        )
        parts.append(f"<p><b>{chapter}</b></p>\n<ul>\n{entries}</ul>\n")
    return "".join(parts)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m docs.making.site FOLDER")
    build(Path(sys.argv[1]))
    print(Path(sys.argv[1]) / "index.html")
