"""Reads a JUnit report: fails when nothing ran, or when a test was skipped and so proved nothing."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree


def main(report: str) -> int:
    if not Path(report).stat().st_size:
        print("no test ran: the test command failed before it", file=sys.stderr)
        return 1
    cases = list(ElementTree.parse(report).iter("testcase"))
    skipped = [(case, reason) for case in cases if (reason := case.find("skipped")) is not None]
    for case, reason in skipped:
        print(f"skipped: {case.get('classname')}::{case.get('name')}: {reason.get('message')}", file=sys.stderr)
    print(f"{len(cases)} tests, {len(skipped)} skipped")
    return 1 if skipped or not cases else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
