"""Secrets never reach the cache's file, whatever record they stand in."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.cache.secrets import is_well_known, record_model, without_secrets
from svc_tui.cache.store import Cache
from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record
from tests.cache.conftest import keep

SECRET = "s3cr3t-value-that-must-not-be-found"


def test_declared_secrets_are_left_out() -> None:
    record = {"id": "a", "appSecret": SECRET, "name": "n"}
    assert without_secrets("get_application", record) == {"id": "a", "name": "n"}
    assert record["appSecret"] == SECRET, "what is shown must not be changed"


def test_secrets_of_nested_records_are_left_out() -> None:
    answer = {"token": SECRET, "loggedInUser": {"id": "u", "jid_password": SECRET, "customData": {"x": 1}}}
    assert without_secrets("login", answer) == {"loggedInUser": {"id": "u", "customData": {"x": 1}}}


def test_secrets_are_left_out_of_a_whole_response() -> None:
    secret, kept = {"id": "a", "appSecret": SECRET}, {"id": "a"}
    assert without_secrets("get_application", {"data": secret}) == {"data": kept}
    listed = {"data": [secret], "total": 1}
    assert without_secrets("list_applications", listed) == {"data": [kept], "total": 1}
    assert listed["data"] == [secret]


@pytest.mark.parametrize(
    "name", ["password", "jid_password", "appSecret", "refreshToken", "apiKey", "x-svc-api-key"[6:], "mfaRecoveryCode"]
)
def test_well_known_names_are_left_out_of_undeclared_records(name: str) -> None:
    record = {"id": 1, "inner": [{"deep": {name: SECRET, "kept": 2}}]}
    assert without_secrets("not_an_operation", record) == {"id": 1, "inner": [{"deep": {"kept": 2}}]}


@pytest.mark.parametrize(
    "name", ["dateOfLastTokenWhenRenew", "enableOAuthAllowSeveralRefreshTokens", "apiKeyId", "name", "tokens"]
)
def test_names_that_only_sound_like_secrets_are_kept(name: str) -> None:
    assert not is_well_known(name)


def test_every_declared_secret_of_every_operation_is_left_out() -> None:
    looked_at = 0
    for operation in operations():
        model = record_model(operation.id)
        specs = fields_of(model) if model else ()
        secret = {spec.wire for spec in specs if spec.facet.secret}
        looked_at += len(secret)
        assert not secret & set(without_secrets(operation.id, {spec.wire: SECRET for spec in specs})), operation.id
    assert looked_at >= 8


async def test_no_secret_is_in_the_files(cache: Cache, file: Path) -> None:
    await keep(cache, [{"id": "a", "name": "n", "appSecret": SECRET, "more": {"password": SECRET}}])
    record = {"id": "a", "appSecret": SECRET}
    await cache.store_record("applications", "a", record, operation_id="get_application", fetched=1.0)
    await cache.update_record(
        "applications", "a", {"small": record, "full": record}, operation_id="get_application", fetched=2.0
    )
    cache.close()
    for path in file.parent.iterdir():
        assert SECRET.encode() not in path.read_bytes(), path


class Nested(Record):
    """A record inside another one."""

    code: str | None = field(None, secret=True)
    open: str | None = None


class Outer(Record):
    many: list[Nested] | None = None


def test_a_declared_secret_deep_in_lists_is_left_out() -> None:
    from svc_tui.cache.secrets import _clean

    assert _clean({"many": [{"code": SECRET, "open": "yes"}]}, Outer) == {"many": [{"open": "yes"}]}
