"""The route of an operation by the first words of its path: two hundred patterns are not tried one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

#: Where the matching route is between `matches` and `handle`.
_FOUND = "svc_tui.route"


class OperationRoutes(BaseRoute):
    """Routes that are tried in their order, as by Starlette, but only those that a path can have."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes = tuple(routes)
        self._longest = 1 + max((_slashes(each.path) for each in self._routes), default=0)
        #: By the word and the number of slashes. A parameter with slashes is in the groups of all longer paths.
        self._groups: dict[tuple[str, int], list[Route]] = {}
        for route in self._routes:
            slashes = _slashes(route.path)
            for number in range(slashes, self._longest + 1 if ":path}" in route.path else slashes + 1):
                self._groups.setdefault((_word(route.path), number), []).append(route)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        partly: tuple[Match, Scope] = (Match.NONE, {})
        for route in self._candidates(scope):
            match, found = route.matches(scope)
            if match is Match.FULL:
                return match, {**found, _FOUND: route}
            if match is Match.PARTIAL and partly[0] is Match.NONE:
                partly = match, {**found, _FOUND: route}
        return partly

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await scope[_FOUND].handle(scope, receive, send)

    def methods_at(self, scope: Scope) -> Iterator[str]:
        """The methods of all operations at the address of a request."""
        for route in self._candidates(scope):
            if route.matches(scope)[0] is not Match.NONE:
                yield from route.methods or ()

    def _candidates(self, scope: Scope) -> Iterable[Route]:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        return self._groups.get((_word(path), min(_slashes(path), self._longest)), ())


def _slashes(path: str) -> int:
    return path.count("/")


def _word(path: str) -> str:
    """The area of `/api/svc/AREA/v1.0/…`, otherwise the word behind `/api/`."""
    _, _, *words = [*path.split("/", 4), "", ""]
    return words[1] if words[0] == "svc" else words[0]
