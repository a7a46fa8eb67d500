"""Addresses that a browser is redirected to: what they can be."""

from __future__ import annotations

from urllib.parse import urlsplit

#: Schemes whose addresses contain what the browser runs or shows, in the name of the page before.
_CONTENT_SCHEMES = ("javascript", "data", "vbscript", "blob", "about", "file", "filesystem", "view-source")


def redirect_problem(address: str) -> str:
    """Why a browser cannot be redirected to an address; empty if it can. Applications can have their own schemes."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return "is not a URL"
    plain = address.isascii() and address.isprintable() and " " not in address
    if not plain or not parts.scheme or not (parts.netloc or parts.path):
        return "is not a URL; example: https://example.com/callback"
    if parts.scheme in _CONTENT_SCHEMES:
        return f"must not begin with {parts.scheme}:"
    return ""
