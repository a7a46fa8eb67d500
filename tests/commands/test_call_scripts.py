"""`svc-tui call` in scripts: requests that are only shown, one record per line, and errors as JSON."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.commands.conftest import Shell

_APPLICATION = "066d8550a7b36d5f92e9e961"
_NOWHERE = {"SVC_TUI_BASE_URL": "https://svc.invalid", "SVC_TUI_APP_ID": "a", "SVC_TUI_APP_SECRET": "kept"}


def test_a_dry_run_shows_the_request_without_a_login_and_without_a_service(shell: Shell) -> None:
    body = '{"name": "A", "description": null}'
    words = ("call", "update_application", f"appId={_APPLICATION}", "--body", "-", "--dry-run")
    done = shell.run(*words, input=body, **_NOWHERE)
    assert (done.returncode, done.stderr) == (0, "")
    line, _, sent = done.stdout.partition("\n")
    assert line == f"PUT https://svc.invalid/api/svc/applications/v1.0/applications/{_APPLICATION}"
    assert json.loads(sent) == json.loads(body)


def test_a_dry_run_changes_nothing(admin: Shell) -> None:
    own = json.loads(admin.run("call", "list_applications", "limit=1").stdout)["data"][0]["id"]
    done = admin.run("call", "delete_application", f"appId={own}", "--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("DELETE http://") and own in done.stdout
    assert admin.run("call", "get_application", f"appId={own}").returncode == 0


def test_a_dry_run_checks_the_arguments_and_uses_the_words_of_the_deployment(shell: Shell) -> None:
    assert shell.run("call", "update_application", "appId=x", "colour=red", "--dry-run", **_NOWHERE).returncode == 2
    shell.run("profile", "add", "acme", "--base-url", "https://acme.example", "--brand", "acme")
    done = shell.run("call", "list_applications", "state=active", "--dry-run", "--profile", "acme")
    assert done.stdout == "GET https://acme.example/api/acme/applications/v1.0/applications?state=active\n"


def test_lines_of_json_are_the_records_of_the_list(admin: Shell) -> None:
    whole = json.loads(admin.run("call", "list_applications", "--all", "limit=20").stdout)["data"]
    for words in (("--all", "limit=20"), ("limit=100",)):
        done = admin.run("call", "list_applications", *words, "--output", "jsonl")
        assert [json.loads(line) for line in done.stdout.splitlines()] == whole
    one = admin.run("call", "get_application", f"appId={whole[0]['id']}", "--output", "jsonl").stdout
    assert one.count("\n") == 1 and json.loads(one)["id"] == whole[0]["id"]


def test_a_refusal_as_json(admin: Shell) -> None:
    done = admin.run("call", "get_company", f"companyId={'0' * 24}", "--errors", "json")
    found = json.loads(done.stderr)
    assert done.returncode == found["exitCode"] == 1
    assert (found["status"], found["code"]) == (404, 404000)
    assert found["message"] and len(found["requestId"]) == 24
    body = '{"name": "", "type": "web", "activity": "A"}'
    refused = json.loads(admin.run("call", "create_application", "--body", body, "--errors", "json").stderr)
    assert refused["status"] == 400 and [each["param"] for each in refused["problems"]] == ["name"]


@pytest.mark.parametrize(
    ("words", "code"),
    [(("nope",), 2), (("list_applications", "limit=x"), 2), (("list_applications",), 3)],
)
def test_other_errors_as_json_have_a_message_and_the_exit_code(
    logged_out: Shell, words: tuple[str, ...], code: int
) -> None:
    done = logged_out.run("call", *words, "--errors", "json")
    found = json.loads(done.stderr)
    assert done.returncode == found["exitCode"] == code and found["message"]
    assert done.stdout == ""


def test_the_completion_of_bash_can_be_loaded(shell: Shell) -> None:
    script = shell.run("completion", "bash").stdout
    done = subprocess.run(
        ["bash", "-c", 'eval "$(cat)" && complete -p svc-tui'], input=script, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and "svc-tui" in done.stdout
    assert shell.run("completion", "tcsh").returncode == 2


def test_a_body_is_made_of_its_fields(shell: Shell) -> None:
    uris = ("oauthRedirectUris=https://a.example", "oauthRedirectUris=https://b.example")
    fields = ("name=CRM = sales", *uris, "disableOAuthConsentScreen=true", "description=")
    words = [word for each in fields for word in ("--body", each)]
    done = shell.run("call", "update_application", "appId=1", *words, "--dry-run", **_NOWHERE)
    assert json.loads(done.stdout.partition("\n")[2]) == {
        "name": "CRM = sales",
        "oauthRedirectUris": ["https://a.example", "https://b.example"],
        "disableOAuthConsentScreen": True,
        "description": None,
    }


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (("nam=CRM",), 'Did you mean "name"?'),
        (("name=a", "name=b"), "name takes one value."),
        (("isAllowedToEmbed=yes",), "isAllowedToEmbed must be true or false."),
        (("oauthRedirectUris=[",), "oauthRedirectUris is not valid JSON"),
        (("{}", "name=a"), "Use --body once"),
    ],
)
def test_a_field_of_a_body_is_checked_before_anything_is_sent(shell: Shell, fields: tuple[str, ...], said: str) -> None:
    words = [word for each in fields for word in ("--body", each)]
    done = shell.run("call", "update_application", "appId=1", *words, "--dry-run", **_NOWHERE)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
