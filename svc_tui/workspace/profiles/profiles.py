"""Connection profiles: the service, the account and the login method, from files and environment variables."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, field, fields
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.client.profile import DEMO, Profile
from svc_tui.language import _
from svc_tui.late import late
from svc_tui.values import dataclass
from svc_tui.workspace.core.folders import Folders, folders
from svc_tui.workspace.profiles import configuration_file
from svc_tui.workspace.profiles.configuration_file import THEMES_FOLDER, ConfigurationError, line_of

if TYPE_CHECKING:
    from svc_tui.workspace.files import shared_files
    from svc_tui.workspace.profiles import theme_files, user_commands
    from svc_tui.workspace.profiles.user_commands import UserCommand
else:
    shared_files = late("svc_tui.workspace.files.shared_files")
    theme_files = late("svc_tui.workspace.profiles.theme_files")
    user_commands = late("svc_tui.workspace.profiles.user_commands")

SECRETS = ("app_secret", "api_key", "app_token")
#: Keys of a profile with the type of their values. The password is never stored.
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
    "colour": str,
    "keymap": dict,
    "xmpp_host": str,
    "browse_cache": str,
    "slow_link": str,
}
#: Keys above the profiles, which apply to all of them.
GENERAL: dict[str, type] = {
    "profile": str,
    "theme": str,
    "keymap": dict,
    "linear": bool,
    "language": str,
    "cache_megabytes": int,
    "profiles": dict,
    "commands": dict,
}
#: Environment variable -> key of the profile. They take precedence over the files.
ENVIRONMENT = {
    "SVC_TUI_BASE_URL": "base_url",
    "SVC_TUI_LOGIN": "login",
    "SVC_TUI_PASSWORD": "password",
    "SVC_TUI_APP_ID": "app_id",
    "SVC_TUI_APP_SECRET": "app_secret",
    "SVC_TUI_API_KEY": "api_key",
}
#: The themes of the console beside those of the user; an empty one is chosen by the terminal.
THEMES = ("terminal", "dark", "light")
DEFAULT_CACHE_MEGABYTES = 200
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
_TYPE_NAMES = {str: _("a text in quotes"), bool: _("true or false"), int: _("a whole number"), dict: _("a table")}


def unknown_theme(theme: str, config: Path) -> str:
    """The sentence about a theme that does not exist; empty for one that does, and for none.

    `config` is the folder of the configuration, with the themes of the user.
    """
    if not theme or theme in THEMES:
        return ""
    own = theme_files.theme_names(config)
    return (
        ""
        if theme in own
        else _("Unknown theme “{theme}” is ignored. Themes: {value}.").format(
            theme=theme, value=", ".join([*THEMES, *own])
        )
    )


@dataclass(frozen=True, slots=True)
class Configuration:
    """The values of both files. `warnings` are sentences about ignored values, such as unknown keys."""

    profiles: Mapping[str, Profile] = field(default_factory=dict)
    default: str = ""
    general: Mapping[str, Any] = field(default_factory=dict)
    cache_bytes: int = DEFAULT_CACHE_MEGABYTES * 1_000_000
    commands: tuple[UserCommand, ...] = ()
    warnings: tuple[str, ...] = ()


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
        files = (self.config_file, self.secrets_file, self.folders.config / THEMES_FOLDER)
        return _read(self.config_file, self.secrets_file, tuple(map(_state, files)))

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
        overrides = {key: self.environ[variable] for variable, key in ENVIRONMENT.items() if self.environ.get(variable)}
        known = self.configuration.profiles.get(name)
        if name and known is None and "base_url" not in overrides:
            raise self._unknown(name)
        if known is None:
            return self._from_environment(name or "environment", overrides) if "base_url" in overrides else None
        if overrides.get("base_url", known.base_url).rstrip("/") != known.base_url:
            overrides["name"] = f"{name}@{overrides['base_url'].partition('://')[2]}"
        return _profile_with({**asdict(known), **overrides}, _("The environment"))

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
            with shared_files.locked(self._last_used_file):
                shared_files.write_private(self._last_used_file, name + "\n")
        except OSError as error:
            raise ConfigurationError(
                _("Cannot write {last_used_file} ({strerror}).").format(
                    last_used_file=self._last_used_file, strerror=error.strerror
                )
            ) from None

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
        return _profile_with({"name": name, "method": method, **overrides}, _("The environment"))

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


@lru_cache(maxsize=1)
def _read(config: Path, secrets: Path, state: object) -> Configuration:
    """The values of both files, which are read again when their state is another one."""
    return _Reader(config, secrets).read()


def _state(path: Path) -> object:
    """What changes with each change of a file; None without the file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size, found.st_mode


