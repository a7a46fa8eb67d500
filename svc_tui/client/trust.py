"""The certificate authorities that connections of a profile trust."""

from __future__ import annotations

import ssl

import certifi

from svc_tui.client.errors import NotTrusted
from svc_tui.client.profile import Profile
from svc_tui.language import _


def trust(profile: Profile) -> ssl.SSLContext:
    """Trusted authorities: the CA bundle of the profile, otherwise those of the system and certifi."""
    if not profile.encrypted:
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context = ssl.create_default_context(cafile=profile.ca_bundle or None)
        if not profile.ca_bundle:
            context.load_verify_locations(certifi.where())
    except (OSError, ssl.SSLError) as error:
        raise NotTrusted(
            _("The CA bundle {ca_bundle} has no readable certificates. Correct ca_bundle.").format(
                ca_bundle=profile.ca_bundle
            )
        ) from error
    if not profile.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
