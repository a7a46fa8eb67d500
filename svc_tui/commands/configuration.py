"""The work of `svc-tui config`: problems of the configuration, where each value comes from, and its schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_type_hints

from svc_tui.client.profile import ENVIRONMENT
from svc_tui.commands import output
from svc_tui.commands.exits import CommandExit, Exit, print_message
from svc_tui.commands.language_choice import chosen
from svc_tui.commands.profile import ProfileOptions
from svc_tui.console.shell.key_sets import check_dialog_keys
from svc_tui.console.shell.plugins import find
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.shell.running_commands import actions_of
from svc_tui.console.terminal.own_themes import faint_pairs, theme_of
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.profiles.configuration import KEYS, SECRETS
from svc_tui.workspace.profiles.configuration_file import THEMES_FOLDER, ConfigurationError, line_of, read_text
from svc_tui.workspace.profiles.profiles import Profiles
from svc_tui.workspace.profiles.schema import schema as schema_of
from svc_tui.workspace.profiles.theme_files import read_theme, theme_names

#: The text in place of a secret.
_SET = "(set)"


def check() -> None:
    """List all problems of the configuration files and of their key maps. The exit code is 2 when there is one."""
    profiles = Profiles()
    try:
        problems = [*profiles.configuration.warnings, *_problems_of_keys(profiles), *_faults_of_themes(profiles)]
    except ConfigurationError as error:
        problems = [*str(error).splitlines(), *error.warnings, *_faults_of_themes(profiles)]
    problems += find().faults
    for problem in problems:
        print_message(problem)
    if problems:
        print_message(
            _("{problems} in {config}.").format(
                problems=counted(len(problems), "problem"), config=profiles.folders.config
            )
        )
        raise CommandExit(Exit.USAGE)
    for sentence in _faint_colours(profiles):
        print_message(sentence)
    output.write_line(_("No problems in {config}.").format(config=profiles.folders.config))


def _faults_of_themes(profiles: Profiles) -> list[str]:
    config, faults = profiles.folders.config, []
    for name in theme_names(config):
        try:
            read_theme(config, name)
        except ConfigurationError as error:
            faults += str(error).splitlines()
    return faults


def _faint_colours(profiles: Profiles) -> Iterator[str]:
    """What is hard to read in the user themes, which have no faults. It is theirs to decide."""
    config = profiles.folders.config
    for name in theme_names(config):
        theme = theme_of(read_theme(config, name))
        for sentence in faint_pairs(theme):
            yield f"{config / THEMES_FOLDER / name}.toml: {sentence}"


def _problems_of_keys(profiles: Profiles) -> list[str]:
    configuration = profiles.configuration
    known = sorted(BY_NAME)
    problems = [
        _("{config_file}: the command {name} is for the unknown kind {kind}. Known kinds: {known}.").format(
            config_file=profiles.config_file, name=command.name, kind=kind, known=", ".join(known)
        )
        for command in configuration.commands
        for kind in command.where
        if kind not in known
    ]
    own = actions_of(configuration.commands)
    maps = {name: profile.keymap for name, profile in configuration.profiles.items()}
    maps = maps or {"": configuration.general.get("keymap", {})}
    for name, keymap in maps.items():
        keys = registry(keymap, own).keys
        if keys.changes_dialogs:
            check_dialog_keys(keys)
        found = [*keys.problems, *keys.replaced]
        problems += [
            f"{profiles.config_file}{_(', profile {name}').format(name=name) if name else ''}: {problem}"
            for problem in found
        ]
    return list(dict.fromkeys(problems))


def show(profile: str, *, json: bool) -> None:
    """Show the settings of a profile and where each value comes from. Secrets are not shown."""
    profiles = Profiles()
    found = profiles.load(profile)
    if found is None:
        print_message(
            _("There is no profile in {config_file} and no SVC_TUI_BASE_URL.").format(config_file=profiles.config_file)
        )
        raise CommandExit(Exit.USAGE)
    name = profile or profiles.default_name
    rows: list[dict[str, Any]] = []
    for key in (*KEYS, *SECRETS):
        value = getattr(found, key)
        secret = _SET if value else ""
        shown = secret if key in SECRETS else dict(value) if key == "keymap" else value
        rows.append({"setting": key, "value": shown, "source": _source(profiles, name, key)})
    language, named_by = chosen(profiles.environ)
    rows.append({"setting": "language", "value": language, "source": named_by or "default"})
    if json:
        output.write_json(rows)
    else:
        output.write_table(rows, ("setting", "value", "source"))


def _source(profiles: Profiles, name: str, key: str) -> str:
    variable = next((variable for variable, of in ENVIRONMENT.items() if of == key), "")
    if variable and profiles.environ.get(variable):
        return variable
    for path in (profiles.config_file, profiles.secrets_file):
        text = read_text(path)
        sections: tuple[tuple[str, ...], ...] = (("profiles", name), ())
        for section in sections:
            if line := line_of(text, section, key) or (key == "keymap" and line_of(text, (*section, key), "")):
                return _("{name}, line {line}").format(name=path.name, line=line)
    return "default"


def schema() -> None:
    """Print the JSON Schema of config.toml, with which editors complete and check it."""
    hints = get_type_hints(ProfileOptions, include_extras=True)
    output.write_json(schema_of({name: hint.__metadata__[0].help for name, hint in hints.items()}))
