"""The version of each module: `GET /api/svc/MODULE/v1.0/about`, as clients use it to try a connection.

The about of the authentication module is an operation of the catalogue; those of the other modules are no operations.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from svc_tui import __version__
from svc_tui.server.http.responses import json_response

#: What each module is called in its own answer.
PORTALS = {
    "admin": "Administration",
    "applications": "Application",
    "audit": "Audit",
    "authentication": "Authentication",
    "directory": "Directory",
    "enduser": "End user",
    "invoicing": "Invoicing",
    "massprovisioning": "Mass provisioning",
    "metrics": "Metrics",
    "subscription": "Subscription",
    "voiceprovisioning": "Voice provisioning",
}


def about(module: str) -> dict[str, str]:
    """The version of a module, and what the module is."""
    return {"version": __version__, "description": f"{PORTALS[module]} portal"}


def about_routes(paths: Iterable[str]) -> list[Route]:
    """A route for each module, except for addresses that an operation has: `paths` are those of the operations."""
    taken = set(paths)
    addresses = {module: f"/api/svc/{module}/v1.0/about" for module in PORTALS}
    return [_route(module, address) for module, address in addresses.items() if address not in taken]


def _route(module: str, address: str) -> Route:
    async def endpoint(_request: Request) -> Response:
        return json_response(about(module))

    route = Route(address, endpoint, methods=["GET"])
    # As for operations: GET only, without HEAD.
    route.methods = {"GET"}
    return route
