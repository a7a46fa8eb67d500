"""The HTTP client: credentials, paging, retries, the call log. Importing it loads neither httpx nor pydantic."""

from svc_tui.client.errors import (
    InvalidResponse,
    LoginRefused,
    NotTrusted,
    OutcomeUnknown,
    ReadOnlyError,
    Refused,
    ServiceError,
    SessionEnded,
    Unreachable,
)
from svc_tui.client.profile import Profile

__all__ = [
    "InvalidResponse",
    "LoginRefused",
    "NotTrusted",
    "Profile",
    "ReadOnlyError",
    "Refused",
    "ServiceError",
    "SessionEnded",
    "OutcomeUnknown",
    "Unreachable",
]
