"""Commands that need no service: the catalogue, accounts, profiles, the cache, help and completion."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import dropwhile
from pathlib import Path

import pytest

from docs.making import reference
from svc_tui import __version__
from svc_tui.commands import operation_details
from svc_tui.commands.table import COMMANDS
from svc_tui.interface import catalogue
from svc_tui.interface.access import Role
from svc_tui.interface.addresses import readable
from tests.commands.conftest import Shell
from tests.interface.specification_operations import specified


def test_the_version(shell: Shell) -> None:
    done = shell.run("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{__version__}\n", "")


def test_the_version_is_printed_without_loading_what_it_does_not_need() -> None:
    code = """if True:
        import atexit, sys
        sys.argv[1:] = ["--version"]
        atexit.register(lambda: print({"typing", "re", "svc_tui.commands"} & {*sys.modules}))
        from svc_tui.__main__ import main
        main()
    """
    # Without site: an installation may load modules for itself.
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert done.stdout == f"{__version__}\nset()\n"


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_has_help(shell: Shell, command: str) -> None:
    done = shell.run(command, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: svc-tui {command}")
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    # A long entry continues below its description, not at the left edge.
    entries = dropwhile(lambda line: line not in ("Arguments:", "Parameters:", "Commands:"), lines)
    assert all(line.startswith("  ") for line in entries if line and not line.endswith(":"))
    assert "[default: False]" not in done.stdout


def test_general_options_may_precede_the_command(shell: Shell) -> None:
    before = shell.run("--profile", "nowhere", "--read-only", "call", "list_companies")
    behind = shell.run("call", "list_companies", "--profile", "nowhere", "--read-only")
    assert before.returncode == 2 and before.stderr == behind.stderr and "nowhere" in before.stderr
    unknown = shell.run("--profile", "nowhere", "opne", "companies")
    assert unknown.returncode == 2 and 'Unknown command "opne". Did you mean "open"?' in unknown.stderr


def test_arguments_that_are_too_many_are_named(shell: Shell) -> None:
    done = shell.run("open", "applications", "more", "words")
    assert done.returncode == 2
    assert done.stderr == "svc-tui: Unexpected: more words. Run `svc-tui open --help` for usage.\n"


def test_help_names_every_command(shell: Shell) -> None:
    done = shell.run("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"  {command.name}: " in done.stdout


def test_the_catalogue_as_json_has_the_documented_fields(shell: Shell) -> None:
    found = json.loads(shell.run("operations", "--json").stdout)
    assert {tuple(one) for one in found} == {("id", "area", "method", "path", "who", "deprecated")}
    by_id = {one["id"]: one for one in found}
    assert by_id["create_application"]["who"] == {"app_admin": "own", "superadmin": "any", "app_superadmin": "any"}
    assert by_id["list_applications"]["path"] == "/api/svc/applications/v1.0/applications"
    assert by_id["download_invoice_file"]["path"] == "/api/svc/invoicing/v1.0/invoices/{invoicePath}"
    areas = {name: by_id[name]["area"] for name in ("apply_template", "upload_splashscreen", "get_splashscreen_image")}
    assert areas == {
        "apply_template": "companies",
        "upload_splashscreen": "companies",
        "get_splashscreen_image": "images",
    }
    assert [name for name, *_ in specified() if name not in by_id] == []


def test_the_catalogue_as_text_is_grouped_by_area(shell: Shell) -> None:
    lines = shell.run("operations").stdout.splitlines()
    assert lines[0] == "AUTHENTICATION"
    assert "APPLICATIONS" in lines
    assert any(line.startswith("stop_application") for line in lines)


def test_one_operation_is_shown_with_its_parameters_and_body(shell: Shell) -> None:
    done = shell.run("operations", "create_subscriber")
    assert done.stderr == ""
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    assert lines[:2] == [
        "create_subscriber  POST /api/svc/voiceprovisioning/v1.0/cloudpbxs/{systemId}/subscribers",
        "Create a subscriber: an extension for a user.",
    ]
    assert "  Area          voice, section 4.7" in lines
    assert any(line.startswith("  Roles         any: superadmin; end customers: bp_admin;") for line in lines)
    assert lines[lines.index("PARAMETERS") + 1] == "  systemId  path, text, required"
    body = lines[lines.index("BODY (application/json)") + 1 :]
    assert body[:2] == ["  userId       text, required", "               User; requires a licence for voice"]
    assert "  password     text: 8..12 characters" in body
    assert "  Command       svc-tui call create_subscriber systemId=… --body @FILE" in lines
    assert "  403622  The user has no licence for voice." in lines[lines.index("REFUSALS") :]
    assert all(len(line) <= 100 for line in lines)


def test_one_operation_as_json_has_the_same_facts(shell: Shell) -> None:
    found = json.loads(shell.run("operations", "list_applications", "--json").stdout)
    assert (found["id"], found["method"], found["section"]) == ("list_applications", "GET", "4.5")
    assert found["who"]["app_admin"] == "own_company" and found["body"] is None
    assert {one["where"] for one in found["parameters"]} == {"query"}
    limit = next(one for one in found["parameters"] if one["name"] == "limit")
    assert (limit["type"], limit["default"], limit["constraint"], limit["required"]) == (
        "integer",
        100,
        "1..1000",
        False,
    )


def test_an_unknown_operation_is_refused_with_the_closest_ones(shell: Shell) -> None:
    done = shell.run("operations", "create_aplication")
    assert (done.returncode, done.stdout) == (2, "")
    assert 'Unknown operation "create_aplication". Did you mean "create_application"' in done.stderr


def test_every_operation_has_details_that_are_json_and_fit_their_columns() -> None:
    for operation in catalogue.operations():
        found = operation_details.details(operation)
        assert json.loads(json.dumps(found)) == found, operation.id
        assert [one["name"] for one in found["parameters"] if one["where"] == "path"] == list(operation.parameters)
        assert bool(found["body"]) == bool(operation.sends_body or operation.takes), operation.id
        lines = list(operation_details._lines(operation, found, 80))
        assert lines[0] == f"{operation.id}  {operation.method} {readable(operation.path)}"
        assert all(len(line) <= 80 for line in lines[1:]), operation.id


def test_there_is_a_demo_account_for_each_role(shell: Shell) -> None:
    found = json.loads(shell.run("demo-accounts", "--json").stdout)
    assert set(found) == {"appId", "appSecret", "accounts"}
    accounts = {one["login"]: one for one in found["accounts"]}
    for role in Role:
        assert role.value in accounts[f"{role.value}@demo.example"]["roles"]
    for one in found["accounts"]:
        assert {"login", "password", "roles", "companyId", "note"} <= set(one)
    assert "totpSecret" in accounts["mfa@demo.example"]
    assert "superadmin@demo.example" in shell.run("demo-accounts").stdout


def test_a_profile_is_added_used_changed_and_removed(shell: Shell) -> None:
    def listed() -> dict[str, dict[str, object]]:
        return {one["name"]: one for one in json.loads(shell.run("profile", "list", "--json").stdout)}

    assert listed() == {}
    for name in ("work", "test"):
        added = shell.run("profile", "add", name, "--base-url", f"https://{name}.example.com", "--login", "jane")
        assert added.returncode == 0, added.stderr
    assert shell.run("profile", "use", "test").returncode == 0
    assert [name for name, one in listed().items() if one["used"]] == ["test"]
    assert shell.run("profile", "edit", "work", "--read-only", "--login", "joe").returncode == 0
    assert listed()["work"]["read_only"] is True
    assert (listed()["work"]["login"], listed()["test"]["login"]) == ("joe", "jane")
    assert shell.run("profile", "remove", "work").returncode == 0
    assert set(listed()) == {"test"}


def test_a_profile_without_encryption_is_saved_with_a_warning_and_logs_in_with_it(shell: Shell) -> None:
    warning = "The connection to nowhere.invalid is not encrypted: password and data can be read on the way."
    added = shell.run("profile", "add", "work", "--base-url", "http://nowhere.invalid", "--login", "jane")
    assert added.returncode == 0 and warning in added.stderr
    assert warning in shell.run("profile", "edit", "work", "--login", "joe").stderr
    asked = shell.run("login", SVC_TUI_PASSWORD="secret")
    assert (asked.returncode, asked.stderr.startswith(warning)) == (4, True)
    for address in ("https://nowhere.invalid", "http://127.0.0.1:1"):
        done = shell.run("profile", "edit", "work", "--base-url", address)
        assert (done.returncode, done.stderr) == (0, 'Saved profile "work".\n')


def test_secrets_of_a_profile_come_from_the_environment_and_have_their_own_file(shell: Shell) -> None:
    words = ("profile", "add", "work", "--base-url", "https://work.example.com", "--app-id", "a1")
    assert shell.run(*words, SVC_TUI_APP_SECRET="very secret").returncode == 0
    config = shell.folder / "config"
    assert "very secret" not in (config / "config.toml").read_text()
    assert "very secret" in (config / "secrets.toml").read_text()
    assert (config / "secrets.toml").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["add", "work"], "--base-url"),
        (["add", "work", "--base-url", "nowhere"], "base_url"),
        (["add", "wo rk", "--base-url", "https://a.example"], "Invalid profile name"),
        (["add", "home", "--base-url", "https://a.example"], "already exists"),
        (["edit", "hom", "--login", "x"], 'Did you mean "home"?'),
        (["edit", "home"], "Nothing to change"),
        (
            ["edit", "home", "--theme", "nonsense"],
            "Unknown theme “nonsense”. Themes: terminal, dark, light, high-contrast.",
        ),
        (["remove", "other"], "Unknown profile"),
        (["use", "other"], "Unknown profile"),
    ],
)
def test_an_invalid_profile_is_refused(shell: Shell, words: list[str], expected: str) -> None:
    assert shell.run("profile", "add", "home", "--base-url", "https://home.example.com").returncode == 0
    done = shell.run("profile", *words)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_a_profile_without_verification_always_prints_a_warning(shell: Shell) -> None:
    done = shell.run("profile", "add", "lab", "--base-url", "https://127.0.0.1:1", "--no-verify")
    assert "not verified" in done.stderr
    assert "not secure" in shell.run("call", "ping").stderr


def test_the_cache_is_listed_and_cleared(shell: Shell) -> None:
    assert json.loads(shell.run("cache", "info", "--json").stdout) == []
    folder = shell.folder / "cache" / "work"
    folder.mkdir(parents=True)
    for name in ("u1.db", "u1.db-wal", "u2.db"):
        (folder / name).write_bytes(b"12345")
    shown = json.loads(shell.run("cache", "info", "--json").stdout)
    assert [(one["profile"], one["user"], one["bytes"]) for one in shown] == [("work", "u1", 10), ("work", "u2", 5)]
    assert "Removed 2 caches" in shell.run("cache", "clear").stderr
    assert list(folder.glob("u*")) == []


def test_doctor_shows_the_abilities_of_the_terminal(shell: Shell) -> None:
    found = json.loads(shell.run("doctor", "--json", TERM="dumb").stdout)
    assert set(found) == {"program", "terminal", "folders", "connection", "link"}
    assert found["terminal"]["screen"].startswith("no")
    assert found["link"]["to the terminal"] == "not measured: no terminal that can draw"
    assert "TERMINAL" in shell.run("doctor").stdout


def test_doctor_lists_what_is_ignored_in_the_configuration(shell: Shell) -> None:
    config = shell.folder / "config" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('theme = "neon"\n')
    assert (
        "line 1: Unknown theme “neon” is ignored. Themes: terminal, dark, light, high-contrast."
        in shell.run("doctor").stdout
    )


def test_reference_pages_are_current() -> None:
    for name, text in reference.pages().items():
        assert (reference.FOLDER / name).read_text("utf-8") == text, "run `python -m docs.making.reference`"


def test_opening_the_console_does_not_load_the_parser() -> None:
    code = (
        "import sys; from svc_tui.commands.start import run; run([]); print({'cyclopts', 'pydantic'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.stdout.strip() == "set()"
