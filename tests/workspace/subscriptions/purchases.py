"""A scripted service that sells subscriptions to one company."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx

from svc_tui.cache.cached import RecordDict
from tests.workspace.line import PING

_ALL = "/api/svc/subscription/v1.0/companies/c0/subscriptions"
PATH = {"companyId": "c0"}


def path_of(subscription_id: str) -> dict[str, str]:
    return {**PATH, "subscriptionId": subscription_id}


class Shop(httpx.AsyncBaseTransport):
    """`held` are its subscriptions. `done` counts what was changed by method; `refusal` is the response to reads."""

    def __init__(self, *held: RecordDict) -> None:
        self.held: dict[str, RecordDict] = {str(row["id"]): row for row in held}
        self.companies: list[RecordDict] = []
        self.done: list[str] = []
        self.refusal: httpx.Response | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        if path == PING:
            return httpx.Response(200, json={"status": "OK"})
        if request.method == "GET" and self.refusal is not None:
            return self.refusal
        if path.endswith("/companies"):
            return httpx.Response(
                200, json={"data": self.companies, "limit": 1000, "offset": 0, "total": len(self.companies)}
            )
        found = re.fullmatch(_ALL + r"(?:/(\w+))?", path)
        assert found is not None, path
        if request.method != "GET":
            self.done.append(request.method)
        body = json.loads(request.content) if request.content else {}
        return self._answer(request.method, found[1] or "", body)

    def _answer(self, method: str, record_id: str, body: dict[str, Any]) -> httpx.Response:
        if method == "POST":
            record_id = f"s{len(self.held)}"
            self.held[record_id] = {"id": record_id, "status": "creating", "syncOngoing": True, **body}
        elif not record_id:
            return httpx.Response(200, json={"data": list(self.held.values())})
        elif record_id not in self.held:
            return httpx.Response(404, json={"errorCode": 404, "errorDetailsCode": 404000, "errorMsg": "Not found"})
        elif method == "PUT":
            self.held[record_id] = {**self.held[record_id], **body, "syncOngoing": True}
        elif method == "DELETE":
            del self.held[record_id]
            return httpx.Response(200, json={"status": "deleted", "data": []})
        return httpx.Response(200, json={"data": self.held[record_id]})
