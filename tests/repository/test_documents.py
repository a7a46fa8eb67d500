"""Links and paths in the documents point to files of the repository, and the map of the console is complete."""

from __future__ import annotations

import ast
import re

import pytest

from docs.making.conf import CHAPTERS
from docs.making.errors import ADVICE, exit_rows
from svc_tui.commands.parser import build_parser
from svc_tui.console.shell import resources
from svc_tui.interface.errors import Code
from tests.repository.files import ROOT, tracked

DOCUMENTS = sorted(
    str(path.relative_to(ROOT)) for path in tracked() if path.suffix == ".md" and path.parts[-2] != "foreign"
)
CONSOLE = ROOT / "svc_tui" / "console"
#: A path in a document starts at one of these.
ROOTS = (ROOT, ROOT / "svc_tui")


def anchors_of(text: str) -> set[str]:
    """The anchors of the headings of a document."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_point_to_files_and_headings_of_the_repository(name: str) -> None:
    document = ROOT / name
    text = re.sub(r"^```.*?^```$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target, anchor in set(re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", text)):
        assert "://" not in target
        file = document.parent / target if target else document
        assert file.exists(), target
        if anchor:
            assert anchor in anchors_of(file.read_text(encoding="utf-8")), f"{target}#{anchor}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    for path in re.findall(r"`([a-z_.]+/[a-z_./]*)`", text):
        assert any((root / path).exists() for root in ROOTS), path


def test_the_map_of_the_console_lists_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.partition("## Map of the console")[2].partition("\n## ")[0]
    rooms = [folder.name for folder in CONSOLE.iterdir() if (folder / "__init__.py").exists()]
    assert sorted(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == sorted(rooms)


def test_the_table_of_areas_lists_every_area() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    areas = [folder.name for folder in (CONSOLE / "areas").iterdir() if (folder / "__init__.py").exists()]
    assert sorted(re.findall(r"`console/areas/(\w+)` \|$", text, re.MULTILINE)) == sorted(areas)


def test_methods_in_the_architecture_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    methods: dict[str, set[str]] = {}
    for path in (ROOT / "svc_tui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                names = {each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
                methods.setdefault(node.name, set()).update(names)
    mentioned = re.findall(r"`([A-Z]\w+)(?:\.(\w+))?`", text)
    assert mentioned
    for name, method in mentioned:
        assert name in methods or name.isupper(), name
        assert not method or method in methods[name], f"{name}.{method}"


def test_the_exit_codes_of_the_command_line_are_those_of_the_reference() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE) == [(code, text) for code, text, _ in exit_rows()]


def test_the_page_of_the_command_line_lists_every_command() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    table = text.partition("## Commands")[2].partition("\n## ")[0]
    for name in (name for name in build_parser() if not name.startswith("-")):
        assert re.search(rf"`(svc-tui )?{name}[ `]", table), name


@pytest.mark.parametrize("chapter", [name for name in CHAPTERS if name != "Project"])
def test_what_users_read_says_nothing_of_tests_and_generators(chapter: str) -> None:
    """Contributors read of them in the chapter of the project."""
    for page in CHAPTERS[chapter]:
        shown = (ROOT / f"{page}.md").read_text(encoding="utf-8").partition("\n## For contributors")[0]
        shown = re.sub(r"<!--.*?-->", "", shown)
        assert not re.search(
            r"\btests\.\w|docs[./]making|tests (?:of|run|follow)|by (?:a )?tests?\b|[Aa] test |generates this", shown
        ), page


def test_the_page_on_performance_has_at_most_150_lines() -> None:
    assert (ROOT / "docs/performance.md").read_text(encoding="utf-8").count("\n") <= 150


def test_the_command_line_lists_every_command_that_asks() -> None:
    asks = {
        "company.py": ["apply"],
        "databases.py": ["server restore --replace", "server replace-key", "server init"],
        "directory/files.py": ["directory import"],
        "leave.py": ["leave", "due"],
        "profile.py": ["profile add", "profile edit --secrets"],
        "sessions.py": ["login"],
        "users/files.py": ["users import"],
    }
    folder, call = ROOT / "svc_tui/commands", re.compile(r"\bprompts\.(?!interactive)\w+\(|commands\.prompts import")
    found = {str(path.relative_to(folder)) for path in folder.rglob("*.py") if call.search(path.read_text("utf-8"))}
    found |= {"directory/files.py"}  # Asks itself, so that ctrl+c ends the question.
    assert found == set(asks)
    text = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    table = text.partition("\n## What asks\n")[2].partition("\n## ")[0]
    listed = [name for row in re.findall(r"^\| `([^|]+)` \|", table, re.MULTILINE) for name in row.split("`, `")]
    assert sorted(listed) == sorted(name for names in asks.values() for name in names)


def test_the_guide_to_reports_lists_every_report() -> None:
    guide = (ROOT / "docs/guides/across-customers.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE)
    assert sorted(listed) == sorted(each.report.name for each in resources.ALL if each.report is not None)


def test_every_code_of_a_refusal_has_advice() -> None:
    assert set(ADVICE) == set(Code)
