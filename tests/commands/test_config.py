"""`svc-tui config`: all faults at once, the source of each value, and a schema that agrees with the reader."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import jsonschema_rs

from tests.commands.conftest import Shell

_GOOD = """
theme = "light"

[profiles.work]
base_url = "https://portal.example.com"
login = "me@example.com"
read_only = true

[profiles.work.keymap]
filter = "f11"

[commands.north]
key = "f7"
open = "companies?filter=north"

[commands.billing]
where = ["companies"]
command = ["xdg-open", "https://billing.example/{id}"]
"""
_BAD = """
theme = 3
language = "xx"
cache_megabytes = 0

[profiles.work]
base_url = "ftp://portal"
read_only = "yes"

[profiles.other]
colour = "brown"

[commands.both]
open = "users"
command = ["ls"]
output = "screen"
"""


def _write(shell: Shell, text: str, name: str = "config.toml") -> None:
    folder = shell.folder / "config"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def _schema(shell: Shell) -> Any:
    return jsonschema_rs.validator_for(json.loads(shell.run("config", "schema").stdout))


_DOCUMENTS = Path(__file__).parents[2] / "docs"
_EXAMPLES = [
    example
    for name in ("extending.md", "reference/keys.md", "reference/settings.md")
    for example in re.findall(r"```toml\n(.*?)```", (_DOCUMENTS / name).read_text(encoding="utf-8"), re.DOTALL)
]


def test_the_examples_of_documents_have_no_problems(shell: Shell) -> None:
    assert len(_EXAMPLES) >= 6
    (shell.folder / "config" / "themes").mkdir(parents=True)
    for example in _EXAMPLES:
        _write(shell, example, "themes/example.toml" if example.startswith("base") else "config.toml")
        done = shell.run("config", "check")
        assert (done.returncode, done.stderr) == (0, ""), example


def test_a_good_configuration_has_no_problems_and_fits_the_schema(shell: Shell) -> None:
    _write(shell, _GOOD)
    done = shell.run("config", "check")
    assert (done.returncode, done.stdout) == (0, f"No problems in {shell.folder / 'config'}.\n"), done.stderr
    assert _schema(shell).is_valid(tomllib.loads(_GOOD))


def test_keys_for_all_profiles_are_checked_without_a_profile(shell: Shell) -> None:
    _write(shell, '[keymap]\nnonsense = "z"\n')
    done = shell.run("config", "check")
    assert done.returncode == 2
    assert "nonsense" in done.stderr


def test_a_default_profile_that_does_not_exist_is_reported(shell: Shell) -> None:
    _write(shell, 'profile = "gone"\n[profiles.here]\nbase_url = "https://x.example"\napp_id = "a"\n')
    done = shell.run("config", "check")
    assert done.returncode == 2
    assert "line 1: the profile “gone” is unknown and ignored. Profiles: here." in done.stderr


def test_all_faults_are_listed_at_once_with_their_lines(shell: Shell) -> None:
    _write(shell, _BAD)
    done = shell.run("config", "check")
    assert done.returncode == 2 and done.stdout == ""
    for part in (
        "line 2: theme must be a text in quotes",
        "line 4: cache_megabytes must be 1 or more",
        "line 8: read_only must be true or false",
        "line 3: the language “xx” is unknown and ignored. Languages: ",
        "the command both",
        "profile other: base_url is missing",
    ):
        assert part in done.stderr, done.stderr
    errors = {
        error.instance_path[-1] for error in _schema(shell).iter_errors(tomllib.loads(_BAD)) if error.instance_path
    }
    assert {"theme", "cache_megabytes", "read_only", "colour", "output"} <= errors


def test_commands_for_unknown_kinds_and_keys_that_are_taken_are_reported(shell: Shell) -> None:
    mine = '[commands.mine]\nkey = "y"\nwhere = ["company"]\nopen = "users"\n'
    _write(shell, mine + '[commands.all]\nkey = "r"\nopen = "users"\n')
    done = shell.run("config", "check")
    assert done.returncode == 2
    assert "the command mine is for the unknown kind company. Known kinds:" in done.stderr
    assert "r is “commands.all”; “refresh” has no key now." in done.stderr


def test_each_value_has_its_source_and_secrets_are_not_shown(shell: Shell) -> None:
    _write(shell, _GOOD)
    _write(shell, '[profiles.work]\napp_secret = "hidden"\n', "secrets.toml")
    done = shell.run("config", "show", "--json", SVC_TUI_LOGIN="you@example.com", SVC_TUI_API_KEY="hidden-too")
    found = {row["setting"]: (row["value"], row["source"]) for row in json.loads(done.stdout)}
    assert found["base_url"] == ("https://portal.example.com", "config.toml, line 5")
    assert found["login"] == ("you@example.com", "SVC_TUI_LOGIN")
    assert found["theme"] == ("light", "config.toml, line 2")
    assert found["keymap"] == ({"filter": "f11"}, "config.toml, line 9")
    assert found["verify"] == (True, "default")
    assert found["app_secret"] == ("(set)", "secrets.toml, line 2")
    assert found["api_key"] == ("(set)", "SVC_TUI_API_KEY")
    assert "hidden" not in done.stdout


def test_faults_of_themes_are_listed_and_faint_colours_are_reported(shell: Shell) -> None:
    themes = shell.folder / "config" / "themes"
    themes.mkdir(parents=True)
    (themes / "sand.toml").write_text('base = "light"\naccent = "#aaaaaa"\n')
    done = shell.run("config", "check")
    assert done.returncode == 0
    assert "sand.toml: accent (#aaaaaa) on background (#ffffff) has a contrast of 2.3, less than 4.5." in done.stderr
    (themes / "night.toml").write_text('accent = "purple"\nbase = "black"\ntext = "#ffffff"\n')
    done = shell.run("config", "check")
    assert done.returncode == 2
    assert [line.partition("night.toml, ")[2].split(";")[0] for line in done.stderr.splitlines()[:3]] == [
        "line 2: base must be one of dark, light, high-contrast. Correct it in an editor.",
        'line 1: accent must be a colour such as "#87d7ff". Correct it in an editor.',
        "line 3: text is not a colour of a theme",
    ]


def test_a_profile_can_have_a_theme_of_the_user(shell: Shell) -> None:
    words = ("profile", "add", "work", "--base-url", "https://portal.example.com", "--theme", "sand")
    assert "Unknown theme “sand”. Themes: terminal, dark, light, high-contrast." in shell.run(*words).stderr
    themes = shell.folder / "config" / "themes"
    themes.mkdir(parents=True)
    (themes / "sand.toml").write_text('base = "light"\n')
    assert shell.run(*words).returncode == 0
    assert shell.run("config", "check").stderr == ""
