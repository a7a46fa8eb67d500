"""Connection profiles: the service, the account and the login method, from files and environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from svc_tui.client.profile import DEMO, ENVIRONMENT, Profile, control_sign
from svc_tui.language import _
from svc_tui.workspace.core.folders import Folders, folders
from svc_tui.workspace.files import saved_files
from svc_tui.workspace.profiles import configuration_file
from svc_tui.workspace.profiles.configuration import (
    KEYS,
    SECRETS,
    Configuration,
    for_all_profiles,
    profile_with,
    read_configuration,
)
from svc_tui.workspace.profiles.configuration_file import ConfigurationError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")


class Profiles:
    """The profiles of this user on this machine.

    The files are read once, at first use. Every method that reads or writes raises ConfigurationError when a file is
    invalid; an invalid file is never overwritten.
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
    def configuration(self) -> Configuration:
        """The values of the files, without the environment."""
        return read_configuration(self.config_file, self.secrets_file)

    def names(self) -> list[str]:
        return list(self.configuration.profiles)

    @property
    def default_name(self) -> str:
        """The profile to open by default: that of `SVC_TUI_PROFILE`, the last used one, the one that the file names, or
        the only one; empty without any of these."""
        if named := self.environ.get("SVC_TUI_PROFILE", ""):
            return named
        names = self.names()
        for name in (self._last_used(), self.configuration.default):
            if name in names:
                return name
        return names[0] if len(names) == 1 else ""

    def load(self, name: str = "") -> Profile | None:
        """A profile (by default that of `default_name`) with the environment on top; None when nothing is configured.

        An address in the environment makes it another profile: the session and the cache of the configured service
        are not used for another service.
        """
        name = name or self.default_name
        overrides = self._overrides()
        known = self.configuration.profiles.get(name)
        if name and known is None and "base_url" not in overrides:
            raise self._unknown(name)
        if known is None:
            return self._from_environment(name or "environment", overrides) if "base_url" in overrides else None
        if overrides.get("base_url", known.base_url).rstrip("/") != known.base_url:
            overrides["name"] = f"{name}@{overrides['base_url'].partition('://')[2]}"
        return profile_with({**asdict(known), **overrides}, _("The environment"))

    def _overrides(self) -> dict[str, str]:
        """The values of the environment. ConfigurationError for one with a control character."""
        found = {variable: self.environ[variable] for variable in ENVIRONMENT if self.environ.get(variable)}
        for variable, value in found.items():
            if sentence := control_sign(variable, value):
                raise ConfigurationError(sentence)
        return {ENVIRONMENT[variable]: value for variable, value in found.items()}

    def save(self, profile: Profile) -> None:
        """Add or replace a profile; its secrets are stored in secrets.toml, its password is not stored."""
        if not _NAME.fullmatch(profile.name):
            raise ConfigurationError(
                _(
                    "Invalid profile name {name!r}. Use at most 64 letters, digits, dots, dashes and underscores."
                ).format(name=profile.name)
            )
        defaults = _DEFAULTS | {key: value for key, value in self.configuration.general.items() if key in KEYS}
        values = {key: getattr(profile, key) for key in KEYS}
        secrets = {key: getattr(profile, key) for key in SECRETS}
        configuration_file.change(self.secrets_file, lambda document: _set(document, profile.name, secrets, {}))
        configuration_file.change(self.config_file, lambda document: _set(document, profile.name, values, defaults))
        self._reset()

    def remove(self, name: str) -> None:
        """Remove a profile and its secrets. ConfigurationError for an unknown name."""
        if name not in self.configuration.profiles:
            raise self._unknown(name)
        configuration_file.change(self.config_file, lambda document: _remove(document, name))
        if self.secrets_file.exists():
            configuration_file.change(self.secrets_file, lambda document: _remove(document, name))
        self._reset()

    def use(self, name: str) -> None:
        """Store a profile as the last used one. ConfigurationError for an unknown name."""
        if name not in self.configuration.profiles:
            raise self._unknown(name)
        try:
            with saved_files.locked(self._last_used_file):
                saved_files.write_private(self._last_used_file, name + "\n")
        except OSError as error:
            raise ConfigurationError(
                _("Cannot write {file} ({reason}).").format(file=self._last_used_file, reason=error.strerror)
            ) from None

    def keep_theme(self, profile: str, theme: str) -> None:
        """Store the theme where it is set: in the table of a profile that has its own, otherwise for all profiles.

        An empty one lets the terminal choose. ConfigurationError when the file is invalid, or cannot be written.
        """

        def edit(document: Any) -> None:
            table = document.get("profiles", {}).get(profile, {})
            here = table if "theme" in table else document
            if theme:
                here["theme"] = theme
            else:
                table.pop("theme", None)
                document.pop("theme", None)

        configuration_file.change(self.config_file, edit)
        self._reset()

    @property
    def _last_used_file(self) -> Path:
        return self.folders.data / "last-profile"

    def _last_used(self) -> str:
        try:
            return self._last_used_file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def _from_environment(self, name: str, overrides: dict[str, str]) -> Profile:
        method = "api_key" if "api_key" in overrides else "password"
        general = for_all_profiles(self.configuration.general)
        return profile_with({"name": name, "method": method, **general, **overrides}, _("The environment"))

    def _unknown(self, name: str) -> ConfigurationError:
        if name == DEMO:
            return ConfigurationError(
                _("No demo is running, and no profile has the name {name!r}. `svc-tui demo` starts one.").format(
                    name=name
                )
            )
        return ConfigurationError(
            _("Unknown profile {name!r}: not in {config_file}. List the profiles with `svc-tui profile list`.").format(
                name=name, config_file=self.config_file
            )
        )

    def _reset(self) -> None:
        self.__dict__.pop("configuration", None)


_DEFAULTS: dict[str, Any] = {
    item.name: item.default for item in fields(Profile) if item.name in KEYS and item.name != "base_url"
}


def _set(document: Any, name: str, values: dict[str, Any], defaults: dict[str, Any]) -> None:
    """Write values to the table of the profile, without empty values and defaults."""
    table = configuration_file.table_in(document, "profiles", name)
    for key, value in values.items():
        if value in ("", None, {}) or value == defaults.get(key):
            table.pop(key, None)
        elif table.get(key) != value:
            table[key] = dict(value) if isinstance(value, Mapping) else value
    if not table:
        _remove(document, name)


def _remove(document: Any, name: str) -> None:
    profiles = document.get("profiles")
    if profiles is not None:
        profiles.pop(name, None)
        if not profiles:
            document.pop("profiles")
