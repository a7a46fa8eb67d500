"""What mypy and pyright say of programs: every mistake is an error, and the examples of the documents have none."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from mypy import api as mypy

DOCUMENTS = Path(__file__).parents[2] / "docs"
MISTAKES = Path(__file__).with_name("mistakes.py")


def examples(document: str) -> list[str]:
    """The Python in a document."""
    text = (DOCUMENTS / document).read_text(encoding="utf-8")
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def errors_of_mypy(folder: Path, files: list[Path]) -> list[tuple[str, int]]:
    """Files and lines with errors, in strict mode, without the plug-in of pydantic."""
    options = [
        "--strict",
        "--config-file=",
        "--follow-imports=silent",
        "--no-error-summary",
        "--cache-dir",
        str(folder),
    ]
    said, failed, _status = mypy.run([*options, "--python-executable", sys.executable, *map(str, files)])
    assert failed == ""
    return [(file, int(line)) for file, line in re.findall(r"^(.+?):(\d+): error: ", said, re.MULTILINE)]


def errors_of_pyright(folder: Path, files: list[Path]) -> list[tuple[str, int]]:
    """Files and lines with errors, in strict mode; `mistakes.py` chooses another one."""
    config = folder / "pyrightconfig.json"
    config.write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(config)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] == len(files)
    return [(each["file"], each["range"]["start"]["line"] + 1) for each in answer["generalDiagnostics"]]


@pytest.fixture(scope="module", params=[errors_of_mypy, errors_of_pyright])
def errors(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[int]]:
    """The lines with errors of each file, by one run of a type checker."""
    folder = tmp_path_factory.mktemp("types")
    files = [folder / "guide.py", Path(shutil.copy(MISTAKES, folder))]
    guide = textwrap.indent("\n".join(examples("python-api.md")), "    ")
    files[0].write_text(f"async def main() -> None:\n{guide}", encoding="utf-8")
    for number, program in enumerate(examples("python-recipes.md")):
        files.append(folder / f"recipe_{number}.py")
        files[-1].write_text(program, encoding="utf-8")
    found: dict[str, set[int]] = {file.name: set() for file in files}
    for file, line in request.param(folder, files):
        found[Path(file).name].add(line)
    return found


def test_each_mistake_is_found_and_nothing_else(errors: dict[str, set[int]]) -> None:
    lines = MISTAKES.read_text(encoding="utf-8").splitlines()
    marked = {number for number, line in enumerate(lines, 1) if "  # " in line}
    assert len(marked) > 20
    assert errors["mistakes.py"] == marked


def test_the_examples_of_the_documents_have_no_errors(errors: dict[str, set[int]]) -> None:
    assert len(errors) > 20
    assert {name: lines for name, lines in errors.items() if lines and name != "mistakes.py"} == {}
