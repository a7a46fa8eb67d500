"""Plain English in the command line, the documents and the source text, by `tests/support/plain_english.py`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App

from svc_tui.commands.parser import build_parser
from svc_tui.commands.table import EPILOGUE
from tests.repository.files import ROOT, tracked
from tests.support.plain_english import sentence_faults, word_faults

DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/architecture.md",
    "docs/operating.md",
    "docs/decisions.md",
    "docs/glossary.md",
    "docs/threat-model.md",
)
#: These have examples of the words that are not used.
EXAMPLES = {"tests/support/plain_english.py", "tests/support/test_plain_english.py"}
#: Calls whose first argument is a message.
MESSAGES = {"print_message", "UsageError", "NotLoggedIn", "InvalidFile", "ServiceUnreachable"}
#: A language code, not a word: texts of this length are not checked.
HEBREW = "he"
SOURCES = {
    name: path
    for path in tracked()
    if path.suffix == ".py" and (name := path.relative_to(ROOT).as_posix()) not in EXAMPLES
}


def help_texts(app: App) -> Iterator[str]:
    """The help of every command, argument and option below an app."""
    for name in app:
        command = app[name]
        if name.startswith("-"):
            continue
        yield from command.help.split("\n\n")
        yield from help_texts(command)
        if command.default_command is not None:
            yield from (arg.parameter.help for arg in command.assemble_argument_collection() if arg.parameter.help)


def prose(markdown: str) -> str:
    """The text of a document without code and without the targets of links."""
    text = re.sub(r"^```.*?^```$", "", markdown, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\]\([^)]*\)|`[^`]*`", "", text)


def source_texts(path: Path) -> Iterator[str]:
    """Comments, texts and names of tests in a source file."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > len(HEBREW):
            yield node.value
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name.replace("_", " ")


def english(node: ast.expr) -> ast.expr:
    """The text in `_("…")` and `_("…").format(…)`, with `{}` for each value; another expression unchanged."""
    called = node.func if isinstance(node, ast.Call) else node
    inner = called.value if isinstance(called, ast.Attribute) and called.attr == "format" else node
    if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "_":
        text = inner.args[0]
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            values = re.sub(r"(?<!\{)\{\w+[^{}]*\}(?!\})", "{}", text.value)
            return ast.Constant(text.value if inner is node else values)
    return node


def messages(path: Path) -> Iterator[str]:
    """The messages of a source file, with `{}` for each value."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MESSAGES and node.args:
            whole = english(node.args[0])
            parts = whole.values if isinstance(whole, ast.JoinedStr) else [whole]
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
            if re.search(r"[a-z]", text):
                yield text


def _without_example(text: str) -> str:
    """An example ends with a command, without a full stop."""
    return text if not text.startswith("Example: ") else "An example."


def test_the_help_of_the_command_line() -> None:
    app = build_parser()
    texts = [*help_texts(app), *app.help.split("\n\n"), *EPILOGUE.split("\n")]
    assert len(texts) > 60
    assert [fault for text in texts for fault in sentence_faults(_without_example(text), most=4)] == []


@pytest.mark.parametrize("path", sorted((ROOT / "svc_tui" / "commands").glob("*.py")), ids=lambda path: path.stem)
def test_messages_of_the_command_line(path: Path) -> None:
    for text in messages(path):
        assert sentence_faults(text.replace("{}", "X") + ("." if text.endswith("{}") else "")) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name: str) -> None:
    for line in prose((ROOT / name).read_text(encoding="utf-8")).split("\n\n"):
        assert word_faults(line) == []


def test_source_text() -> None:
    faults = [
        f"{name}: {fault}"
        for name, path in SOURCES.items()
        for text in source_texts(path)
        for fault in word_faults(text)
    ]
    assert faults == []
