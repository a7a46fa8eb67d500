"""`svc-tui directory convert`: a file of any program as the service takes it, by a map and an encoding of the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.conftest import Shell

#: As a telephone system writes it: columns that no program has, two of a kind, and Windows-1252.
CONTACTS = "Vorn.;Nachn.;Durchw.;Handy;Zimmer\nZoë;Müller;030 123456;0171 1234567;12\nJon;Berg;+1 202-555-0143;;\n"
MAP = """\ufeff"Vorn." = "firstName"
"Nachn." = "lastName"
"Durchw." = "workPhoneNumber"
"Handy" = "workPhoneNumber"
"Zimmer" = ""
"""


@pytest.fixture
def contacts(tmp_path: Path) -> Path:
    path = tmp_path / "contacts.csv"
    path.write_bytes(CONTACTS.encode("cp1252"))
    (tmp_path / "map.toml").write_text(MAP, encoding="utf-8")
    return path


def test_a_map_names_the_columns_and_equal_targets_fill_the_next_ones(shell: Shell, contacts: Path) -> None:
    chosen = contacts.with_name("converted.csv")
    words = ("--map", str(contacts.with_name("map.toml")), "--country", "DEU", "--output", str(chosen))
    done = shell.run("directory", "convert", str(contacts), *words)
    assert done.returncode == 0, done.stderr
    heading, zoe, jon = chosen.read_text(encoding="utf-8").splitlines()
    assert heading.split(";") == ["firstName", "lastName", "workPhoneNumber0", "workPhoneNumber1"]
    assert zoe.split(";") == ["Zoë", "Müller", "+4930123456", "+491711234567"]
    assert jon.split(";") == ["Jon", "Berg", "+12025550143", ""]
    assert "Windows-1252" in done.stderr and "Zimmer" in done.stderr


def test_a_map_with_a_target_that_does_not_exist_is_refused_and_nothing_is_written(
    shell: Shell, contacts: Path
) -> None:
    wrong, chosen = contacts.with_name("wrong.toml"), contacts.with_name("converted.csv")
    wrong.write_text('"Vorn." = "forename"\n', encoding="utf-8")
    done = shell.run("directory", "convert", str(contacts), "--map", str(wrong), "--output", str(chosen))
    assert done.returncode == 2 and "forename" in done.stderr
    assert not chosen.exists()


def test_the_chosen_encoding_decides(shell: Shell, contacts: Path) -> None:
    contacts.write_bytes("lastName;firstName\nBürgi;André\n".encode("mac_roman"))
    assert shell.run("directory", "convert", str(contacts)).returncode != 0
    done = shell.run("directory", "convert", str(contacts), "--encoding", "mac_roman")
    assert (done.returncode, done.stdout.splitlines()[1]) == (0, "Bürgi;André")


def test_a_map_in_another_encoding_is_refused_by_its_name(shell: Shell, contacts: Path) -> None:
    path = contacts.with_name("map.toml")
    path.write_text(MAP.removeprefix("\ufeff"), encoding="utf-16")
    done = shell.run("directory", "convert", str(contacts), "--map", str(path))
    assert done.returncode == 2 and "UTF-16" in done.stderr


def test_a_file_in_an_unknown_home_folder_does_not_exist(shell: Shell) -> None:
    done = shell.run("directory", "check", "~unknown-user/contacts.csv", "--local")
    assert done.returncode == 2 and "~unknown-user/contacts.csv" in done.stderr
