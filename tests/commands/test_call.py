"""`svc-tui call`: data on standard output as JSON, CSV or a table, and messages for wrong usage."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest

from svc_tui.server.voice.demo.exchanges import EXCHANGES, NORTHWIND_EXCHANGE
from tests.commands.conftest import SUPERADMIN, Shell, serving
from tests.commands.terminal import Terminal


@pytest.fixture(scope="module")
def hostile_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service with hostile texts in its records."""
    with serving(tmp_path_factory.mktemp("hostile"), scale="hostile") as address:
        yield address


@pytest.fixture
def hostile(shell: Shell, hostile_address: str) -> Shell:
    """An administrator whose company has hostile records, logged in."""
    return shell.use(hostile_address).log_in("hostile@demo.example")


def without_style(text: str) -> str:
    """A text without the bold headings of the program's own."""
    return text.replace("\x1b[1m", "").replace("\x1b[0m", "")


def applications(shell: Shell, *more: str) -> list[dict[str, object]]:
    done = shell.run("call", "list_applications", "--all", *more)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, object]] = json.loads(done.stdout)["data"]
    return found


def test_a_program_gets_json(admin: Shell) -> None:
    done = admin.run("call", "list_applications", "limit=3")
    assert done.returncode == 0
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert len(answer["data"]) == 3
    assert answer["limit"] == 3


def test_all_fetches_every_page_into_one_document(admin: Shell) -> None:
    page = json.loads(admin.run("call", "list_applications", "limit=2").stdout)
    done = admin.run("call", "list_applications", "--all", "limit=2", "sortField=name")
    whole = json.loads(done.stdout)
    assert len(whole["data"]) == whole["total"] == page["total"] > 2
    assert len({one["id"] for one in whole["data"]}) == page["total"]
    assert whole["data"][:2] == page["data"]


def test_all_starts_at_the_requested_offset(admin: Shell) -> None:
    everything = applications(admin)
    assert [one["id"] for one in applications(admin, "offset=3", "limit=2")] == [one["id"] for one in everything][3:]


def test_a_whole_list_as_csv(admin: Shell) -> None:
    done = admin.run("call", "list_applications", "--all", "--output", "csv")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["id"] for row in rows] == [one["id"] for one in applications(admin)]
    assert {row["name"] for row in rows} == {one["name"] for one in applications(admin)}


def test_an_empty_list_has_a_csv_header(admin: Shell) -> None:
    done = admin.run("call", "list_applications", "name=no-such-name", "--all", "--output", "csv")
    assert done.stdout.splitlines() == [done.stdout.strip()]
    assert "name" in done.stdout.split(",")
    assert applications(admin, "name=no-such-name") == []


def test_filters_have_the_names_of_the_api(admin: Shell) -> None:
    states = {one["state"] for one in applications(admin, "state=stopped", "format=full")}
    assert states == {"stopped"}


def test_a_terminal_gets_a_table(admin: Shell) -> None:
    with Terminal(admin, "call", "list_applications", "limit=2") as terminal:
        assert terminal.end() == 0
    assert without_style(terminal.text).startswith("ID ")
    assert "Use --all to fetch all pages." in terminal.text


@pytest.mark.parametrize("output", ["table", "json", "csv"])
def test_escape_sequences_in_data_never_reach_a_terminal(hostile: Shell, output: str) -> None:
    words = ("call", "list_applications", "format=full", "--all", "--output", output)
    with Terminal(hostile, *words) as terminal:
        assert terminal.end() == 0
    dangerous = [
        char for char in without_style(terminal.text) if char not in "\r\n" and (char < " " or "\x7f" <= char <= "\x9f")
    ]
    assert dangerous == []
    assert not set(terminal.text) & set("\u202e\u2066\u200b\u2028")


def test_a_program_gets_hostile_text_unchanged_except_formulas(hostile: Shell) -> None:
    names = {str(one["name"]).encode(errors="replace").decode() for one in applications(hostile)}
    assert any("\x1b" in name for name in names)
    process = hostile.start("call", "list_applications", "--all", "--output", "csv")
    assert process.stdout is not None
    # Line ends within a cell are data: nothing may translate them.
    data = io.TextIOWrapper(process.stdout.buffer, encoding="utf-8", errors="replace", newline="")
    cells = {row["name"] for row in csv.DictReader(data)}
    process.communicate()
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
    assert {cell.removeprefix("'") for cell in cells} == {name.removeprefix("'") for name in names}


