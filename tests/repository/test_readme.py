"""The README: a film, four pictures, and two blocks of commands that include their whole setup."""

from __future__ import annotations

import re
import shlex

from tests.repository.files import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_first_command_follows_the_film_and_four_pictures() -> None:
    film, *pictures = re.findall(r"!\[[^\]]+\]\((screenshots/[^)]+)\)", README[: README.index(COMMANDS[0])])
    assert film == "screenshots/tour.gif"
    assert len(pictures) == 4
    assert all((ROOT / each).is_file() for each in (film, *pictures))


def test_there_are_two_commands_that_end_with_the_demo_and_the_tests() -> None:
    demo, test = COMMANDS
    assert shlex.split(demo)[-2:] == ["svc-tui", "demo"]
    assert shlex.split(test)[-1] == "pytest"


def test_a_failed_step_ends_the_command() -> None:
    """Pasted whole, what follows a failed line does not run."""
    for command in COMMANDS:
        assert all(line.endswith("&&") for line in command.splitlines()[:-1])


def test_the_commands_install_existing_lock_files_by_hash() -> None:
    for command, lock in zip(COMMANDS, ("requirements.lock", "requirements-dev.lock"), strict=True):
        assert re.findall(r"-r (\S+)", command) == [lock]
        assert (ROOT / lock).is_file()
        assert "--require-hashes" in command


def test_the_build_finds_the_readme_command_it_runs() -> None:
    runner = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"grep -E '(\^python3[^']+)' README.md", runner)
    assert pattern is not None
    assert re.findall(pattern[1], README, re.MULTILINE) == [COMMANDS[1].rstrip("\n")]
