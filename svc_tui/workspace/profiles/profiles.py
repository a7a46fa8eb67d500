"""Connection profiles: which service, who logs in and how; from config.toml, secrets.toml and the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from svc_tui.client.profile import Profile
from svc_tui.workspace.core.folders import Folders, folders
from svc_tui.workspace.files.shared_files import locked, write_private
from svc_tui.workspace.profiles import settings_file
from svc_tui.workspace.profiles.settings_file import ConfigurationError, line_of

SECRETS = ("app_secret", "api_key", "app_token")
#: What a profile may say, with the type that its value must have. The password is never among it.
KEYS: dict[str, type] = {
    "base_url": str,
    "app_id": str,
    "login": str,
    "method": str,
    "brand": str,
    "voice_brand": str,
    "billing_brand": str,
    "ca_bundle": str,
    "verify": bool,
    "read_only": bool,
    "theme": str,
    "keymap": dict,
    "xmpp_host": str,
}
#: What stands above the profiles and holds for all of them.
GENERAL: dict[str, type] = {"profile": str, "theme": str, "keymap": dict, "cache_megabytes": int, "profiles": dict}
#: Environment variables and what of the profile they stand for; they go before the files.
ENVIRONMENT = {
    "SVC_TUI_BASE_URL": "base_url",
    "SVC_TUI_LOGIN": "login",
    "SVC_TUI_PASSWORD": "password",
    "SVC_TUI_APP_ID": "app_id",
    "SVC_TUI_APP_SECRET": "app_secret",
    "SVC_TUI_API_KEY": "api_key",
}
DEFAULT_CACHE_MEGABYTES = 200
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_WORDS = {str: "a text in quotes", bool: "true or false", int: "a whole number", dict: "a table"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the two files say. `warnings` are sentences about what was passed over, such as unknown keys."""

    profiles: Mapping[str, Profile] = field(default_factory=dict)
    default: str = ""
    general: Mapping[str, Any] = field(default_factory=dict)
    cache_bytes: int = DEFAULT_CACHE_MEGABYTES * 1_000_000
    warnings: tuple[str, ...] = ()


class Profiles:
    """The profiles of this user on this machine.

    Reading is done once, at first use. Every method that reads or writes raises ConfigurationError with a sentence
    when a file is broken; a broken file is never written over.
    """

    def __init__(self, places: Folders | None = None, environ: Mapping[str, str] = os.environ) -> None:
        self.folders = places or folders(environ)
        self.environ = environ

    @property
    def config_file(self) -> Path:
        return self.folders.config / "config.toml"

    @property
    def secrets_file(self) -> Path:
        return self.folders.config / "secrets.toml"

    @cached_property
    def settings(self) -> Settings:
        """What the files say, without the environment."""
        return _Reader(self.config_file, self.secrets_file).settings()

    def names(self) -> list[str]:
        return list(self.settings.profiles)

    @property
    def chosen(self) -> str:
        """The profile that is opened when none is named: `SVC_TUI_PROFILE`, the last used one, the one that the file
        names, the only one; empty when there is no such profile."""
        if named := self.environ.get("SVC_TUI_PROFILE", ""):
            return named
        names = self.names()
        for name in (self._last_used(), self.settings.default):
            if name in names:
                return name
        return names[0] if len(names) == 1 else ""

    def load(self, name: str = "") -> Profile | None:
        """A profile (the chosen one when none is named) with the environment on top; None when there is nothing yet.

        An address from the environment makes it another profile: neither the session nor the cache of the service
        that the file names is used for the one that the environment names.
        """
        name = name or self.chosen
        given = {key: self.environ[variable] for variable, key in ENVIRONMENT.items() if self.environ.get(variable)}
        known = self.settings.profiles.get(name)
        if name and known is None and "base_url" not in given:
            raise ConfigurationError(f"There is no profile {name!r} in {self.config_file}; `svc-tui profile list`.")
        if known is None:
            return self._from_environment(name or "environment", given) if "base_url" in given else None
        if given.get("base_url", known.base_url).rstrip("/") != known.base_url:
            given["name"] = f"{name}@{given['base_url'].partition('://')[2]}"
        return _made({**asdict(known), **given}, "The environment")

    def save(self, profile: Profile) -> None:
        """Add a profile or change the one of this name; its secrets go to secrets.toml, its password nowhere."""
        if not _NAME.fullmatch(profile.name):
            raise ConfigurationError(
                f"{profile.name!r} is no name for a profile: letters, digits, dot, dash and underscore, at most 64."
            )
        usual = _DEFAULTS | {key: value for key, value in self.settings.general.items() if key in KEYS}
        said = {key: getattr(profile, key) for key in KEYS}
        secrets = {key: getattr(profile, key) for key in SECRETS}
        settings_file.change(self.secrets_file, lambda document: _put(document, profile.name, secrets, {}))
        settings_file.change(self.config_file, lambda document: _put(document, profile.name, said, usual))
        self._forget()

    def remove(self, name: str) -> None:
        """Forget a profile and its secrets. ConfigurationError when there is none of this name."""
        if name not in self.settings.profiles:
            raise ConfigurationError(f"There is no profile {name!r} in {self.config_file}; `svc-tui profile list`.")
        settings_file.change(self.config_file, lambda document: _drop(document, name))
        if self.secrets_file.exists():
            settings_file.change(self.secrets_file, lambda document: _drop(document, name))
        self._forget()

    def use(self, name: str) -> None:
        """Remember a profile as the last used one. ConfigurationError when there is none of this name."""
        if name not in self.settings.profiles:
            raise ConfigurationError(f"There is no profile {name!r} in {self.config_file}; `svc-tui profile list`.")
        try:
            with locked(self._last_used_file):
                write_private(self._last_used_file, name + "\n")
        except OSError as error:
            raise ConfigurationError(f"{self._last_used_file} cannot be written ({error.strerror}).") from None

    @property
    def _last_used_file(self) -> Path:
        return self.folders.data / "last-profile"

    def _last_used(self) -> str:
        try:
            return self._last_used_file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def _from_environment(self, name: str, given: dict[str, str]) -> Profile:
        method = "api_key" if "api_key" in given else "password"
        return _made({"name": name, "method": method, **given}, "The environment")

    def _forget(self) -> None:
        self.__dict__.pop("settings", None)


