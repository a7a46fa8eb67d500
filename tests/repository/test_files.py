"""Rules for every file of the repository."""

from __future__ import annotations

import re
import subprocess

import svc_tui
from tests.repository.files import ROOT, texts, tracked

#: Written in pieces, so that this file does not mention them either.
PRIVATE_PLACES = ("/wor" + "k/", "../sha" + "red", "/opt/" + "pypi", "/tmp/" + "w/")
MAX_LINES = 450


def test_no_file_mentions_a_private_path() -> None:
    for name, text in texts():
        for place in PRIVATE_PLACES:
            assert place not in text, f"{name} mentions {place}"


def test_no_file_has_the_marks_of_an_unresolved_conflict() -> None:
    mark = re.compile("^(<{7}|>{7}) ", re.MULTILINE)
    assert not [name for name, text in texts() if mark.search(text)]


def test_no_module_is_long_that_is_not_generated() -> None:
    written = {name: text for name, text in texts() if name.endswith(".py") and "do not edit." not in text[:400]}
    assert not {name: lines for name, text in written.items() if (lines := text.count("\n")) > MAX_LINES}


def test_every_module_has_a_docstring() -> None:
    for name, text in texts():
        if name.endswith(".py") and text.strip():
            assert text.lstrip().startswith('"""'), f"{name} has no docstring"


def test_the_changelog_has_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)
    assert svc_tui.__version__ in versions


def test_generated_files_are_ignored_and_not_committed() -> None:
    made = (
        ".venv/bin/python",
        "svc_tui/__pycache__/x.pyc",
        ".mypy_cache/x",
        "dist/x.whl",
        ".hypothesis/x",
        ".coverage",
    )
    ignored = subprocess.run(["git", "check-ignore", *made], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ignored.stdout.split() == list(made)
    listed = subprocess.run(["git", "ls-files", "-ci", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    assert not listed.stdout.split()


def test_no_secret_or_key_is_in_the_repository() -> None:
    assert not [path for path in tracked() if path.suffix in {".pem", ".key", ".p12", ".db", ".sqlite"}]
    for name, text in texts():
        assert "PRIVATE" + " KEY-----" not in text, name
