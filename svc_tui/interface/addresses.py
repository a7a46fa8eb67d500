"""Addresses: path templates of operations, in which `{name}` is one segment and `{name:path}` any number of them, and
the addresses that a browser can be redirected to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlsplit

from svc_tui.language import _

_PARAMETER = re.compile(r"{(\w+)(:path)?}")


def parameters_of(template: str) -> tuple[str, ...]:
    """The wire names of the parameters, in order."""
    return tuple(match[1] for match in _PARAMETER.finditer(template))


def readable(template: str) -> str:
    """The template with all parameters alike, for readers who do not need to know which of them can have slashes."""
    return _PARAMETER.sub(r"{\1}", template)


def filled(template: str, values: Mapping[str, str]) -> str:
    """The path with its parameters filled in, percent-encoded. ValueError with the name of a missing or empty one."""

    def fill(match: re.Match[str]) -> str:
        value = str(values.get(match[1], ""))
        parts = value.split("/") if match[2] else [value]
        if any(part in ("", ".", "..") for part in parts):
            raise ValueError(match[1])
        return "/".join(quote(part, safe="") for part in parts)

    return _PARAMETER.sub(fill, template)


def pattern_of(template: str) -> str:
    """A regular expression for the end of an address, with a group for each parameter; their values are encoded."""
    pattern, at = "", 0
    for found in _PARAMETER.finditer(template):
        segment = ".+" if found[2] else "[^/]+"
        pattern += f"{re.escape(template[at : found.start()])}(?P<{found[1]}>{segment})"
        at = found.end()
    return pattern + re.escape(template[at:])


#: Schemes whose addresses contain what the browser runs or shows, in the name of the page before.
_CONTENT_SCHEMES = ("javascript", "data", "vbscript", "blob", "about", "file", "filesystem", "view-source")
#: The machine of the browser: programs there listen for the end of a login.
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
#: Host and port of a page. Other characters, for example `;`, would have a meaning in policies that name the host.
_HOST = re.compile(r"([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")
_OF_PAGES = ("http", "https")


def redirect_problem(address: str) -> str:
    """Why a browser cannot be redirected to an address; empty if it can. Applications can have their own schemes."""
    try:
        parts = urlsplit(address)
        # Read here: a port that is none is an error too.
        has_port = parts.port != 0
    except ValueError:
        return _("is not a URL")
    # Browsers take a backslash for a slash: they would find another host in the address than the one that is checked.
    plain = has_port and address.isascii() and address.isprintable() and not set(" \\") & set(address)
    if not plain or not parts.scheme or not (parts.netloc or parts.path):
        return _("is not a URL; example: https://example.com/callback")
    if parts.scheme in _CONTENT_SCHEMES:
        return _("must not begin with {scheme}:").format(scheme=parts.scheme)
    if parts.scheme in _OF_PAGES and not _HOST.fullmatch(parts.netloc):
        return _("must have a host of letters, digits, dots and hyphens, without a user name")
    return ""


def is_within(address: str, domains: Iterable[str]) -> bool:
    """Whether the host of an address is one of the domains, below one of them, or the machine of the browser."""
    return _host(address) in _LOOPBACK or is_listed(address, domains)


def is_listed(address: str, domains: Iterable[str]) -> bool:
    """Whether the host of an address is one of the domains, or below one of them."""
    host = _host(address)
    listed = [domain.strip().lower().removeprefix("*.").strip(".") for domain in domains]
    return any(host == domain or host.endswith(f".{domain}") for domain in listed if domain)


def target_of(address: str) -> str:
    """What a page shows of an address: its host with the port, or the scheme of an application."""
    parts = urlsplit(address)
    return parts.netloc if parts.scheme in _OF_PAGES else f"{parts.scheme}:"


def _host(address: str) -> str:
    return (urlsplit(address).hostname or "").rstrip(".")
