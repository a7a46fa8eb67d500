"""The record of the error body (section 7). The codes and sentences are in `errors`, which loads no records."""

from __future__ import annotations

from typing import Any, ClassVar

from svc_tui.interface.records import Record


class ErrorBody(Record):
    """The body of every refusal. Details are a text, one {param, msg, value}, or a list of these."""

    ALWAYS: ClassVar = ("errorCode", "errorMsg", "errorDetails")

    error_code: int = 500
    error_msg: str = ""
    error_details: str | dict[str, Any] | list[dict[str, Any]] | None = None
    error_details_code: int | None = None
