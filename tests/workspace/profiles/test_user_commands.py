"""User commands in the configuration: what is accepted, and how a record fills their arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from svc_tui.workspace.core.folders import Folders
from svc_tui.workspace.profiles.profiles import Profiles
from svc_tui.workspace.profiles.user_commands import (
    ArgumentError,
    UserCommand,
    arguments,
    arguments_of_all,
    filled,
    read_command,
    variables,
)

_RECORD = {"id": "ab12", "name": "North & Sons; rm -rf /", "ownerId": None, "limits": {"calls": 5}, "flag": True}


def _read(values: Any, name: str = "billing") -> tuple[UserCommand | None, list[tuple[str, str]]]:
    faults: list[tuple[str, str]] = []
    return read_command(name, values, lambda key, rule: faults.append((key, rule))), faults


def test_a_command_with_its_defaults() -> None:
    command, faults = _read({"command": ["xdg-open", "https://billing.example/{id}"], "where": ["companies"]})
    assert not faults and command is not None
    assert (command.label, command.output, command.timeout, command.needs_record) == ("Billing", "message", 60, True)


@pytest.mark.parametrize(
    ("values", "key", "rule"),
    [
        ("ping", "", "must be a table"),
        ({}, "", "needs either open or command"),
        ({"open": "users", "command": ["true"]}, "", "needs either open or command"),
        ({"command": "ls"}, "command", "must be a list of words"),
        ({"command": ["ls"], "shell": True}, "command", "must be one text when shell is true"),
        ({"command": "echo {name}", "shell": True}, "command", "must use the variables $SVC_TUI_RECORD_NAME"),
        ({"command": []}, "command", "must be a list of texts"),
        ({"command": ["ls", ""]}, "command", "must be a list of texts"),
        ({"command": ["ls"], "output": "screen"}, "output", "must be one of message, dialog, view, terminal"),
        ({"command": ["ls"], "marked": "all"}, "marked", "must be one of each, together"),
        ({"open": "users", "marked": "each"}, "marked", "works with a program"),
        ({"command": "ls", "shell": True, "marked": "together"}, "marked", "works with a program"),
        ({"command": ["ls"], "timeout": 0}, "timeout", "must be from 1 to 3600 seconds"),
        ({"command": ["ls"], "dangerous": "yes"}, "dangerous", "must be true or false"),
        ({"command": ["ls"], "hotkey": "f6"}, "hotkey", "is not a key of a command"),
    ],
)
def test_a_fault_names_its_key_and_the_rule(values: Any, key: str, rule: str) -> None:
    command, faults = _read(values)
    assert command is None
    assert [fault for fault in faults if fault[0] == key and fault[1].startswith(rule)], faults


def test_fields_fill_the_arguments_one_by_one() -> None:
    assert arguments(["ping", "{name}", "--id={id}", "{{x}}"], _RECORD) == [
        "ping",
        "North & Sons; rm -rf /",
        "--id=ab12",
        "{x}",
    ]
    assert filled("{limits.calls} {flag} {limits}", _RECORD) == '5 true {"calls": 5}'


@pytest.mark.parametrize("field", ["ownerId", "missing", "limits.missing", "name.first"])
def test_a_missing_field_is_named(field: str) -> None:
    with pytest.raises(ArgumentError, match=f"This record has no {field}"):
        filled(f"{{{field}}}", _RECORD)


def test_a_value_never_becomes_an_option_of_the_program() -> None:
    with pytest.raises(ArgumentError, match="begins with a dash"):
        arguments(["ssh", "{name}"], {"name": "-oProxyCommand=x"})
    assert arguments(["ls", "-l", "--name={name}"], {"name": "-x"}) == ["ls", "-l", "--name=-x"]


def test_secrets_and_texts_with_nul_are_not_passed() -> None:
    record = {"id": "ab12", "appSecret": "s3cret", "name": "a\0b"}
    with pytest.raises(ArgumentError, match="appSecret is secret"):
        filled("{appSecret}", record, {"appSecret"})
    with pytest.raises(ArgumentError, match="no name"):
        filled("{name}", record)
    assert variables(record, {"appSecret"}) == {"SVC_TUI_RECORD_id": "ab12"}


def test_secrets_inside_a_value_are_not_passed() -> None:
    record = {"peer": {"name": "p", "password": "s3cret"}, "all": [{"password": "s3cret"}]}
    with pytest.raises(ArgumentError, match="password is secret"):
        filled("{peer.password}", record, {"password"})
    assert filled("{peer} {all}", record, {"password"}) == '{"name": "p"} [{}]'
    assert variables(record, {"password"}) == {
        "SVC_TUI_RECORD_peer": '{"name": "p"}',
        "SVC_TUI_RECORD_all": "[{}]",
    }


def test_a_faulty_command_is_a_warning_with_its_line_and_the_others_work(tmp_path: Path) -> None:
    folders = Folders(tmp_path, tmp_path, tmp_path)
    (tmp_path / "config.toml").write_text(
        '[commands.good]\nopen = "users"\n\n[commands.bad]\ncommand = ["true"]\noutput = "screen"\n'
    )
    found = Profiles(folders, {}).configuration
    assert [each.name for each in found.commands] == ["good"]
    assert found.warnings == (
        f"{tmp_path}/config.toml, line 6: output of the command bad must be one of message, dialog, view, terminal. "
        "The command is ignored.",
    )


def test_words_with_a_field_are_repeated_for_each_record() -> None:
    records = [{"id": "1", "name": "one"}, {"id": "2", "name": "two"}]
    assert arguments_of_all(["tool", "-v", "{id}", "--name={name}"], records) == [
        *("tool", "-v", "1", "2"),
        *("--name=one", "--name=two"),
    ]
    with pytest.raises(ArgumentError, match="This record has no mail"):
        arguments_of_all(["tool", "{mail}"], records)
