"""Routes that are found by their first words are those that Starlette finds when it tries all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from starlette.routing import Match, Route

from svc_tui.server.http.application import load_rules
from svc_tui.server.http.routing import OperationRoutes
from svc_tui.server.rules import rules

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH")
#: What parameters are replaced by: an id, a word, nothing, and a value with slashes.
VALUES = ("0a" * 12, "current", "", "a/b", "a/b/c/d/e/f/g/h/i/j")


async def _endpoint(_request: Any) -> None: ...


def _routes() -> list[Route]:
    load_rules()
    return [Route(each.path, _endpoint, methods=[each.method], name=each.id) for each, _ in rules()]


def _paths(routes: list[Route]) -> Iterator[str]:
    for route in routes:
        for value in VALUES:
            path = re.sub(r"\{[^}]*\}", value, route.path)
            yield from (path, f"{path}/", path.rpartition("/")[0], f"{path}/more")
    yield from (
        "",
        "/",
        "/api",
        "/api/svc",
        "/api/svc/",
        "//",
        "nothing",
        "/health/live",
        "/api/svc/unknown/v1.0/users",
    )


def _tried(routes: list[Route], scope: dict[str, Any]) -> tuple[Match, str]:
    found = [(route.matches(scope)[0], str(route.name)) for route in routes]
    whole = [each for each in found if each[0] is Match.FULL]
    partly = [each for each in found if each[0] is Match.PARTIAL]
    return [*whole, *partly, (Match.NONE, "")][0]


def test_each_address_has_the_route_that_is_found_by_trying_all() -> None:
    routes = _routes()
    operations = OperationRoutes(routes)
    differing = []
    for path in set(_paths(routes)):
        for method in METHODS:
            scope = {"type": "http", "method": method, "path": path}
            match, found = operations.matches(scope)
            name = str(found["svc_tui.route"].name) if found else ""
            if (match, name) != _tried(routes, scope):
                differing.append((method, path, name))
    assert not differing


def test_a_path_below_that_of_a_proxy_is_found_too() -> None:
    scope = {"type": "http", "method": "GET", "path": "/below/api/svc/ping", "root_path": "/below"}
    assert OperationRoutes(_routes()).matches(scope)[0] is Match.FULL
