"""Uploads over a real connection: refusals while the client still sends, and the limits of the operator."""

from __future__ import annotations

from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from svc_tui.interface.authentication.proof import API_KEY, APP_AUTH, CHALLENGE, app_auth, basic
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD, account
from svc_tui.server.http.application import build
from svc_tui.server.service import service_of
from svc_tui.server.settings import Settings
from tests.support.clock import SetClock
from tests.support.pictures import picture
from tests.support.process import serving_demo
from tests.support.world import APP, COMPANY, World, granted, refused
from tests.support.world import APP_SECRET as APP_SECRET_OF_TESTS

LOGIN = "/api/svc/authentication/v1.0/login"


def test_a_client_that_sends_too_much_gets_the_refusal(tmp_path: Path) -> None:
    with serving_demo(tmp_path) as server, httpx.Client(base_url=server.url, timeout=30) as http:
        proof = app_auth(APP_ID, APP_SECRET, PASSWORD)
        login = basic("company_admin@demo.example", PASSWORD)
        body = http.get(LOGIN, headers={"authorization": login, APP_AUTH: proof}).json()
        mine = {"authorization": f"Bearer {body['token']}", "content-type": "image/png"}
        path = f"/api/svc/admin/v1.0/companies/{account('company_admin').company_id}/avatar"
        for length, code in ((30_000_000, 413000), (4_194_305, 413000), (4_000_000, 400000)):
            assert refused(http.post(path, headers=mine, content=b"x" * length), code)
        for by, code in (({}, 401102), ({"authorization": "Bearer nonsense"}, 401202)):
            refused(http.post(path, headers={"content-type": "image/png", **by}, content=b"x" * 9_000_000), code)
        granted(http.post(path, headers=mine, content=picture()))
        # A plain client sends the whole body before it reads the response: a cut connection would hide the refusal.
        plain = HTTPConnection(urlsplit(server.url).netloc, timeout=30)
        plain.request("POST", path, body=b"x" * 30_000_000, headers={**mine, "connection": "close"})
        assert plain.getresponse().status == 413
        plain.close()


@pytest.mark.parametrize(("setting", "tail"), [("largest_avatar", "avatar"), ("largest_splash_screen", "splashscreen")])
async def test_limits_come_from_the_settings(tmp_path: Path, clock: SetClock, setting: str, tail: str) -> None:
    settings = Settings.model_validate({"data_dir": tmp_path, "cheap_hashes": True, setting: 2048})
    service = service_of(settings, clock=clock)
    app = build(settings, service=service)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://svc.test") as http,
    ):
        world = World(app, service, clock, http)
        await world.company()
        await world.application()
        clara = await world.user(roles=("company_admin",))
        path, png = f"/api/svc/admin/v1.0/companies/{COMPANY}/{tail}", {"content-type": "image/png"}
        body = refused(await world.post(path, by=clara, content=b"x" * 2049, headers=png), 413000)
        assert body["maxSize"] == 2048
        granted(await world.post(path, by=clara, content=picture(size=(20, 20)), headers=png))


async def test_upload_with_an_api_key(world: World) -> None:
    clara = await world.user(roles=("company_admin",))
    body = {"description": "pictures", "isActive": True, "scope": ["all"]}
    key = granted(await world.post("/api/svc/authentication/v1.0/apikeys", by=clara, json=body))["data"]["apiKey"]
    path = f"/api/svc/admin/v1.0/companies/{COMPANY}/avatar"

    def headers(challenge: str) -> dict[str, str]:
        proof = app_auth(APP, APP_SECRET_OF_TESTS, challenge)
        return {API_KEY: key, CHALLENGE: challenge, APP_AUTH: proof, "content-type": "image/png"}

    granted(await world.post(path, content=picture(), headers=headers("first")))
    # A challenge counts once, whatever became of the request.
    refused(await world.post(path, content=picture(), headers=headers("first")), 401102)
    granted(await world.post(path, content=picture(), headers=headers("second")))
