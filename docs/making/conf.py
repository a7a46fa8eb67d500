"""Settings of Sphinx: `sphinx-build -W -c docs/making . FOLDER` writes all documents as a site.

The site has a search, the contents of each page, and the next and the previous page, and asks no other machine: it can
be opened from a folder. A link to a file that is no page, and a document without a chapter, end it with an error.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from sphinx.application import Sphinx

#: Chapters with their pages in the order of reading, without their suffix. README is the first page.
CHAPTERS: dict[str, tuple[str, ...]] = {
    "Begin": ("docs/first-steps", "docs/gallery", "docs/sizes"),
    "Guides": (
        "docs/guides/support",
        "docs/guides/administrator",
        "docs/guides/demonstration",
        "docs/guides/across-customers",
        "docs/guides/company-documents",
        "docs/command-line",
        "docs/recipes",
        "docs/networks",
        "docs/extending",
        "docs/python-api",
        "docs/python-beside-others",
        "docs/python-recipes",
    ),
    "Operating": ("docs/operating", "docs/reference/server-settings"),
    "Reference of the console": (
        "docs/reference/keys",
        "docs/reference/filters",
        "docs/reference/settings",
        "docs/reference/directory-files",
        "docs/reference/user-files",
        "docs/glossary",
    ),
    "Reference of the service": (
        "docs/reference/errors",
        "docs/reference/operations",
        "docs/reference/python",
        "docs/reference/authentication",
        "docs/reference/applications",
        "docs/reference/companies",
        "docs/reference/images",
        "docs/reference/customisation",
        "docs/reference/subscriptions",
        "docs/reference/invoicing",
        "docs/reference/voice",
        "docs/reference/directory",
        "docs/reference/metrics",
        "docs/reference/audit",
    ),
    "Project": (
        "CHANGELOG",
        "CONTRIBUTING",
        "docs/architecture",
        "docs/threat-model",
        "docs/decisions",
        "docs/performance",
    ),
}

project = "svc-tui"
extensions = ["myst_parser"]
root_doc = "README"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**.md"]
exclude_patterns = ["docs/examples/**"]
#: Headings have the anchors that links in the documents name.
myst_heading_anchors = 4
html_theme = "furo"
html_title = "svc-tui"
html_copy_source = False
html_show_copyright = False
html_use_index = False


def setup(app: Sphinx) -> None:
    """The chapters are a part of the first page, and the first page is the index of the folder."""
    app.connect("source-read", with_chapters)
    app.connect("build-finished", with_index)


def with_chapters(_app: Sphinx, name: str, source: list[str]) -> None:
    """Give the first page the list of all pages, which is shown beside each."""
    if name == root_doc:
        for chapter, pages in CHAPTERS.items():
            source[0] += "\n```{toctree}\n:hidden:\n:caption: " + "\n".join([chapter, "", *pages]) + "\n```\n"


def with_index(app: Sphinx, failure: Exception | None) -> None:
    """Let the first page be found in the folder."""
    if failure is None:
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")
