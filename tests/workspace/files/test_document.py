"""Documents as Markdown and HTML: tables, drawings, and texts that are no markup."""

from __future__ import annotations

from html.parser import HTMLParser

from markdown_it import MarkdownIt

from svc_tui.workspace.files.document import Block, html, markdown

HOSTILE = "<script>alert(1)</script> [a](javascript:x) | `b` *c* _d_\n# e \x1b[31m\u202e"
BLOCKS = (
    Block(
        "Numbers & more", ("First", "Leading zero"), [("+351210000000", "0049"), (HOSTILE, None), (True, 7)], level=2
    ),
    Block(HOSTILE, drawing=["├── open ──▸ Ana", "```", HOSTILE], sentence=HOSTILE),
    Block("Sites", ("Name",)),
)


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def page_of(text: str) -> Page:
    page = Page()
    page.feed(text)
    return page


def test_html_has_the_tables_and_nothing_of_a_text_is_markup() -> None:
    page = page_of("\n".join(html(f"North {HOSTILE}", BLOCKS)))
    assert not {"script", "a", "img", "em"} & set(page.tags)
    assert (page.tags.count("table"), page.tags.count("tr"), page.tags.count("pre")) == (1, 4, 1)
    assert {"+351210000000", "0049", "None.", "yes", "—"} <= set(page.texts)
    assert any("<script>alert(1)</script>" in text for text in page.texts)
    assert not any(hidden in text for text in page.texts for hidden in "\x1b\u202e")


def test_markdown_has_the_same_tables_and_nothing_of_a_text_is_markup() -> None:
    text = "\n".join(markdown(f"North {HOSTILE}", BLOCKS))
    page = page_of(MarkdownIt("commonmark").enable("table").render(text))
    assert not {"script", "a", "img", "em"} & set(page.tags)
    assert (page.tags.count("table"), page.tags.count("tr"), page.tags.count("h1")) == (1, 4, 1)
    assert (page.tags.count("h2"), page.tags.count("h3"), page.tags.count("pre")) == (1, 2, 1)
    assert {"+351210000000", "0049", "None."} <= set(page.texts)
    assert not any(hidden in each for each in page.texts for hidden in "\x1b\u202e")
