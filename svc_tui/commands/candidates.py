"""What can follow the typed words of a command line, for the completion of shells.

A shell asks at each TAB, so nothing but the standard library is loaded: the words are in a table that
`python -m docs.making.completion` generates, profiles are in the configuration, and IDs of records in the cache.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.lazy_import import lazy_import

if TYPE_CHECKING:
    from svc_tui.commands import known_records
else:
    known_records = lazy_import("svc_tui.commands.known_records")

TABLE = Path(__file__).parent / "completion.json"
#: Lists of values. All but profiles and files are in the table.
ACCOUNTS, BODIES, FILES, OPERATIONS, PARAMETERS, PLACES, PROFILES = (
    "accounts",
    "bodies",
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
    try:
        table = json.loads(TABLE.read_text("utf-8"))
    except (OSError, ValueError):
        table = import_module("svc_tui.commands.completion_table").table()
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
        #: The fields that were given with `--body`, and the profile that was given with `--profile`.
        self.fields: set[str] = set()
        self.profile = ""
        self.waiting = ""

    @property
    def command(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self._commands[self.path]
        return found

    def take(self, word: str) -> None:
        if self.waiting:
            self._take_value(self.waiting, word)
            self.waiting = ""
        elif word.startswith("-") and len(word) > 1:
            name, equals, value = word.partition("=")
            self.options.add(name)
            takes = self.command["options"].get(name, {}).get("takes")
            self.waiting = name if takes and not equals else ""
            if equals:
                self._take_value(name, value)
        elif not self.arguments and word in self.command["commands"]:
            self.path = f"{self.path} {word}".strip()
        else:
            self.arguments.append(word)

    def _take_value(self, option: str, value: str) -> None:
        if option == "--body":
            self.fields.add(value.partition("=")[0])
        elif option == "--profile":
            self.profile = value


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
            if name not in self._line.options or option["values"] == BODIES:
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
            case "bodies":
                yield from self._body(current)
            case "places":
                yield from self._places(current)
            case str():
                yield from self._table[values].items()
            case _:
                yield from ((value, "") for value in values)

    def _parameters(self, current: str) -> Iterator[Candidate]:
        """The parameters of the operation that are not given yet; after the `=` of one, its values."""
        known = self._table[PARAMETERS].get(self._line.arguments[0], {})
        given = {word.partition("=")[0] for word in self._line.arguments[1:]}
        yield from self._named(known, given, current)

    def _body(self, current: str) -> Iterator[Candidate]:
        """The fields of the body that are not given yet; after the `=` of one, its values. Files after an `@`."""
        operation = self._line.arguments[0] if self._line.arguments else ""
        if current.startswith("@"):
            yield ASK_FOR_FILES
        elif not current.startswith(("{", "[")):
            yield from self._named(self._table[BODIES].get(operation, {}), self._line.fields, current)

    def _named(self, known: Mapping[str, Any], given: Collection[str], current: str) -> Iterator[Candidate]:
        """NAME= of each entry that is not given yet; after the `=`, its values, or the IDs of records in the cache."""
        name, equals, value = current.partition("=")
        if not equals:
            for name, entry in known.items():
                if name not in given or entry.get("many"):
                    yield f"{name}=", entry.get("help", "")
            return
        entry = known.get(name, {})
        yield from ((f"{name}={each}", "") for each in entry.get("values", ()))
        for kind in entry.get("kinds", ()):
            for record_id, called in known_records.known_records(self._line.profile, kind, value):
                yield f"{name}={record_id}", called

    def _places(self, current: str) -> Iterator[Candidate]:
        """The places; after the `/` of one, its records in the cache."""
        kind, slash, beginning = current.partition("/")
        if not slash:
            yield from self._table[PLACES].items()
        elif kind in self._table[PLACES]:
            for record_id, called in known_records.known_records(self._line.profile, kind, beginning):
                yield f"{kind}/{record_id}", called


def _profiles() -> Iterator[Candidate]:
    """The profiles of the user; none when the configuration cannot be read."""
    yield from known_records.profiles()
