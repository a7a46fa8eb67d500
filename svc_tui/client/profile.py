"""The connection profile: the address of the service, the login, and the words of the deployment."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args
from urllib.parse import SplitResult, urlsplit

from svc_tui.language import _

LoginMethod = Literal["password", "sso", "api_key"]
#: When cached records can be browsed without a login. A logout hides or removes them, unless it is "always".
BrowseCache = Literal["always", "until_logout", "never"]

#: Whether the console is frugal: when the link is measured as slow, or without measuring.
SlowLink = Literal["auto", "always", "never"]

#: Colours that mark a profile in the top line.
COLOURS = ("red", "yellow", "green", "blue", "magenta")

_WORD = re.compile(r"[a-z]{2}[a-z0-9]*")
#: What no credential has, and editors, files and other machines add unseen.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_SIGNS = {
    "\r": _("a carriage return, the end of a line on Windows"),
    "\n": _("a line feed, the end of a line"),
    "\t": _("a tab"),
    "\ufeff": _("a byte order mark"),
}

#: Environment variable -> key of the profile.
ENVIRONMENT = {
    "SVC_TUI_BASE_URL": "base_url",
    "SVC_TUI_LOGIN": "login",
    "SVC_TUI_PASSWORD": "password",
    "SVC_TUI_APP_ID": "app_id",
    "SVC_TUI_APP_SECRET": "app_secret",
    "SVC_TUI_API_KEY": "api_key",
}

#: The name of the profile of a running demo.
DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Profile:
    """How to connect to a deployment. ValueError with a sentence for an invalid value.

    `password` comes from the environment or the demo only and is never stored. `app_token` is the optional
    application token of section 5.1. `brand`, `voice_brand` and `billing_brand` are the words that the deployment
    uses where the interface says `svc`, `voice` and `billing`. Without `verify`, the state of
    the connection on the screen shows it.
    """

    name: str
    base_url: str
    app_id: str = ""
    app_secret: str = field(default="", repr=False)
    login: str = ""
    method: LoginMethod = "password"
    api_key: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    app_token: str = field(default="", repr=False)
    brand: str = "svc"
    voice_brand: str = "voice"
    billing_brand: str = "billing"
    ca_bundle: str = ""
    verify: bool = True
    read_only: bool = False
    theme: str = ""
    colour: str = ""
    keymap: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    xmpp_host: str = ""
    browse_cache: BrowseCache = "until_logout"
    slow_link: SlowLink = "auto"

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        _check_address(self.base_url)
        for name in ("brand", "voice_brand", "billing_brand"):
            if not _WORD.fullmatch(getattr(self, name)):
                raise ValueError(
                    _("{name} must be one word of lower-case letters and digits, for example svc.").format(name=name)
                )
        for name in ("login", "password", "app_secret", "app_id", "api_key", "app_token"):
            if sentence := control_sign(name, getattr(self, name)):
                raise ValueError(sentence)
        for name in ("app_id", "api_key", "app_token"):
            value = getattr(self, name)
            if not (value.isascii() and value.isprintable()):
                raise ValueError(_("{name} has characters that cannot be sent in a header.").format(name=name))
        if self.method not in ("password", "sso", "api_key"):
            raise ValueError(_("method must be password, sso or api_key."))
        if self.browse_cache not in get_args(BrowseCache):
            raise ValueError(_("browse_cache must be always, until_logout or never."))
        if self.slow_link not in get_args(SlowLink):
            raise ValueError(_("slow_link must be auto, always or never."))
        if self.colour not in ("", *COLOURS):
            raise ValueError(_("colour must be one of {colours}.").format(colours=", ".join(COLOURS)))

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Profile:
        """The profile of the variables in `ENVIRONMENT`. ValueError without an address, or for an invalid value."""
        values: dict[str, Any] = {
            key: environ[variable] for variable, key in ENVIRONMENT.items() if environ.get(variable)
        }
        if "base_url" not in values:
            raise ValueError(_("Set SVC_TUI_BASE_URL to the address of the service, or give connect a profile."))
        return cls("environment", method="api_key" if "api_key" in values else "password", **values)

    @property
    def host(self) -> str:
        """Host and port, without credentials."""
        parts = urlsplit(self.base_url)
        return parts.netloc.rpartition("@")[2]

    @property
    def on_loopback(self) -> bool:
        """Whether the service is on this machine, so that no proxy is used."""
        return is_loopback(urlsplit(self.base_url).hostname or "")

    @property
    def encrypted(self) -> bool:
        """Whether requests use TLS."""
        return self.base_url.startswith("https:")

    @property
    def verified(self) -> bool:
        """Whether the service is authentic: verified TLS, or this machine."""
        return self.verify if self.encrypted else self.on_loopback

    @property
    def in_clear_text(self) -> str:
        """The warning that the password is readable on its way to another machine. Empty when it is not."""
        if self.encrypted or self.on_loopback:
            return ""
        return _(
            "The connection to {host} is not encrypted: password and data can be read on the way. Use https://."
        ).format(host=self.host)


def control_sign(name: str, value: str) -> str:
    """The sentence about the first control character of a login, a secret or an address, without the value.

    Empty when there is none. Such a value was read from a file with line ends, or pasted with more than it; sent, it
    would count as a failed login.
    """
    found = _CONTROL.search(value)
    if found is None:
        return ""
    sign = _SIGNS.get(found[0]) or _("the control character U+{code:04X}").format(code=ord(found[0]))
    if not value[found.end() :].strip("\r\n"):
        return _("{name} ends in {sign}. Remove it; nothing was sent.").format(name=name, sign=sign)
    return _("{name} contains {sign}. Remove it; nothing was sent.").format(name=name, sign=sign)


def _check_address(base_url: str) -> None:
    try:
        parts: SplitResult = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(char.isspace() or not char.isprintable() for char in base_url):
        raise ValueError(_("base_url must begin with https:// or http://, for example https://service.example."))
    if parts.username or parts.password:
        raise ValueError(_("base_url must not have a login: credentials have their own fields."))
    if parts.query or parts.fragment:
        raise ValueError(_("base_url must not have a query or a fragment."))


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
