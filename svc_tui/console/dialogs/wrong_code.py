"""Errors of the second factor; those of the service speak of login and password."""

from __future__ import annotations

from svc_tui.client.errors import Refused, ServiceError
from svc_tui.interface.errors import Code
from svc_tui.language import _

CODE = _("This code is wrong or already used. Type the next code of the authenticator.")
RECOVERY = _("This recovery code is wrong or already used.")


def code_error(error: ServiceError, *, recovery: bool = False) -> str:
    """The sentence for a refused code or another error."""
    wrong = isinstance(error, Refused) and error.code == Code.WRONG_CREDENTIALS
    return (RECOVERY if recovery else CODE) if wrong else str(error)
