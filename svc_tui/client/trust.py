"""The certificate authorities that connections of a profile trust."""

from __future__ import annotations

import os
import ssl
import sys
from contextlib import suppress

import certifi

from svc_tui.client.errors import NotTrusted
from svc_tui.client.profile import Profile
from svc_tui.language import _

#: The variable of a file to which the keys of connections are written, for programs that analyse them.
_KEY_LOG = "SSLKEYLOGFILE"


def trust(profile: Profile) -> ssl.SSLContext:
    """Trusted authorities: the CA bundle of the profile, otherwise those of the system and certifi."""
    if not profile.encrypted:
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        context = _context(profile.ca_bundle)
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


def key_log_fault() -> str:
    """Why the keys of connections are not written to the file of `SSLKEYLOGFILE`; empty when they are, or not asked
    for."""
    try:
        _write_keys(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _context(ca_bundle: str) -> ssl.SSLContext:
    """As `ssl.create_default_context`, but for a key log that cannot be written: it stops no connection."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if sys.version_info >= (3, 13):
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | ssl.VERIFY_X509_STRICT
    if ca_bundle:
        context.load_verify_locations(ca_bundle)
    else:
        context.load_default_certs()
        context.load_verify_locations(certifi.where())
    with suppress(OSError):
        _write_keys(context)
    return context


def _write_keys(context: ssl.SSLContext) -> None:
    if file := os.environ.get(_KEY_LOG, ""):
        context.keylog_filename = file
