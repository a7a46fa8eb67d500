"""What speaks HTTP: credentials, paging, retries, the call log. Importing it loads neither httpx nor pydantic."""

from svc_tui.client.errors import (
    Garbled,
    LoginRefused,
    NotTrusted,
    ReadOnly,
    Refused,
    ServiceError,
    SessionEnded,
    Unclear,
    Unreachable,
)
from svc_tui.client.profile import Profile

__all__ = [
    "Garbled",
    "LoginRefused",
    "NotTrusted",
    "Profile",
    "ReadOnly",
    "Refused",
    "ServiceError",
    "SessionEnded",
    "Unclear",
    "Unreachable",
]
