"""The migrations of the database are one chain: each has its own number, and follows the one before."""

from __future__ import annotations

import re

from tests.repository.files import ROOT

VERSIONS = ROOT / "svc_tui" / "server" / "store" / "migrations" / "versions"


def test_each_migration_follows_the_one_before() -> None:
    numbers = []
    for path in sorted(VERSIONS.glob("[0-9]*.py")):
        text = path.read_text(encoding="utf-8")
        found = re.search(r'^revision = "(\d+)"\ndown_revision = (?:None|"(\d+)")$', text, re.MULTILINE)
        assert found and path.name.startswith(f"{found[1]}_"), path.name
        numbers.append((int(found[1]), int(found[2] or 0)))
    first, last = numbers[0][0], numbers[-1][0]
    assert numbers == [(number, number - 1 if number > first else 0) for number in range(first, last + 1)]
