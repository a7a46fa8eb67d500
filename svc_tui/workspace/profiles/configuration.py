"""The configuration of a user: its keys, and its values as both files have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.client.profile import Profile
from svc_tui.language import _, known, languages
from svc_tui.workspace.profiles import configuration_file, theme_files, user_commands
from svc_tui.workspace.profiles.configuration_file import THEMES_FOLDER, ConfigurationError, line_of

if TYPE_CHECKING:
    from svc_tui.workspace.profiles.user_commands import UserCommand

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
#: The themes of the console beside those of the user; an empty one is chosen by the terminal.
THEMES = ("terminal", "dark", "light", "high-contrast")
DEFAULT_CACHE_MEGABYTES = 200
_TYPE_NAMES = {str: _("a text in quotes"), bool: _("true or false"), int: _("a whole number"), dict: _("a table")}


def unknown_theme(theme: str, config: Path) -> str:
    """The sentence that refuses a theme that does not exist; empty for one that does, and for none.

    `config` is the folder of the configuration, with the user themes.
    """
    names = _themes_instead(theme, config)
    return _("Unknown theme “{theme}”. Themes: {value}.").format(theme=theme, value=names) if names else ""


def ignored_theme(theme: str, config: Path) -> str:
    """The warning about a theme that does not exist, as in `unknown_theme`."""
    names = _themes_instead(theme, config)
    return _("Unknown theme “{theme}” is ignored. Themes: {value}.").format(theme=theme, value=names) if names else ""


def _themes_instead(theme: str, config: Path) -> str:
    """The names of all themes, for one that does not exist; empty for one that does, and for none."""
    if not theme or theme in THEMES:
        return ""
    own = theme_files.theme_names(config)
    return "" if theme in own else ", ".join([*THEMES, *own])


@dataclass(frozen=True, slots=True)
class Configuration:
    """The values of both files. `warnings` are sentences about ignored values, such as unknown keys."""

    profiles: Mapping[str, Profile] = field(default_factory=dict)
    default: str = ""
    general: Mapping[str, Any] = field(default_factory=dict)
    cache_bytes: int = DEFAULT_CACHE_MEGABYTES * 1_000_000
    commands: tuple[UserCommand, ...] = ()
    warnings: tuple[str, ...] = ()


def read_configuration(config: Path, secrets: Path) -> Configuration:
    """The values of both files; they are read again when one of them, or a theme, has changed.

    ConfigurationError with a sentence for each fault.
    """
    return _read(config, secrets, tuple(map(_state, (config, secrets, config.parent / THEMES_FOLDER))))


@lru_cache(maxsize=1)
def _read(config: Path, secrets: Path, state: object) -> Configuration:
    return _ConfigurationReader(config, secrets).read()


def _state(path: Path) -> object:
    """What changes with each change of a file; None without the file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size, found.st_mode


def for_all_profiles(general: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a profile has from the top-level settings, also one from the environment."""
    return {"theme": general.get("theme", ""), "keymap": general.get("keymap", {})}


class _ConfigurationReader:
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
        self._check_keymap((), general.get("keymap", {}))
        found = {
            name: self._profile(name, table, secrets.get(name, {}), general)
            for name, table in general.get("profiles", {}).items()
        }
        profiles = {name: profile for name, profile in found.items() if profile is not None}
        megabytes = general.get("cache_megabytes", DEFAULT_CACHE_MEGABYTES)
        if megabytes < 1:
            self._invalid((), "cache_megabytes", _("must be 1 or more"))
        language = general.get("language", "")
        if language and not known(language):
            self.warnings.append(
                _("{place}: the language “{language}” is unknown and ignored. Languages: {languages}.").format(
                    place=self._place((), "language"), language=language, languages=", ".join(languages())
                )
            )
        default = general.get("profile", "")
        if default and default not in found:
            self.warnings.append(
                _("{place}: the profile “{profile}” is unknown and ignored. Profiles: {profiles}.").format(
                    place=self._place((), "profile"), profile=default, profiles=", ".join(found) or _("none")
                )
            )
        commands = self._commands(general.get("commands", {}))
        if self.faults:
            raise ConfigurationError("\n".join(self.faults), self.warnings)
        size = megabytes * 1_000_000
        return Configuration(profiles, default, general, size, commands, tuple(self.warnings))

    def _commands(self, tables: dict[str, Any]) -> tuple[UserCommand, ...]:
        """The user commands; those with a fault are left out, with a warning for each fault."""
        if not tables:
            return ()
        found = []
        for name, table in tables.items():
            section = ("commands", name)

            def report(key: str, rule: str, name: str = name, section: tuple[str, ...] = section) -> None:
                subject = (
                    _("{key} of the command {name}").format(key=key, name=name)
                    if key
                    else _("the command {name}").format(name=name)
                )
                self.warnings.append(
                    _("{place}: {subject} {rule}. The command is ignored.").format(
                        place=self._place(section, key), subject=subject, rule=rule
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
        own = values.pop("keymap", {})
        self._check_keymap(section, own)
        values = {**for_all_profiles(general), **secrets, **values, "name": name}
        values["keymap"] = {**values["keymap"], **own}
        if "base_url" not in table:
            self.faults.append(
                _("{config}, profile {name}: base_url is missing. Add the address of the service.").format(
                    config=self.config, name=name
                )
            )
        if len(self.faults) > faults:
            return None
        try:
            return profile_with(values, _("{section}, profile {name}").format(section=self._place(section), name=name))
        except ConfigurationError as error:
            self.faults.append(str(error))
            return None

    def _check_keymap(self, section: tuple[str, ...], keymap: Mapping[str, object]) -> None:
        if any(not isinstance(key, str) for key in keymap.values()):
            self._invalid(section, "keymap", _("needs keys in quotes, such as \"edit = 'f2'\""))

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
        if sentence := ignored_theme(values.get("theme", ""), self.config.parent):
            self.warnings.append(f"{self._place(section, 'theme')}: {sentence}")
        return {key: value for key, value in values.items() if key in keys}

    def _place(self, section: tuple[str, ...], key: str = "") -> str:
        """The file and the line of a key, or of the head of its section."""
        line = line_of(self.text, section, key)
        return _("{config}, line {line}").format(config=self.config, line=line) if line else str(self.config)

    def _invalid(self, section: tuple[str, ...], key: str, rule: str) -> None:
        self.faults.append(
            _("{place}: {key} {rule}. Correct it in an editor.").format(
                place=self._place(section, key), key=key, rule=rule
            )
        )


def profile_with(values: Mapping[str, Any], where: str) -> Profile:
    """A profile with these values. ConfigurationError when they are invalid."""
    try:
        return Profile(**values)
    except ValueError as error:
        raise ConfigurationError(f"{where}: {error}") from None
