"""What can follow the typed words of a command line, for the completion of shells.

A shell asks at each TAB, so nothing but the standard library is loaded: the words are in a table that
`python -m docs.making.completion` generates, and profiles are read from the configuration.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.late import late

if TYPE_CHECKING:
    from svc_tui.workspace.profiles import configuration_file, profiles
else:
    configuration_file = late("svc_tui.workspace.profiles.configuration_file")
    profiles = late("svc_tui.workspace.profiles.profiles")

TABLE = Path(__file__).parent / "completion.json"
#: Lists of values. All but profiles and files are in the table.
ACCOUNTS, FILES, OPERATIONS, PARAMETERS, PLACES, PROFILES = (
    "accounts",
    "files",
    "operations",
    "parameters",
    "places",
    "profiles",
)
#: The word that asks the shell for names of files.
ASK_FOR_FILES = ("//files", "")

#: A word and its description.
Candidate = tuple[str, str]


def print_candidates(words: Sequence[str]) -> None:
    """Print one line for each candidate: the word, a tab and its description."""
    for word, description in candidates(words):
        print(f"{word}\t{description}")


def candidates(words: Sequence[str]) -> Iterator[Candidate]:
    """What can stand in place of the last word, after those before it. The shell keeps what fits the word.

    A word that ends with `=` is continued. `ASK_FOR_FILES` stands for the names of files.
    """
    table = json.loads(TABLE.read_text("utf-8"))
    line = _Line(table["commands"])
    for word in words[:-1]:
        line.take(word)
    return _Choices(table, line).of(words[-1] if words else "")


class _Line:
    """The words before the cursor: the command, its arguments and options, and the option that waits for a value."""

    def __init__(self, commands: Mapping[str, Any]) -> None:
        self._commands = commands
        self.path = ""
        self.arguments: list[str] = []
        self.options: set[str] = set()
        self.waiting = ""

    @property
    def command(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._commands[self.path]
        return found

    def take(self, word: str) -> None:
        if self.waiting:
            self.waiting = ""
        elif word.startswith("-") and len(word) > 1:
            name, equals, _ = word.partition("=")
            self.options.add(name)
            takes = self.command["options"].get(name, {}).get("takes")
            self.waiting = name if takes and not equals else ""
        elif not self.arguments and word in self.command["commands"]:
            self.path = f"{self.path} {word}".strip()
        else:
            self.arguments.append(word)


class _Choices:
    """The candidates after a line."""

    def __init__(self, table: Mapping[str, Any], line: _Line) -> None:
        self._table, self._line = table, line

    def of(self, current: str) -> Iterator[Candidate]:
        """The candidates for the beginning of a word."""
        line, options = self._line, self._line.command["options"]
        name, equals, _ = current.partition("=")
        if line.waiting:
            yield from self._values(options[line.waiting]["values"], current)
        elif equals and name in options:
            for value, description in self._values(options[name]["values"], current):
                yield f"{name}={value}", description
        elif current.startswith("-"):
            yield from self._options()
        elif line.command["commands"]:
            yield from line.command["commands"].items()
        else:
            yield from self._arguments(current)

    def _options(self) -> Iterator[Candidate]:
        for name, option in self._line.command["options"].items():
            if name not in self._line.options:
                yield name, option["help"]

    def _arguments(self, current: str) -> Iterator[Candidate]:
        arguments = self._line.command["arguments"]
        place = len(self._line.arguments)
        if place < len(arguments):
            yield from self._values(arguments[place]["values"], current)
        elif arguments and arguments[-1]["many"]:
            yield from self._values(arguments[-1]["values"], current)
        else:
            yield from self._options()

    def _values(self, values: str | list[str], current: str) -> Iterator[Candidate]:
        match values:
            case "files":
                yield ASK_FOR_FILES
            case "profiles":
                yield from _profiles()
            case "parameters":
                yield from self._parameters(current)
            case str():
                yield from self._table[values].items()
            case _:
                yield from ((value, "") for value in values)

    def _parameters(self, current: str) -> Iterator[Candidate]:
        """The parameters of the operation that are not given yet; after the `=` of one, its values."""
        known = self._table[PARAMETERS].get(self._line.arguments[0], {})
        name, equals, _ = current.partition("=")
        if equals:
            yield from ((f"{name}={value}", "") for value in known.get(name, {}).get("values", ()))
            return
        given = {word.partition("=")[0] for word in self._line.arguments[1:]}
        for name, parameter in known.items():
            if name not in given or parameter.get("many"):
                yield f"{name}=", parameter.get("help", "")


def _profiles() -> Iterator[Candidate]:
    """The profiles of the user; none when the configuration cannot be read."""
    try:
        known = profiles.Profiles().configuration.profiles
    except (configuration_file.ConfigurationError, OSError):
        return
    yield from ((name, profile.base_url) for name, profile in known.items())