def test_a_record_is_created_changed_and_deleted_with_bodies_from_arguments_files_and_input(admin: Shell) -> None:
    body = {"name": "Made by a script", "type": "server", "activity": "J"}
    made = admin.run("call", "create_application", "--body", json.dumps(body))
    assert made.returncode == 0, made.stderr
    app_id = f"appId={json.loads(made.stdout)['data']['id']}"
    file = admin.folder / "change.json"
    file.write_text('{"description": "from a file"}')
    changed = admin.run("call", "update_application", app_id, "--body", f"@{file}")
    assert json.loads(changed.stdout)["data"]["description"] == "from a file"
    piped = admin.run("call", "update_application", app_id, "--body", "-", input='{"description": "piped"}')
    assert json.loads(piped.stdout)["data"]["description"] == "piped"
    assert admin.run("call", "delete_application", app_id).returncode == 0
    assert "Made by a script" not in {one["name"] for one in applications(admin)}


def test_a_missing_record_ends_with_1_and_the_error_code(admin: Shell) -> None:
    done = admin.run("call", "get_application", f"appId={'ab' * 12}")
    assert done.returncode == 1
    assert "404000" in done.stderr
    assert done.stdout == ""


def test_an_address_or_number_that_is_taken_names_who_has_it(logged_out: Shell) -> None:
    partner = logged_out.log_in(SUPERADMIN)
    other = next(each for each in EXCHANGES if each.company == "bluebird")
    listed = partner.run("call", "list_sip_devices", f"systemId={other.id}", "limit=50")
    device = next(each for each in json.loads(listed.stdout)["data"] if each.get("macAddress"))
    model, address = device["deviceType"]["id"], device["macAddress"]
    for values in (
        ("create_sip_device", f"deviceTypeId={model}", f"macAddress={address}"),
        ("create_ddi_number", f"number={other.ddi(0)}"),
    ):
        operation, *body = values
        options = [word for each in body for word in ("--body", each)]
        done = partner.run("call", operation, f"systemId={NORTHWIND_EXCHANGE.id}", *options)
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert "It is in Bluebird switchboard of Bluebird Clinics: " in done.stderr
        assert f"`:find {body[-1].partition('=')[2]}` leads there." in done.stderr


def test_a_refused_value_is_named(admin: Shell) -> None:
    done = admin.run("call", "create_application", "--body", '{"name": "", "type": "server", "activity": "J"}')
    assert done.returncode == 1
    assert "400000" in done.stderr
    assert "name" in done.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["call", "list_aplications"], 'Did you mean "list_applications"'),
        (["call", "list_applications", "nam=x"], 'Did you mean "name"?'),
        (["call", "list_applications", "limit=5000"], "limit must be 1000 or less"),
        (["call", "list_applications", "env=gone"], "env must be one of not_deployed"),
        (["call", "list_applications", "name=a", "name=b"], "takes one value for name"),
        (["call", "list_applications", "name"], "form NAME=VALUE"),
        (["call", "get_application"], "get_application requires appId"),
        (["call", "get_application", "appId=1", "--all"], "does not return pages"),
        (["call", "get_application", "appId=1", "--body", "{}"], "has no request body"),
        (["call", "create_application"], "requires --body with name, type, activity"),
        (["call", "create_application", "--body", "{"], "not valid JSON"),
        (["call", "create_application", "--body", "[]"], "must be a JSON object"),
        (["call", "create_application", "--body", "@/no/such/file"], "cannot be read"),
        (["call"], "OPERATION"),
        (["call", "ping", "--output", "xml"], "--output"),
        (["cal"], 'Did you mean "call"?'),
        (["--colour"], "--colour"),
        (["profile", "lst"], "lst"),
        (["demo-accounts", "--jsn"], "--json"),
    ],
)
def test_wrong_usage_ends_with_2_and_a_hint(shell: Shell, words: list[str], expected: str) -> None:
    done = shell.run(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_read_only_allows_only_operations_that_read(admin: Shell) -> None:
    app_id = f"appId={applications(admin, 'state=active', 'limit=1')[0]['id']}"
    done = admin.run("call", "stop_application", app_id, "--read-only")
    assert done.returncode == 2
    assert "ead-only" in done.stderr
    assert admin.run("call", "get_application", app_id, "--read-only").returncode == 0


def test_an_operation_that_needs_no_login_needs_none(logged_out: Shell) -> None:
    assert json.loads(logged_out.run("call", "ping").stdout)["status"] == "OK"
