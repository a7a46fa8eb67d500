"""The environment of the consoles: what they need, and no secrets."""

from __future__ import annotations

from collections.abc import Mapping

_KEPT = frozenset(
    {
        "HOME",
        "LANG",
        "LANGUAGE",
        "LOGNAME",
        "PATH",
        "PYTHONPATH",
        "SHELL",
        "SSL_CERT_DIR",
        "SSL_CERT_FILE",
        "TMPDIR",
        "TZ",
        "USER",
        "SVC_TUI_APP_ID",
        "SVC_TUI_BASE_URL",
        "SVC_TUI_CACHE_DIR",
        "SVC_TUI_CONFIG_DIR",
        "SVC_TUI_DATA_DIR",
        "SVC_TUI_LINEAR",
        "SVC_TUI_LOGIN",
        "SVC_TUI_PROFILE",
    }
)
_KEPT_BEGINNINGS = ("LC_", "XDG_")
_PROXIES = frozenset({"http_proxy", "https_proxy", "all_proxy", "no_proxy"})
_SECRETS = ("SVC_TUI_PASSWORD", "SVC_TUI_APP_SECRET", "SVC_TUI_API_KEY")
#: What the terminal of the page can do.
_TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def console_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables for a console in the browser."""
    kept = {
        name: value
        for name, value in environment.items()
        if name in _KEPT or name.startswith(_KEPT_BEGINNINGS) or name.lower() in _PROXIES
    }
    return kept | _TERMINAL


def withheld(environment: Mapping[str, str]) -> list[str]:
    """The secrets of the environment that consoles in the browser do not get."""
    return [name for name in _SECRETS if environment.get(name)]
