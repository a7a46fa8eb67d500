"""Addresses that a browser is redirected to: what they can be, and the domains that they are limited to."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from svc_tui.language import _

#: Schemes whose addresses contain what the browser runs or shows, in the name of the page before.
_CONTENT_SCHEMES = ("javascript", "data", "vbscript", "blob", "about", "file", "filesystem", "view-source")
#: The machine of the browser: programs there listen for the end of a login.
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def redirect_problem(address: str) -> str:
    """Why a browser cannot be redirected to an address; empty if it can. Applications can have their own schemes."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return _("is not a URL")
    # Browsers take a backslash for a slash: they would find another host in the address than the one that is checked.
    plain = address.isascii() and address.isprintable() and not set(" \\") & set(address)
    if not plain or not parts.scheme or not (parts.netloc or parts.path):
        return _("is not a URL; example: https://example.com/callback")
    if parts.scheme in _CONTENT_SCHEMES:
        return _("must not begin with {scheme}:").format(scheme=parts.scheme)
    return ""


def is_within(address: str, domains: Iterable[str]) -> bool:
    """Whether the host of an address is one of the domains, below one of them, or the machine of the browser."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    allowed = [domain.strip().lower().removeprefix("*.").strip(".") for domain in domains]
    return host in _LOOPBACK or any(host == domain or host.endswith(f".{domain}") for domain in allowed if domain)