class _Reader:
    """Reads both files once and collects the warnings."""

    def __init__(self, config: Path, secrets: Path) -> None:
        self.config, self.secrets = config, secrets
        self.text = configuration_file.read_text(config)
        self.warnings: list[str] = []
        self.faults: list[str] = []

    def read(self) -> Configuration:
        values = configuration_file.parse(self.config, self.text)
        secrets = self._secrets()
        general = self._known(values, (), GENERAL)
        found = {
            name: self._profile(name, table, secrets.get(name, {}), general)
            for name, table in general.get("profiles", {}).items()
        }
        profiles = {name: profile for name, profile in found.items() if profile is not None}
        megabytes = general.get("cache_megabytes", DEFAULT_CACHE_MEGABYTES)
        if megabytes < 1:
            self._invalid((), "cache_megabytes", _("must be 1 or more"))
        commands = self._commands(general.get("commands", {}))
        if self.faults:
            raise ConfigurationError("\n".join(self.faults))
        default, size = general.get("profile", ""), megabytes * 1_000_000
        return Configuration(profiles, default, general, size, commands, tuple(self.warnings))

    def _commands(self, tables: dict[str, Any]) -> tuple[UserCommand, ...]:
        """The commands of the user; those with a fault are left out, with a warning for each fault."""
        if not tables:
            return ()
        found = []
        for name, table in tables.items():
            section = ("commands", name)

            def report(key: str, rule: str, name: str = name, section: tuple[str, ...] = section) -> None:
                place = self._place(section, key) if key else self._section(section)
                subject = (
                    _("{key} of the command {name}").format(key=key, name=name)
                    if key
                    else _("the command {name}").format(name=name)
                )
                self.warnings.append(
                    _("{place}: {subject} {rule}. The command is ignored.").format(
                        place=place, subject=subject, rule=rule
                    )
                )

            if (command := user_commands.read_command(name, table, report)) is not None:
                found.append(command)
        return tuple(found)

    def _profile(self, name: str, table: Any, secrets: dict[str, str], general: dict[str, Any]) -> Profile | None:
        """A profile; None, with its faults among the others, when it is invalid."""
        section = ("profiles", name)
        if not isinstance(table, dict):
            self._invalid(("profiles",), name, _("must be a table"))
            return None
        faults = len(self.faults)
        values = self._known(table, section, KEYS | dict.fromkeys(SECRETS, str))
        for key in SECRETS:
            if key in values:
                self.warnings.append(
                    _("{place}: move {key} to {secrets}, which is safer.").format(
                        place=self._place(section, key), key=key, secrets=self.secrets
                    )
                )
        keymap = {**general.get("keymap", {}), **values.pop("keymap", {})}
        if any(not isinstance(key, str) for key in keymap.values()):
            self._invalid(section, "keymap", _("needs keys in quotes, such as \"edit = 'f2'\""))
        values = {"theme": general.get("theme", ""), **secrets, **values, "keymap": keymap, "name": name}
        if "base_url" not in table:
            self.faults.append(
                _("{config}, profile {name}: base_url is missing. Add the address of the service.").format(
                    config=self.config, name=name
                )
            )
        if len(self.faults) > faults:
            return None
        try:
            return _profile_with(
                values, _("{section}, profile {name}").format(section=self._section(section), name=name)
            )
        except ConfigurationError as error:
            self.faults.append(str(error))
            return None

    def _secrets(self) -> dict[str, dict[str, str]]:
        found = configuration_file.read(self.secrets)
        if found and self.secrets.stat().st_mode & 0o077:
            self.warnings.append(
                _("Other users can read {secrets}. Run `chmod 600` on it.").format(secrets=self.secrets)
            )
        profiles = found.get("profiles", {})
        return {
            name: {key: value for key, value in table.items() if key in SECRETS and isinstance(value, str)}
            for name, table in (profiles.items() if isinstance(profiles, dict) else ())
            if isinstance(table, dict)
        }

    def _known(self, values: dict[str, Any], section: tuple[str, ...], keys: dict[str, type]) -> dict[str, Any]:
        """The values with known keys and valid types; unknown keys are in the warnings, other types in the faults."""
        wrong = set()
        for key, value in values.items():
            if key not in keys:
                self.warnings.append(
                    _("{place}: unknown key {key} is ignored.").format(place=self._place(section, key), key=key)
                )
            elif type(value) is not keys[key]:
                wrong.add(key)
                self._invalid(section, key, _("must be {type_names}").format(type_names=_TYPE_NAMES[keys[key]]))
        values = {key: value for key, value in values.items() if key not in wrong}
        if sentence := unknown_theme(values.get("theme", ""), self.config.parent):
            self.warnings.append(f"{self._place(section, 'theme')}: {sentence}")
        return {key: value for key, value in values.items() if key in keys}

    def _place(self, section: tuple[str, ...], key: str) -> str:
        line = line_of(self.text, section, key)
        return _("{config}, line {line}").format(config=self.config, line=line) if line else str(self.config)

    def _section(self, section: tuple[str, ...]) -> str:
        line = line_of(self.text, section, "")
        return _("{config}, line {line}").format(config=self.config, line=line) if line else str(self.config)

    def _invalid(self, section: tuple[str, ...], key: str, rule: str) -> None:
        self.faults.append(
            _("{place}: {key} {rule}. Correct it in an editor.").format(
                place=self._place(section, key), key=key, rule=rule
            )
        )


_DEFAULTS: dict[str, Any] = {
    item.name: item.default for item in fields(Profile) if item.name in KEYS and item.name != "base_url"
}


def _profile_with(values: Mapping[str, Any], where: str) -> Profile:
    """A profile with these values. ConfigurationError when they are invalid."""
    try:
        return Profile(**values)
    except ValueError as error:
        raise ConfigurationError(f"{where}: {error}") from None


def _set(document: Any, name: str, values: dict[str, Any], defaults: dict[str, Any]) -> None:
    """Write values to the table of the profile, without empty values and defaults."""
    import tomlkit

    table = document.setdefault("profiles", tomlkit.table(is_super_table=True)).setdefault(name, tomlkit.table())
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
