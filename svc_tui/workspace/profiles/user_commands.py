"""User commands, from the tables `[commands.NAME]` of the configuration: validation, and their arguments.

A command opens a place of the console or runs a program of this machine. `{field}` stands for a field of the selected
record by its wire name; `{{` and `}}` stand for braces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from svc_tui.language import _

Output = Literal["message", "dialog", "view", "terminal"]
#: What a command does with marked records; empty: it is for the selected one.
Marked = Literal["", "each", "together"]
MARKED: tuple[str, ...] = get_args(Marked)[1:]
OUTPUTS: tuple[str, ...] = get_args(Output)
#: Keys of a command with the types of their values.
COMMAND_KEYS: dict[str, tuple[type, ...]] = {
    "label": (str,),
    "key": (str,),
    "where": (list,),
    "open": (str,),
    "command": (list, str),
    "shell": (bool,),
    "output": (str,),
    "marked": (str,),
    "confirm": (str,),
    "dangerous": (bool,),
    "read_only": (bool,),
    "timeout": (int,),
}
COMMAND_HELP = {
    "label": _("Name in the help and the palette. Default: made from NAME."),
    "key": _("Key, for example `f6`."),
    "where": _('Kinds of records that it is for, for example `["companies", "users"]`. Default: everywhere.'),
    "open": _("Place to open, for example `companies?filter=north` or `users/{ownerId}`."),
    "command": _("Program with its arguments, as a list; with `shell`, one text."),
    "shell": _("Run the text in your shell. Fields of the record are variables such as `$SVC_TUI_RECORD_name`."),
    "output": _(
        "`message` reports only success or failure, `dialog` and `view` show the output, `terminal` gives "
        "the terminal to the program until its end. Default: `message`."
    ),
    "marked": _(
        "With marked records, `each` runs the program for one record after the other, `together` runs "
        "it once and repeats each word with a field for every record. Default: only the selected record."
    ),
    "confirm": _("Question to be answered before it runs, for example `Restart {name}?`."),
    "dangerous": _("Require the name of the record to be typed."),
    "read_only": _("Allow it in read-only mode: it changes nothing."),
    "timeout": _("Seconds after which the program is stopped. Default: 60."),
}
#: Seconds after which a program is stopped.
DEFAULT_TIMEOUT, LONGEST_TIMEOUT = 60, 3_600
#: Environment variables of a shell command: this and the name of the field.
VARIABLE = "SVC_TUI_RECORD_"

#: Keys that a command has as they are.
_TAKEN = ("key", "open", "output", "marked", "confirm", "dangerous", "read_only", "timeout")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_.]*)\}")
_TYPE_NAMES = {
    str: _("a text in quotes"),
    bool: _("true or false"),
    int: _("a whole number"),
    list: _("a list of texts"),
}

#: Reports a fault of a key (empty: of the whole command), such as `must be a text in quotes`.
Report = Callable[[str, str], None]


class ArgumentError(ValueError):
    """The record has no suitable value for an argument; its text is a sentence."""


@dataclass(frozen=True, slots=True)
class UserCommand:
    """A command. Either `open` or `command` is set, `script` is the command of a shell.

    `where` names the kinds of records that it is for; empty means everywhere. `confirm` is a question to be answered
    first, `dangerous` requires the name of the record to be typed, `read_only` allows it in read-only mode. `timeout`
    is in seconds.
    """

    name: str
    label: str
    key: str = ""
    where: tuple[str, ...] = ()
    open: str = ""
    command: tuple[str, ...] = ()
    script: str = ""
    output: Output = "message"
    marked: Marked = ""
    confirm: str = ""
    dangerous: bool = False
    read_only: bool = False
    timeout: int = DEFAULT_TIMEOUT

    @property
    def needs_record(self) -> bool:
        """Whether it is about one record."""
        texts = (self.open, self.confirm, *self.command)
        return (
            self.dangerous
            or bool(self.where or self.marked)
            or any(found[1] for text in texts for found in _found(text))
        )

    @property
    def summary(self) -> str:
        """What it opens or runs."""
        return (
            _("Opens {open}").format(open=self.open)
            if self.open
            else _("Runs {script}").format(script=self.script or " ".join(self.command))
        )


def read_command(name: str, values: object, report: Report) -> UserCommand | None:
    """A command from its table. Every fault is reported; None when there is one."""
    faults: list[str] = []

    def fault(key: str, rule: str) -> None:
        faults.append(rule)
        report(key, rule)

    if not _NAME.fullmatch(name):
        fault("", _("must be named with at most 32 lower-case letters, digits, dashes and underscores"))
    if not isinstance(values, dict):
        fault("", _("must be a table"))
        return None
    for key, value in values.items():
        if key not in COMMAND_KEYS:
            fault(
                key,
                _("is not a key of a command; these are {command_keys}").format(command_keys=", ".join(COMMAND_KEYS)),
            )
        elif type(value) not in COMMAND_KEYS[key]:
            fault(
                key,
                _("must be {type_names}").format(
                    type_names=_(" or ").join(_TYPE_NAMES[each] for each in COMMAND_KEYS[key])
                ),
            )
        elif isinstance(value, list) and not (value and all(isinstance(each, str) and each for each in value)):
            fault(key, _("must be a list of texts that are not empty"))
    if not faults:
        _check(values, fault)
    return None if faults else _made(name, values)


def _check(values: Mapping[str, Any], fault: Report) -> None:
    command = values.get("command")
    if bool(values.get("open")) == bool(command):
        fault("", _("needs either open or command"))
    elif isinstance(command, str) and not values.get("shell"):
        fault("command", _('must be a list of words, such as ["ping", "{name}"], unless shell is true'))
    elif isinstance(command, list) and values.get("shell"):
        fault("command", _("must be one text when shell is true"))
    elif isinstance(command, str) and any(found[1] for found in _found(command)):
        fault(
            "command",
            _("must use the variables ${variable}NAME of a shell in place of {{NAME}}").format(variable=VARIABLE),
        )
    if values.get("output", "message") not in OUTPUTS:
        fault("output", _("must be one of {outputs}").format(outputs=", ".join(OUTPUTS)))
    if values.get("marked", MARKED[0]) not in MARKED:
        fault("marked", _("must be one of {marked}").format(marked=", ".join(MARKED)))
    elif "marked" in values and (values.get("open") or (values["marked"] == "together" and values.get("shell"))):
        fault("marked", _("works with a program; together works without a shell"))
    if not 1 <= values.get("timeout", DEFAULT_TIMEOUT) <= LONGEST_TIMEOUT:
        fault("timeout", _("must be from 1 to {longest_timeout} seconds").format(longest_timeout=LONGEST_TIMEOUT))


def _made(name: str, values: Mapping[str, Any]) -> UserCommand:
    command = values.get("command", ())
    given = {key: values[key] for key in _TAKEN if key in values}
    return UserCommand(
        name,
        values.get("label") or name.replace("-", " ").replace("_", " ").capitalize(),
        where=tuple(values.get("where", ())),
        command=() if isinstance(command, str) else tuple(command),
        script=command if isinstance(command, str) else "",
        **given,
    )


def _found(text: str) -> list[re.Match[str]]:
    return list(_PLACEHOLDER.finditer(text))


def filled(text: str, record: Mapping[str, Any], secrets: Collection[str] = ()) -> str:
    """A text with the fields of a record. ArgumentError for a field that is missing, empty or secret."""

    def value(found: re.Match[str]) -> str:
        return found[0][0] if found[1] is None else _value(found[1], record, secrets)

    return _PLACEHOLDER.sub(value, text)


def arguments(words: Sequence[str], record: Mapping[str, Any], secrets: Collection[str] = ()) -> list[str]:
    """The words of a program with the fields of a record. ArgumentError also for a value that looks like an option."""
    made = []
    for word in words:
        argument = filled(word, record, secrets)
        if argument.startswith("-") and not word.startswith("-"):
            raise ArgumentError(
                _("{word} begins with a dash in this record: the program could take it for an option.").format(
                    word=word
                )
            )
        made.append(argument)
    return made


def arguments_of_all(
    words: Sequence[str], records: Sequence[Mapping[str, Any]], secrets: Collection[str] = ()
) -> list[str]:
    """The words of one program for several records: each word with a field is repeated for every record."""
    made = []
    for word in words:
        with_field = any(found[1] for found in _found(word))
        made += [each for record in (records if with_field else ({},)) for each in arguments([word], record, secrets)]
    return made


def variables(record: Mapping[str, Any], secrets: Collection[str] = ()) -> dict[str, str]:
    """The fields of a record as environment variables of a shell, without secrets."""
    return {
        f"{VARIABLE}{name}": text
        for name, value in record.items()
        if name not in secrets and re.fullmatch(r"\w+", name, re.ASCII) and "\0" not in (text := _text(value, secrets))
    }


def _value(path: str, record: Mapping[str, Any], secrets: Collection[str]) -> str:
    value: Any = record
    parts = path.split(".")
    if secret := next((part for part in parts if part in secrets), ""):
        raise ArgumentError(_("{secret} is secret and is not passed to commands.").format(secret=secret))
    for part in parts:
        value = value.get(part) if isinstance(value, Mapping) else None
    text = _text(value, secrets)
    if not text or "\0" in text:
        raise ArgumentError(_("This record has no {path}.").format(path=path))
    return text


def _text(value: object, secrets: Collection[str]) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(_without(value, secrets), ensure_ascii=False)


def _without(value: Any, secrets: Collection[str]) -> Any:
    """A value without the secrets inside it."""
    if isinstance(value, Mapping):
        return {name: _without(each, secrets) for name, each in value.items() if name not in secrets}
    return [_without(each, secrets) for each in value] if isinstance(value, list) else value
