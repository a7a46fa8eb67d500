"""`svc-tui call` believes a response only in the declared shape: exit codes 1, and 4 where the outcome is unknown."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from svc_tui.client.errors import InvalidResponse, OutcomeUnknown
from svc_tui.client.responses import check_shape
from svc_tui.interface.catalogue import operation
from tests.commands.conftest import Shell
from tests.commands.test_failures import check_failure

BODIES = {
    "null": "is not an object",
    "[]": "is not an object",
    '"done"': "is not an object",
    "": "is empty",
    "{}": "is empty",
    '{"status": "done"}': "has no data",
    '{"data": null}': "has no record",
    '{"data": []}': "has no record",
    '{"data": "done"}': "has no record",
}
LISTS = {
    "null": "is not an object",
    "[]": "is not an object",
    "": "is empty",
    '{"status": "done"}': "has no data",
    '{"data": null}': "has no list of records",
    '{"data": {}}': "has no list of records",
    '{"data": ["a"]}': "has no list of records",
    '{"data": [null]}': "has no list of records",
    '{"data": [], "total": "many"}': "has no number of records",
}


class Answers(BaseHTTPRequestHandler):
    """Responds to every request with one body."""

    body = ""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body.encode())

    do_POST = do_DELETE = do_GET

    def log_message(self, *words: object) -> None: ...


@pytest.fixture
def answering(shell: Shell) -> Iterator[Shell]:
    """A shell with an API key for a service that responds with `Answers.body`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        shell.use(f"http://127.0.0.1:{server.server_port}").variables["SVC_TUI_API_KEY"] = "k" * 32
        yield shell
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("body", "words"), [("", "is empty"), ('{"data": null}', "has no record")])
def test_a_record_is_believed_only_in_its_shape(answering: Shell, body: str, words: str) -> None:
    Answers.body = body
    done = answering.run("call", "get_application", "appId=" + "a0" * 12)
    check_failure(done, 1, f"The response of get_application {words}. Check base_url.")


@pytest.mark.parametrize(
    ("body", "format"), [("", ("--output", "csv")), ("null", ("--output", "table")), ('{"data": {}}', ())]
)
def test_a_list_is_believed_only_in_its_shape(answering: Shell, body: str, format: tuple[str, ...]) -> None:
    Answers.body = body
    check_failure(answering.run("call", "list_applications", *format), 1, "The response of list_applications")
    check_failure(answering.run("call", "list_applications", "--all", *format), 1, "The response of list_applications")


def test_the_pages_of_a_list_without_a_total_are_not_believed(answering: Shell) -> None:
    Answers.body = '{"data": [{"id": "1"}]}'
    assert answering.run("call", "list_applications").returncode == 0
    check_failure(answering.run("call", "list_applications", "--all"), 1, "has no number of records")


@pytest.mark.parametrize("body", ["", "null"])
def test_the_outcome_of_a_change_without_its_response_is_unknown(answering: Shell, body: str) -> None:
    Answers.body = body
    done = answering.run("call", "create_application", "--body", '{"name": "CRM"}')
    check_failure(
        done, 4, "was sent, but its outcome is unknown. Check before you try again. The response of create_app"
    )


@pytest.mark.parametrize(("body", "words"), [("", "is empty")])
def test_a_deletion_without_its_response_is_not_believed(answering: Shell, body: str, words: str) -> None:
    Answers.body = body
    done = answering.run("call", "delete_client_version", "clientId=" + "a0" * 12)
    check_failure(done, 4, words)


@pytest.mark.parametrize(("body", "words"), [*BODIES.items()])
def test_every_wrong_shape_of_a_record_is_named(body: str, words: str) -> None:
    with pytest.raises(InvalidResponse, match=words):
        check_shape(operation("get_application"), 200, json.loads(body or "{}"))


@pytest.mark.parametrize(("body", "words"), [*LISTS.items()])
def test_every_wrong_shape_of_a_list_is_named(body: str, words: str) -> None:
    with pytest.raises(InvalidResponse, match=words):
        check_shape(operation("list_applications"), 200, json.loads(body or "{}"))


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        ("get_application", 200, {"data": {"newer": 1}, "newer": 2}),
        ("list_applications", 200, {"data": []}),
        ("delete_client_version", 204, {}),
        ("delete_client_version", 200, {"status": "done"}),
        ("login", 200, {"token": "t"}),
        ("login", 200, {"data": {"token": "t"}}),
        ("list_invoice_files", 200, [{"name": "a"}]),
        ("get_avatar", 200, b""),
    ],
)
def test_responses_of_newer_deployments_are_believed(name: str, status: int, body: object) -> None:
    check_shape(operation(name), status, body)


def test_a_list_without_an_envelope_is_a_list() -> None:
    with pytest.raises(InvalidResponse, match="is not a list of records"):
        check_shape(operation("list_invoice_files"), 200, {"data": []})
    with pytest.raises(OutcomeUnknown):
        check_shape(operation("create_application"), 200, {})