class _Reader:
    """Reads the two files once and collects what there is to say about them."""

    def __init__(self, config: Path, secrets: Path) -> None:
        self.config, self.secrets = config, secrets
        self.text = settings_file.read_text(config)
        self.warnings: list[str] = []

    def settings(self) -> Settings:
        values = settings_file.read(self.config)
        secrets = self._secrets()
        general = self._known(values, (), GENERAL)
        profiles = {
            name: self._profile(name, said, secrets.get(name, {}), general)
            for name, said in general.get("profiles", {}).items()
        }
        megabytes = general.get("cache_megabytes", DEFAULT_CACHE_MEGABYTES)
        if megabytes < 1:
            raise self._wrong((), "cache_megabytes", "must be 1 or more")
        return Settings(profiles, general.get("profile", ""), general, megabytes * 1_000_000, tuple(self.warnings))

    def _profile(self, name: str, said: Any, secrets: dict[str, str], general: dict[str, Any]) -> Profile:
        section = ("profiles", name)
        if not isinstance(said, dict):
            raise self._wrong(("profiles",), name, "must be a table")
        values = self._known(said, section, KEYS | dict.fromkeys(SECRETS, str))
        for key in SECRETS:
            if key in values:
                self.warnings.append(f"{self._place(section, key)}: {key} is safer in {self.secrets}.")
        keymap = {**general.get("keymap", {}), **values.pop("keymap", {})}
        if any(not isinstance(key, str) for key in keymap.values()):
            raise self._wrong(section, "keymap", "must have keys as texts, such as \"edit = 'f2'\"")
        values = {"theme": general.get("theme", ""), **secrets, **values, "keymap": keymap, "name": name}
        if "base_url" not in values:
            raise ConfigurationError(f"{self.config}, profile {name}: base_url is missing; add the service's address.")
        return _made(values, f"{self._section(section)}, profile {name}")

    def _secrets(self) -> dict[str, dict[str, str]]:
        found = settings_file.read(self.secrets)
        if found and self.secrets.stat().st_mode & 0o077:
            self.warnings.append(f"{self.secrets} can be read by others; `chmod 600` it.")
        profiles = found.get("profiles", {})
        return {
            name: {key: value for key, value in said.items() if key in SECRETS and isinstance(value, str)}
            for name, said in (profiles.items() if isinstance(profiles, dict) else ())
            if isinstance(said, dict)
        }

    def _known(self, values: dict[str, Any], section: tuple[str, ...], keys: dict[str, type]) -> dict[str, Any]:
        """The values with known keys, each of its type; the others are named in a warning."""
        for key, value in values.items():
            if key not in keys:
                self.warnings.append(f"{self._place(section, key)}: {key} is not known here and was passed over.")
            elif type(value) is not keys[key]:
                raise self._wrong(section, key, f"must be {_WORDS[keys[key]]}")
        return {key: value for key, value in values.items() if key in keys}

    def _place(self, section: tuple[str, ...], key: str) -> str:
        line = line_of(self.text, section, key)
        return f"{self.config}, line {line}" if line else str(self.config)

    def _section(self, section: tuple[str, ...]) -> str:
        line = line_of(self.text, section, "")
        return f"{self.config}, line {line}" if line else str(self.config)

    def _wrong(self, section: tuple[str, ...], key: str, what: str) -> ConfigurationError:
        return ConfigurationError(f"{self._place(section, key)}: {key} {what}; correct it in an editor.")


_DEFAULTS: dict[str, Any] = {
    item.name: item.default for item in fields(Profile) if item.name in KEYS and item.name != "base_url"
}


def _made(values: Mapping[str, Any], where: str) -> Profile:
    """A profile of these values. ConfigurationError when it could not work."""
    try:
        return Profile(**values)
    except ValueError as error:
        raise ConfigurationError(f"{where}: {error}") from None


def _put(document: Any, name: str, values: dict[str, Any], defaults: dict[str, Any]) -> None:
    """Write values into the profile's table; what is empty or the default is left out."""
    import tomlkit

    table = document.setdefault("profiles", tomlkit.table(is_super_table=True)).setdefault(name, tomlkit.table())
    for key, value in values.items():
        if value in ("", None, {}) or value == defaults.get(key):
            table.pop(key, None)
        elif table.get(key) != value:
            table[key] = dict(value) if isinstance(value, Mapping) else value
    if not table:
        _drop(document, name)


def _drop(document: Any, name: str) -> None:
    profiles = document.get("profiles")
    if profiles is not None:
        profiles.pop(name, None)
        if not profiles:
            document.pop("profiles")
