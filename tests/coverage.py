"""`python -m tests.coverage [--short] [ARGUMENTS OF PYTEST]`: coverage by branch, of all processes that tests start.

Folders of tests measure the packages of the same name, `tests/client` for example `svc_tui/client`; others measure all.
The report lists the files from the least covered one on, with the lines and branches that no test took; `--short` lists
ten files, with numbers. Tests take two to three times as long as without, so `.ci/run` does not measure.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
_CONFIGURATION = """[run]
branch = true
parallel = true
source = {source}
patch = subprocess, _exit
sigterm = true
concurrency = thread
data_file = {folder}/data

[report]
exclude_also =
    if TYPE_CHECKING:
    raise NotImplementedError
    \\.\\.\\.$
"""
#: Files with less than this share of branches and lines are listed line by line.
_LISTED_BELOW = 95.0
_FILES_IN_SHORT = 10


def main(arguments: list[str]) -> int:
    """Run the tests, combine the data of all processes and print the report. The exit code of the tests."""
    short = "--short" in arguments
    arguments = [each for each in arguments if each != "--short"]
    source = ",".join(measured_packages(arguments))
    with tempfile.TemporaryDirectory(prefix="svc-tui-coverage-") as folder:
        configuration = Path(folder) / "configuration"
        configuration.write_text(_CONFIGURATION.format(folder=folder, source=source), encoding="utf-8")
        environment = {**os.environ, "COVERAGE_RCFILE": str(configuration)}

        def coverage(*words: str) -> int:
            command = [sys.executable, "-m", "coverage", *words]
            return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode

        code = coverage("run", "-m", "pytest", *arguments)
        coverage("combine", "--quiet")
        report = Path(folder) / "report.json"
        coverage("json", "--quiet", "-o", str(report))
        text = report.read_text(encoding="utf-8")
    print("\n".join(report_lines(json.loads(text), short)))
    return code


def measured_packages(arguments: list[str]) -> list[str]:
    """The packages that the given folders of tests mirror; the whole package where one of them mirrors none."""
    tests = [each for each in arguments if (ROOT / each).exists()]
    packages = [ROOT / "svc_tui" / Path(each).relative_to("tests") for each in tests]
    mirrored = bool(packages) and all(each.is_dir() for each in packages)
    return [str(each) for each in packages] if mirrored else [str(ROOT / "svc_tui")]


def report_lines(report: dict[str, Any], short: bool) -> Iterator[str]:
    """The least covered files, from the least one on, and the total."""
    files = sorted(report["files"].items(), key=lambda each: each[1]["summary"]["percent_covered"])
    if short:
        for name, file in files[:_FILES_IN_SHORT]:
            yield f"{share_of(file)} {name}: {not_taken(file['summary'])}"
    else:
        for name, file in files:
            if file["summary"]["percent_covered"] < _LISTED_BELOW:
                yield f"{share_of(file)} {name}{places_of(file)}"
    totals = report["totals"]
    yield (
        f"{totals['percent_covered']:.1f} % of {totals['num_statements']} lines and {totals['num_branches']} branches; "
        f"{not_taken(totals)}"
    )


def share_of(file: dict[str, Any]) -> str:
    """The share of lines and branches that were taken, in a column."""
    return f"{file['summary']['percent_covered']:5.1f} %"


def not_taken(summary: dict[str, Any]) -> str:
    """The numbers of what no test took."""
    return f"{summary['missing_lines']} lines and {summary['missing_branches']} branches not taken"


def places_of(file: dict[str, Any]) -> str:
    """The lines and branches that no test took; nothing for a file that no test loaded."""
    if not file["executed_lines"]:
        return ""
    lines = " ".join(map(str, file["missing_lines"]))
    branches = " ".join(f"{start}→{end}" for start, end in file.get("missing_branches", ()))
    return f": lines {lines or 'none'}; branches {branches or 'none'}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
