"""Which billing systems a server speaks to: chosen by the name in its settings."""

from __future__ import annotations

from importlib import import_module

from svc_tui.server.billing.interface import Billing
from svc_tui.server.settings import Settings, SettingsError

#: Name in the settings -> where it is; anything else of the form `package.module:Name` is taken as it stands.
_KNOWN = {"simulator": "svc_tui.server.billing.simulator:Simulator"}


def billing_of(settings: Settings) -> Billing:
    """The billing systems that the settings name; they are given the settings. SettingsError."""
    module, colon, name = _KNOWN.get(settings.billing, settings.billing).partition(":")
    try:
        if not colon:
            raise ImportError("neither a name that is known nor package.module:Name")
        made: Billing = getattr(import_module(module), name)(settings)
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"setting billing: {settings.billing} cannot be used: {error}") from error
    return made
