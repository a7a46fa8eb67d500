"""The session on disk, and two consoles that share it."""

from __future__ import annotations

import asyncio
import json
import stat

import pytest

from svc_tui.client import login as logins
from svc_tui.client.errors import SessionEnded
from svc_tui.client.session import Session
from svc_tui.client.session_store import SessionStore
from svc_tui.interface.authentication.users import get_own_user
from tests.client.support import NOW, FakeClock, jwt
from tests.support.world import PASSWORD

JANE = "jane@example.com"


def file_of(store):
    return store._file


async def logged_in(connect, store, **options):
    client = connect(store, **options)
    await logins.login(client, JANE, PASSWORD)
    return client


async def test_a_stored_session_is_restored_and_private(world, connect, store):
    await world.user()
    await logged_in(connect, store)
    assert stat.S_IMODE(file_of(store).stat().st_mode) == 0o600
    assert stat.S_IMODE(file_of(store).parent.stat().st_mode) == 0o700
    other = connect(store)
    assert other.session.restore()
    assert (await other.call(get_own_user)).data.login_email == JANE


async def test_the_password_is_not_stored_and_that_for_events_only_beside_the_token(world, connect, store):
    await world.user(jid_password="0" * 32)
    await logged_in(connect, store)
    text = file_of(store).read_text()
    assert PASSWORD not in text
    assert "jid_password" not in text
    assert text.count("0" * 32) == 1
    assert file_of(store).stat().st_mode & 0o777 == 0o600
    assert "0" * 32 not in repr(store.read())


async def test_a_restored_session_can_receive_events(world, connect, store):
    await world.user(jid_im="jane@svc.test", jid_password="0" * 32)
    await logged_in(connect, store)
    restored = connect(store).session
    assert restored.restore()
    assert (restored.user["jid_im"], restored.user["jid_password"]) == ("jane@svc.test", "0" * 32)


async def test_a_logout_removes_the_password_for_events_from_the_disk(world, connect, store):
    await world.user(jid_password="0" * 32)
    client = await logged_in(connect, store)
    client.session.end()
    assert not file_of(store).exists()


async def test_a_session_that_was_stored_without_a_password_for_events_is_restored(world, connect, store):
    await world.user()
    await logged_in(connect, store)
    values = json.loads(file_of(store).read_text())
    del values["messaging_password"]
    file_of(store).write_text(json.dumps(values))
    restored = connect(store).session
    assert restored.restore()
    assert "jid_password" not in restored.user


@pytest.mark.parametrize("fields", [{"base_url": "http://other.test"}, {"app_id": "b0" * 12}])
async def test_a_profile_with_another_address_does_not_get_the_token(world, connect, store, fields):
    await world.user()
    await logged_in(connect, store)
    assert not connect(store, **fields).session.restore()


@pytest.mark.parametrize(
    ("before", "after", "restored"),
    [
        ("", JANE.upper(), True),
        (JANE, "", True),
        # Another login was typed than the one of the profile.
        ("own@example.com", "own@example.com", True),
        (JANE, "other@example.com", False),
        ("", "other@example.com", False),
    ],
)
async def test_a_profile_with_another_login_does_not_get_the_session(world, connect, store, before, after, restored):
    await world.user()
    await logged_in(connect, store, login=before)
    assert connect(store, login=after).session.restore() is restored


async def test_an_expired_session_is_not_restored(world, connect, store):
    await world.user()
    await logged_in(connect, store)
    world.clock.forward(hours=2)
    assert not connect(store).session.restore()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"token": 1, "received": "x", "base_url": "", "app_id": ""}'])
def test_a_damaged_file_is_not_a_session(store, text):
    file_of(store).parent.mkdir()
    file_of(store).write_text(text)
    assert store.read() is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", "é"),
        ("token", "a\nb"),
        ("received", float("inf")),
        ("application", 3),
        ("profile_login", None),
        ("user", []),
    ],
)
async def test_a_file_with_a_damaged_value_is_not_a_session(world, connect, store, name, value):
    await world.user()
    await logged_in(connect, store)
    file_of(store).write_text(json.dumps({**json.loads(file_of(store).read_text()), name: value}))
    assert not connect(store).session.restore()


