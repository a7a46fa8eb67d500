"""HTTP responses: JSON, and error bodies (section 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response

from svc_tui.interface.errors import MESSAGES


def json_response(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON response."""
    return json_text_response(to_json(body), status, headers)


def json_text_response(content: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response whose body is JSON already."""
    return Response(content, status, headers, media_type="application/json; charset=utf-8")


def error_response(status: int, details: str = "") -> Response:
    """An error before any rule: 400, 404 of a path, 405; 500 and 503 have no errorDetailsCode."""
    body = {"errorCode": status, "errorMsg": MESSAGES.get(status, "Error"), "errorDetails": details}
    return json_response(body if status >= 500 else {**body, "errorDetailsCode": status * 1000}, status)
