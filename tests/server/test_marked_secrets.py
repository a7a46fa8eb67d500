"""Secrets stay where they belong: marked ones, sent wherever a client can send them, are in no log, error or event."""

from __future__ import annotations

import logging

import pytest
import sqlalchemy as sa

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.server.store.tables import metadata
from tests.support.world import APP, World, granted

AUTH = "/api/svc/authentication/v1.0"
APPS = "/api/svc/applications/v1.0/applications"
USERS = "/api/svc/admin/v1.0/users"
MARK = "m4rked-s3cret"
#: Tables that hold what a caller sent or a log of it, and must hold none of it.
LOGS = ("event_log", "outbox", "request_rates", "login_guards", "usage_counters", "tickets", "audit_records")


async def test_marked_secrets_are_in_no_log_error_or_event(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="svc_tui")
    jane = await world.user()
    root = await world.user("root@example.com", roles=("superadmin",))
    verify = f"/api/svc/enduser/v1.0/users/{jane['id']}/mfa/verify"
    own, named = f"/api/svc/enduser/v1.0/users/{jane['id']}/change-password", {"firstName": "N", "lastName": "N"}
    named["loginEmail"] = "new@example.com"
    form = dict.fromkeys(("code", "client_secret", "code_verifier", "refresh_token", "password", "login"), MARK)
    everywhere = {
        "authorization": f"Bearer {MARK}",
        "x-svc-api-key": MARK,
        "x-svc-challenge": MARK,
        APP_AUTH: app_auth(APP, MARK, MARK),
        "apikey": MARK,
        "cookie": f"svc-sso={MARK}",
        "x-svc-correlation-id": MARK,
    }
    answers = [
        await world.login(password=MARK),
        await world.login(MARK, MARK, secret=MARK),
        await world.get(f"{AUTH}/login", headers={"authorization": basic(MARK, MARK)}),
        await world.get(f"{AUTH}/validator", headers=everywhere),
        await world.get(f"{AUTH}/validator", headers={**everywhere, "authorization": ""}),
        await world.get(f"{AUTH}/oidc-client/logout", params={"token": MARK}),
        await world.get(f"{AUTH}/oidc-client/callback", params={"code": MARK, "state": MARK}, headers=everywhere),
        await world.get(f"{AUTH}/oidc-client/jwt", params={"id_token": MARK, "nonce": MARK}, headers=everywhere),
        await world.post(f"{AUTH}/oauth/token", data={"grant_type": "authorization_code", **form}, auth=(APP, MARK)),
        await world.post(f"{AUTH}/oauth/token", data={"grant_type": "refresh_token", **form}, auth=(APP, MARK)),
        await world.post(f"{AUTH}/oauth/login", data={"request": MARK, **form}, headers=everywhere),
        await world.post(f"{AUTH}/oauth/consent", data={"request": MARK, **form}, headers=everywhere),
        await world.post(verify, by=jane, json={"token": MARK}),
        await world.put(f"{APPS}/{APP}", by=root, json={"appSecret": [MARK], "type": "none"}),
        await world.post(APPS, by=root, json={"appSecret": MARK, "type": "none"}),
        await world.post(USERS, by=root, json={**named, "password": MARK}),
        await world.put(f"{USERS}/{jane['id']}", by=root, json={"password": MARK}),
        await world.put(own, by=jane, json={"oldPassword": MARK, "newPassword": MARK}),
        await world.put(own, by=jane, json={"oldPassword": MARK, "newPassword": f"Good-1-{MARK}"}),
    ]
    created = {"name": "Marked", "type": "web", "activity": "J", "appSecret": MARK, "ownerId": root["id"]}
    await world.post(APPS, by=root, json=created)
    await world.company()
    user = await world.post(USERS, by=root, json={**named, "password": f"Good-1-{MARK}"})
    assert MARK not in str(granted(user))
    assert MARK not in str(granted(await world.put(f"{USERS}/{jane['id']}", by=root, json={"password": f"A-{MARK}-B"})))
    granted(await world.login("root@example.com"))
    for answer in answers:
        assert answer.status_code >= 300, answer.request.url
        assert MARK not in answer.text, (answer.request.url, answer.text)
        assert answer.status_code < 500
    said = "\n".join(logging.Formatter().format(record) for record in caplog.records)
    assert "/oauth/token" in said
    assert MARK not in said
    async with world.service.database.unit() as store:
        for name in (name for name in LOGS if name in metadata.tables):
            rows = await store.rows(sa.select(metadata.tables[name]))
            assert MARK not in repr(rows), name