async def test_the_limited_token_of_a_login_in_progress_is_not_stored(serve, store):
    session = Session(serve(lambda request: None).profile, store)
    session.accept({"token": jwt(mfaType="totp")})
    assert store.read() is None


async def test_two_consoles_renew_once_between_them(world, connect, store):
    await world.user()
    first = await logged_in(connect, store)
    second = connect(store)
    second.session.restore()
    world.clock.forward(seconds=4100)
    await asyncio.gather(first.call(get_own_user), second.call(get_own_user))
    assert first.session.token == second.session.token
    assert first.session.claims.renewed == 1
    renewals = [call for client in (first, second) for call in client.log.exchanges if call.url.endswith("/renew")]
    assert len(renewals) == 1


async def test_a_console_with_an_expired_token_takes_the_newer_one_of_another_console(world, connect, store):
    await world.user()
    first = await logged_in(connect, store)
    world.clock.forward(hours=3)
    await logged_in(connect, store)
    assert (await first.call(get_own_user)).data.login_email == JANE


async def test_a_console_never_becomes_another_user(world, connect, store):
    await world.user()
    await world.user("joe@example.com")
    jane = await logged_in(connect, store)
    world.clock.forward(hours=3)
    joe = connect(store)
    await logins.login(joe, "joe@example.com", PASSWORD)
    with pytest.raises(SessionEnded):
        await jane.call(get_own_user)


async def test_renewing_does_not_overwrite_the_session_of_another_user(world, connect, store):
    await world.user()
    await world.user("joe@example.com")
    jane = await logged_in(connect, store)
    await logins.login(connect(store), "joe@example.com", PASSWORD)
    world.clock.forward(seconds=4100)
    await jane.call(get_own_user)
    assert jane.session.claims.renewed == 1
    assert store.read().user["loginEmail"] == "joe@example.com"


async def test_a_logout_deletes_the_file_also_for_renewals_of_another_console(world, connect, store):
    await world.user()
    first = await logged_in(connect, store)
    second = connect(store)
    second.session.restore()
    await logins.logout(first)
    assert store.read() is None
    world.clock.forward(seconds=4100)
    await second.call(get_own_user)
    assert second.session.claims.renewed == 1
    assert store.read() is None


async def test_a_console_without_the_lock_continues_with_its_token(store):
    async with store.locked() as first, store.locked(patience=0.0) as second:
        assert (first, second) == (True, False)
    async with store.locked(patience=0.0) as third:
        assert third


async def test_a_read_only_folder_is_reported_and_stops_nothing(serve, tmp_path):
    (tmp_path / "file").write_text("")
    store = SessionStore(tmp_path / "file" / "sessions", "p")
    session = Session(serve(lambda request: None).profile, store, clock=FakeClock())
    session.accept({"token": jwt()})
    assert session.state == "full"
    assert session.error_message.startswith("The session cannot be stored on disk (")
    async with store.locked() as locked:
        assert locked


async def test_a_failed_write_leaves_the_old_session_and_no_other_file(store, monkeypatch):
    profile = None
    from svc_tui.client.session_store import StoredSession

    old = StoredSession(token=jwt(), received=NOW, base_url="b", app_id="a")
    store.write(old)

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(json, "dump", full)
    with pytest.raises(OSError, match="No space left"):
        store.write(StoredSession(token="other", received=NOW, base_url="b", app_id="a"))
    assert store.read() == old
    assert [path.name for path in file_of(store).parent.iterdir()] == ["test.json"]
    assert profile is None


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "..", "prod eu", "ä"])
def test_any_profile_name_is_one_file_in_the_folder(tmp_path, name):
    assert file_of(SessionStore(tmp_path, name)).parent == tmp_path


async def test_an_api_key_is_not_stored(serve, store):
    profile = serve(lambda request: None, method="api_key", api_key="k").profile
    Session(profile, store).accept_key("other-key", {"id": "u1"})
    assert store.read() is None
