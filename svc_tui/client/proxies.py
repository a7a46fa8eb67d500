"""The HTTP proxy of the environment through which a service is reached: `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`.

Chosen here for all connections of a profile, because libraries read these variables in different ways: none of
them knows networks in `NO_PROXY`, and some report the address of a proxy with its password.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from svc_tui.client.errors import Unreachable
from svc_tui.client.profile import is_loopback
from svc_tui.language import _

_PORTS = {"http": 80, "https": 443}
#: A network without its last numbers: `10/8`, `169.254/16`.
_SHORT = re.compile(r"(\d+(?:\.\d+){0,2})/(\d+)")
#: Addresses of events use the proxies of the other requests.
_SAME = {"ws": "http", "wss": "https"}


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy. `url` can have its login and its password; `variable` names it. The text has no password."""

    url: str
    variable: str

    def __str__(self) -> str:
        return f"{self.address} ({self.variable})"

    def __repr__(self) -> str:
        return f"<Proxy {self}>"

    @property
    def address(self) -> str:
        """Host and port."""
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def with_login(self) -> bool:
        """Whether the address has a login."""
        return "@" in urlsplit(self.url).netloc


def proxy_for(url: str, environ: Mapping[str, str] = os.environ) -> Proxy | None:
    """The proxy to an address, None for a direct connection. Unreachable for an unsuitable setting.

    This machine is always reached directly. A name in lower case comes before one in upper case, also when it is empty.
    """
    address = urlsplit(url)
    if is_loopback(address.hostname or "") or exception_for(url, environ):
        return None
    for name in (f"{_scheme(address)}_proxy", "all_proxy"):
        variable, value = _setting(name, environ)
        if value:
            return Proxy(_checked(variable, value), variable)
    return None


def exception_for(url: str, environ: Mapping[str, str] = os.environ) -> str:
    """The entry of `NO_PROXY` that an address matches; empty when none does.

    Entries are separated by commas or spaces: `*`, a host with all below it, an IP address, or a network such as
    `10.0.0.0/8` or `fd00::/8`; hosts and addresses also with a port.
    """
    address = urlsplit(url)
    host = (address.hostname or "").rstrip(".")
    port = address.port or _PORTS[_scheme(address)]
    entries = _setting("no_proxy", environ)[1].replace(",", " ").split()
    return next((entry for entry in entries if _matches(entry.lower(), host, port)), "")


def _scheme(address: SplitResult) -> str:
    return _SAME.get(address.scheme, address.scheme)


def _matches(entry: str, host: str, port: int) -> bool:
    if entry == "*":
        return True
    entry = entry.rpartition("://")[2]
    try:
        name, slash, bits = entry.partition("/")
        # Without brackets, a text with several colons is an address of IPv6 and has no port.
        parts = urlsplit(f"//{name}" if name.startswith("[") or name.count(":") < 2 else f"//[{name}]")
        if parts.port not in (None, port):
            return False
        return _is_within(host, (parts.hostname or "") + (slash + bits if bits.isdigit() else ""))
    except ValueError:
        return False


def _is_within(host: str, entry: str) -> bool:
    """Whether a host is an address of a network, or has this name or one below it."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        name = entry.removeprefix("*").strip(".")
        return bool(name) and (host == name or host.endswith(f".{name}"))
    address = getattr(address, "ipv4_mapped", None) or address
    if short := _SHORT.fullmatch(entry):
        entry = f"{short[1]}{'.0' * (3 - short[1].count('.'))}/{short[2]}"
    try:
        return address in ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return False


def _setting(name: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """A variable as it is written in the environment, and its value."""
    for variable in (name, name.upper()):
        # CGI passes the header `Proxy` of a request as HTTP_PROXY.
        if variable in environ and not (variable == "HTTP_PROXY" and "REQUEST_METHOD" in environ):
            return variable, environ[variable].strip()
    return name.upper(), ""


def _checked(variable: str, value: str) -> str:
    """The address of a proxy with its scheme. Unreachable, without the value, when it cannot be used."""
    url = value if "://" in value else f"http://{value}"
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0 and url.isprintable() and " " not in url
    except ValueError:
        usable = False
    if not usable:
        raise Unreachable(
            _(
                "{variable} is not the address of a proxy, such as http://proxy.example:3128. "
                "Write special characters of its password as %XX."
            ).format(variable=variable),
            temporary=False,
        )
    if parts.scheme not in _PORTS:
        raise Unreachable(
            _(
                "The proxy {address} ({variable}) uses {scheme}, and svc-tui uses HTTP proxies only. "
                "Set {instead} to one, or add the host of the service to NO_PROXY."
            ).format(
                address=parts.netloc.rpartition("@")[2],
                variable=variable,
                scheme=parts.scheme.upper(),
                instead="HTTPS_PROXY",
            ),
            temporary=False,
        )
    return url
