"""Loads the billing systems that the settings name."""

from __future__ import annotations

from importlib import import_module

from svc_tui.server.billing.interface import Billing
from svc_tui.server.settings import Settings, SettingsError

#: Name in the settings -> `package.module:Name`. Other values of the setting have this form themselves.
_KNOWN = {"simulator": "svc_tui.server.billing.simulator:Simulator"}


def load_billing(settings: Settings) -> Billing:
    """The billing systems of the settings, created with the settings as their argument. SettingsError."""
    module, colon, name = _KNOWN.get(settings.billing, settings.billing).partition(":")
    try:
        if not colon:
            raise ImportError("neither a known name nor package.module:Name")
        billing: Billing = getattr(import_module(module), name)(settings)
    except (ImportError, AttributeError) as error:
        raise SettingsError(f"setting billing: {settings.billing} cannot be used: {error}") from error
    return billing
