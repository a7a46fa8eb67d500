"""`svc-tui man`: the manual page, made from the words that can be completed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from svc_tui import __version__
from svc_tui.commands import completion_table, output
from svc_tui.commands.candidates import OPERATIONS
from svc_tui.commands.table import COMMANDS, DESCRIPTION, EPILOGUE

#: The environment variables that users set.
VARIABLES = {
    "SVC_TUI_PROFILE": "Connection profile to use.",
    "SVC_TUI_BASE_URL": "Address of the service.",
    "SVC_TUI_LOGIN": "Account to log in with.",
    "SVC_TUI_PASSWORD": "Its password.",
    "SVC_TUI_APP_ID": "ID of the application to log in with.",
    "SVC_TUI_APP_SECRET": "Its secret.",
    "SVC_TUI_API_KEY": "API key, in place of a login.",
    "SVC_TUI_LINEAR": "With the value 1, views are shown as lines of text, for screen readers.",
    "SVC_TUI_CONFIG_DIR": "Folder of the configuration.",
    "SVC_TUI_CACHE_DIR": "Folder of cached records.",
    "SVC_TUI_DATA_DIR": "Folder of sessions and saved preferences.",
    "NO_COLOR": "With any value, nothing is shown in colour.",
    "TERM": "Kind of terminal. With the value dumb, views are shown as lines of text.",
}
_FILES = {
    "~/.config/svc-tui/config.toml": "Profiles, keys, themes and commands of the user. "
    "`svc-tui config schema` describes it.",
    "~/.config/svc-tui/secrets.toml": "Secrets of the profiles, readable by the user only.",
}


def man() -> None:
    """Print the manual page for `man`, for example with `svc-tui man | man -l -`."""
    output.write_text(page())


def page() -> str:
    """The manual page in the man macros of roff."""
    return "\n".join(_lines(completion_table.table())) + "\n"


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    yield f'.TH SVC\\-TUI 1 "" "svc\\-tui {__version__}" "User commands"'
    yield from _section("NAME", ["svc\\-tui \\- keyboard console for a communications service"])
    yield from _section("SYNOPSIS", [".B svc\\-tui", ".RI [ COMMAND ]", ".RI [ OPTIONS ]"])
    yield from _section("DESCRIPTION", [_text(DESCRIPTION)])
    yield from _section("OPTIONS", _options(table["commands"][""]["options"]))
    yield from _section("COMMANDS", [line for command in COMMANDS for line in _command(command.name, table)])
    yield from _section(
        "OPERATIONS",
        [
            _text("The operations of svc-tui call. svc-tui operations NAME shows one with its parameters, its body, "
                  "the roles that may call it and its refusals."),
            *_list(table[OPERATIONS]),
        ],
    )  # fmt: skip
    yield from _section("ENVIRONMENT", _list(VARIABLES))
    yield from _section("FILES", _list(_FILES))
    codes, secrets = EPILOGUE.split("\n")
    statuses = dict(each.split(" ", 1) for each in codes.removeprefix("Exit codes: ").rstrip(".").split("; "))
    yield from _section("EXIT STATUS", [*_list(statuses), ".PP", _text(secrets)])


def _section(title: str, lines: Iterator[str] | list[str]) -> Iterator[str]:
    yield f".SH {title}"
    yield from lines


def _command(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """A command with its arguments and options, and the commands of a group."""
    details = {command.name: command.help for command in COMMANDS}
    for path, command in table["commands"].items():
        if path != name and not path.startswith(f"{name} "):
            continue
        words = " ".join(
            [_argument(each) for each in command["arguments"]]
            + (["[\\fIOPTIONS\\fR]"] if len(command["options"]) > 1 else [])
        )
        if not command["commands"]:
            yield f".SS svc\\-tui {_text(path)} {words}".rstrip()
            parent, _, last = path.rpartition(" ")
            summary = details.get(path) or table["commands"][parent]["commands"][last]
            yield "\n.PP\n".join(_text(paragraph) for paragraph in summary.split("\n\n"))
            yield from _list({each["name"]: _with_values(each) for each in command["arguments"]}, "I")
            yield from _options({key: each for key, each in command["options"].items() if key != "--help"})


def _argument(argument: Mapping[str, Any]) -> str:
    name = f"\\fI{_text(argument['name'])}\\fR"
    return name if argument["required"] else f"[{name}]"


def _options(options: Mapping[str, Any]) -> Iterator[str]:
    for name, option in options.items():
        takes = f" \\fI{option['takes']}\\fR" if option["takes"] else ""
        yield f".TP\n\\fB{_text(name)}\\fR{takes}\n{_text(_with_values(option)) or '.br'}"


def _with_values(word: Mapping[str, Any]) -> str:
    values = word["values"]
    return (
        f"{word['help']} One of {', '.join(values)}.".strip() if isinstance(values, list) and values else word["help"]
    )


def _list(entries: Mapping[str, str], font: str = "B") -> Iterator[str]:
    for name, text in entries.items():
        yield f".TP\n\\f{font}{_text(name)}\\fR\n{_text(text)}"


def _text(text: str) -> str:
    """Text that roff shows as it is."""
    safe = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "").replace("\n", " ")
    return re.sub(r"^(?=[.'])", r"\\&", safe)
