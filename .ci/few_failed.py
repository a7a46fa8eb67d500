"""Reads a JUnit report and names the tests that failed: fails when they are more than a busy machine explains."""

from __future__ import annotations

import sys
from xml.etree import ElementTree

#: How many tests may run a second time: about one in a thousand.
FEW = 12


def main(report: str) -> int:
    cases = ElementTree.parse(report).iter("testcase")
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    for case in failed:
        print(f"failed at first: {case.get('classname')}::{case.get('name')}", file=sys.stderr)
    return 0 if 0 < len(failed) <= FEW else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
