"""A service in this process with the few records that a test needs, and callers that speak HTTP to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx
from starlette.applications import Starlette

from svc_tui.interface.authentication.proof import APP_AUTH, app_auth, basic
from svc_tui.interface.dates import stamp
from svc_tui.server.service import Service
from tests.support.clock import SetClock

PASSWORD = "Correct-horse-1"
APP_SECRET = "the application's secret"
COMPANY = "c0" * 12
OTHER_COMPANY = "c1" * 12
PARTNER = "bb" * 12
ORGANISATION = "0a" * 12
SITE = "51" * 12
APP = "a0" * 12

Document = dict[str, Any]


@dataclass
class World:
    """A fresh service. Records are written straight into its store, everything else goes through HTTP."""

    app: Starlette
    service: Service
    clock: SetClock
    http: httpx.AsyncClient

    async def company(self, id: str = COMPANY, **fields: Any) -> Document:
        """A company; active."""
        document = {"id": id, "name": f"Company {id[:4]}", "status": "active", "isBP": False, **fields}
        return await self._put("companies", document)

    async def user(
        self,
        login: str = "jane@example.com",
        *,
        roles: tuple[str, ...] = ("user",),
        password: str = PASSWORD,
        **fields: Any,
    ) -> Document:
        """A user with a password. The three admin types are given as roles, as the operations name them."""
        types = [role for role in roles if role in ("company_admin", "organization_admin", "site_admin")]
        document = {
            "id": fields.pop("id", None) or self.service.ids.record(),
            "loginEmail": login,
            "firstName": login.split("@")[0].title(),
            "lastName": "Example",
            "displayName": f"{login.split('@')[0].title()} Example",
            "roles": sorted({"user", *(set(roles) - set(types)), *(["admin"] if types else [])}),
            "adminType": types[0] if types else "undefined",
            "companyId": COMPANY,
            "companyName": "Company c0c0",
            "isActive": True,
            "isInitialized": True,
            "isTerminated": False,
            "timeToLive": -1,
            "creationDate": stamp(self.clock.now()),
            "lastUpdateDate": stamp(self.clock.now()),
            **fields,
        }
        await self._put("users", document)
        secrets = {"id": document["id"], "passwordHash": self.service.passwords.hash(password)}
        await self._put("user_secrets", secrets)
        return document

    async def application(self, id: str = APP, **fields: Any) -> Document:
        """An application; active and deployed."""
        document = {
            "id": id,
            "name": f"Application {id[:4]}",
            "type": "web",
            "activity": "J",
            "kpi": "business",
            "state": "active",
            "env": "deployed",
            "ownerId": "f0" * 12,
            "appSecret": APP_SECRET,
            "dateOfCreation": stamp(self.clock.now()),
            **fields,
        }
        return await self._put("applications", document)

    async def _put(self, kind: str, document: Document) -> Document:
        async with self.service.database.unit() as store:
            await getattr(store, kind).put(document)
        return document

    async def stored(self, kind: str, id: str) -> Document:
        """A record as it lies in the store."""
        async with self.service.database.unit() as store:
            found = await getattr(store, kind).get(id)
        assert found is not None, f"no {kind} {id}"
        return dict(found)

    def token(self, user: Document, application: str = APP, **claims: Any) -> str:
        """A valid token of a user, without the detour over the login."""
        now = int(self.clock.now().timestamp())
        return self.service.tokens.sign(
            {
                "countRenewed": 0,
                "maxTokenRenew": self.service.settings.max_token_renew,
                "user": {"id": user["id"], "loginEmail": user["loginEmail"]},
                "app": {"id": application, "name": "Application"},
                "iat": now,
                "exp": now + self.service.settings.token_lifetime,
                **claims,
            }
        )

    async def send(
        self,
        method: str,
        path: str,
        *,
        by: Document | None = None,
        headers: dict[str, str] | None = None,
        **options: Any,
    ) -> httpx.Response:
        """One request, by a user or without a user."""
        credentials = {"authorization": f"Bearer {self.token(by)}"} if by else {}
        return await self.http.request(method, path, headers={**credentials, **(headers or {})}, **options)

    async def get(self, path: str, *, by: Document | None = None, **options: Any) -> httpx.Response:
        return await self.send("GET", path, by=by, **options)

    async def post(self, path: str, *, by: Document | None = None, **options: Any) -> httpx.Response:
        return await self.send("POST", path, by=by, **options)

    async def put(self, path: str, *, by: Document | None = None, **options: Any) -> httpx.Response:
        return await self.send("PUT", path, by=by, **options)

    async def delete(self, path: str, *, by: Document | None = None, **options: Any) -> httpx.Response:
        return await self.send("DELETE", path, by=by, **options)

    async def login(
        self,
        login: str = "jane@example.com",
        password: str = PASSWORD,
        *,
        app: str = APP,
        secret: str = APP_SECRET,
        **headers: str,
    ) -> httpx.Response:
        """A login as clients send it; further headers with `_` for `-`."""
        sent = {"authorization": basic(login, password), APP_AUTH: app_auth(app, secret, password)}
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        return await self.http.get("/api/svc/authentication/v1.0/login", headers=sent)


def refused(answer: httpx.Response, code: int) -> Document:
    """The body of a refusal with this errorDetailsCode; fails on anything else."""
    body: Document = answer.json()
    assert (answer.status_code, body.get("errorDetailsCode")) == (code // 1000, code), (answer.status_code, body)
    return body


def granted(answer: httpx.Response) -> Document:
    """The body of an answer that was not refused."""
    assert answer.status_code == 200, (answer.status_code, answer.text)
    body: Document = answer.json()
    return body
