"""`python -m tests.coverage [ARGUMENTS OF PYTEST]`: the tests with coverage by branch, of all processes they start.

It takes two to three times as long as the tests alone, so `.ci/run` does not do it. The report lists the files from the
least covered one on, with the lines and branches that no test took.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_CONFIGURATION = """[run]
branch = true
parallel = true
source = svc_tui
patch = subprocess, _exit
sigterm = true
concurrency = thread,greenlet
data_file = {folder}/data

[report]
exclude_also =
    if TYPE_CHECKING:
    raise NotImplementedError
    \\.\\.\\.$
"""
#: Files with less than this share of branches and lines are listed line by line.
_LISTED_BELOW = 95.0


def main(arguments: list[str]) -> int:
    """Run the tests, combine the data of all processes and print the report. The exit code of the tests."""
    with tempfile.TemporaryDirectory(prefix="svc-tui-coverage-") as folder:
        configuration = Path(folder) / "configuration"
        configuration.write_text(_CONFIGURATION.format(folder=folder), encoding="utf-8")
        environment = {**os.environ, "COVERAGE_RCFILE": str(configuration)}

        def coverage(*words: str) -> int:
            command = [sys.executable, "-m", "coverage", *words]
            return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode

        code = coverage("run", "-m", "pytest", *arguments)
        coverage("combine", "--quiet")
        report = Path(folder) / "report.json"
        coverage("json", "--quiet", "-o", str(report))
        print_report(json.loads(report.read_text(encoding="utf-8")))
    return code


def print_report(report: dict[str, Any]) -> None:
    """Files below the limit, the least covered first, and the total."""
    files = sorted(report["files"].items(), key=lambda each: each[1]["summary"]["percent_covered"])
    for name, file in files:
        share = file["summary"]["percent_covered"]
        if not file["executed_lines"] and file["missing_lines"]:
            print(f"  0.0 % {name}")
        elif share < _LISTED_BELOW:
            lines = " ".join(map(str, file["missing_lines"]))
            branches = " ".join(f"{start}→{end}" for start, end in file.get("missing_branches", ()))
            print(f"{share:5.1f} % {name}: lines {lines or 'none'}; branches {branches or 'none'}")
    totals = report["totals"]
    print(
        f"{totals['percent_covered']:.1f} % of {totals['num_statements']} lines and {totals['num_branches']} branches; "
        f"{totals['missing_lines']} lines and {totals['missing_branches']} branches not taken"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
