"""The request of a call in the log, to send it again: names of the interface, no secrets, nothing is made up."""

from __future__ import annotations

from datetime import UTC, datetime

from svc_tui.client.call_log import LoggedCall
from svc_tui.client.masking import MOST_VALUES, mask_json
from svc_tui.client.profile import Profile
from svc_tui.console.core.call_line import call_of

PROFILE = Profile(name="p", base_url="https://host.example/below")


def logged(operation: str, path: str, body: str = "", raw: bool = False) -> LoggedCall:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return LoggedCall(1, moment, operation, "GET", f"https://host.example/below{path}", {}, body, raw=raw)


def test_path_and_query_are_read_from_the_address() -> None:
    call = call_of(logged("get_user", "/api/svc/admin/v1.0/users/a%2Fb?format=full"), PROFILE)
    assert call is not None and call.path == {"userId": "a/b"} and call.query == {"format": "full"}
    assert call.one_page


def test_words_of_a_deployment_become_those_of_the_interface() -> None:
    acme = Profile(name="p", base_url="https://host.example", brand="acme")
    call = call_of(logged("get_user", "/api/acme/admin/v1.0/users/u1"), acme)
    assert call is not None and call.path == {"userId": "u1"}


def test_a_request_that_the_log_shortened_or_masked_is_not_made_up() -> None:
    path = "/api/svc/applications/v1.0/applications/a1"
    whole = call_of(logged("update_application", path, '{"name": "A"}'), PROFILE)
    assert whole is not None and whole.body == {"name": "A"}
    assert call_of(logged("update_application", path, '{"name": "A…'), PROFILE) is None
    many = {"name": "A", "oauthRedirectUris": ["a"] * MOST_VALUES}
    assert call_of(logged("update_application", path, mask_json(many)), PROFILE) is None
    assert call_of(logged("get_application", f"{path}?token=$SVC_TOKEN"), PROFILE) is None


def test_a_file_is_named_by_the_user() -> None:
    path = "/api/svc/admin/v1.0/companies/c1/avatar"
    call = call_of(logged("upload_company_avatar", path, "(image/png, 386 bytes)", raw=True), PROFILE)
    assert call is None or call.file
