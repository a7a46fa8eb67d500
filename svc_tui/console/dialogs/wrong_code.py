"""What is wrong with a second factor, in words: the service's own speak of login and password."""

from __future__ import annotations

from svc_tui.client.errors import Refused, ServiceError
from svc_tui.interface.errors import Code

CODE = "This code is wrong or was used already: type the next one that the authenticator shows."
RECOVERY = "This recovery code is wrong or was used already."


def said_of_code(error: ServiceError, *, recovery: bool = False) -> str:
    """The sentence for a refused code, or for whatever else came in its way."""
    wrong = isinstance(error, Refused) and error.code == Code.WRONG_CREDENTIALS
    return (RECOVERY if recovery else CODE) if wrong else str(error)
