"""The threat model names tests that exist, at least one for each threat."""

from __future__ import annotations

import re

from tests.repository.files import ROOT

TEXT = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
ROWS = [line for line in TEXT.splitlines() if line.startswith("| ") and not line.startswith("| threat ")]


def test_each_threat_has_a_defence_and_a_test() -> None:
    assert len(ROWS) > 25
    for row in ROWS:
        threat, defence, tests = (cell.strip() for cell in row.strip("|").split(" | "))
        assert threat
        assert defence
        assert re.fullmatch(r"`test_\w+`(, `test_\w+`)*", tests), threat


def test_the_tests_of_the_threat_model_exist() -> None:
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    existing = set(re.findall(r"^(?:async )?def (test_\w+)\(", sources, re.MULTILINE))
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    assert named <= existing, sorted(named - existing)
