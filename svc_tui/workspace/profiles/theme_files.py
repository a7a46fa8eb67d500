"""User themes: `themes/NAME.toml` in the folder of the configuration.

A file has colours over those of a built-in theme.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from svc_tui.language import _
from svc_tui.workspace.profiles.configuration_file import THEMES_FOLDER, ConfigurationError, line_of, read, read_text

BASES = ("dark", "light", "high-contrast")
#: Names that a file cannot have.
_BUILT_IN = ("terminal", *BASES)
#: Colours of a theme, and what has them. Those that are missing are those of its base.
COLOURS = {
    "foreground": _("Text."),
    "background": _("Behind lists and views."),
    "surface": _("Behind the status line and dialogs."),
    "panel": _("Behind the top line, the footer and fields."),
    "muted": _("Text of less importance."),
    "dim": _("Hints, and actions that are not available."),
    "primary": _("Borders of dialogs."),
    "secondary": _("Second series of charts."),
    "accent": _("Marks and the chosen value."),
    "success": _("Good states."),
    "warning": _("Warnings."),
    "error": _("Errors."),
    "cursor_foreground": _("Text under the cursor."),
    "cursor_background": _("Behind text under the cursor."),
    "inactive_cursor_foreground": _("Text under the cursor of a part without the focus."),
    "inactive_cursor_background": _("Behind text under that cursor."),
    "border": _("Borders of panes."),
}
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class ThemeFile:
    """The colours of a file as `#rrggbb`, over those of the built-in theme `base`."""

    name: str
    base: str
    colours: Mapping[str, str]


def theme_names(config: Path) -> list[str]:
    """The names of the user themes; `config` is the folder of the configuration."""
    return sorted(path.stem for path in (config / THEMES_FOLDER).glob("*.toml"))


def read_theme(config: Path, name: str) -> ThemeFile:
    """A theme. ConfigurationError with a line for each fault."""
    path = config / THEMES_FOLDER / f"{name}.toml"
    values, text = read(path), read_text(path)
    faults = []

    def fault(key: str, rule: str) -> None:
        line = line_of(text, (), key)
        faults.append(
            _("{path}{line}: {key} {rule}. Correct it in an editor.").format(
                path=path, line=_(", line {line}").format(line=line) if line else "", key=key, rule=rule
            )
        )

    if not _NAME.fullmatch(name):
        faults.append(
            _("{path}: name the file with at most 32 lower-case letters, digits, dashes and underscores.").format(
                path=path
            )
        )
    if name in _BUILT_IN:
        faults.append(
            _("{path}: {name} is a built-in theme, which is used in its place. Rename the file.").format(
                path=path, name=name
            )
        )
    base = values.pop("base", BASES[0])
    if base not in BASES:
        fault("base", _("must be one of {bases}").format(bases=", ".join(BASES)))
    for key, value in values.items():
        if key not in COLOURS:
            fault(key, _("is not a colour of a theme; these are {colours}").format(colours=", ".join(COLOURS)))
        elif not isinstance(value, str) or not _COLOUR.fullmatch(value):
            fault(key, _('must be a colour such as "#87d7ff"'))
    if faults:
        raise ConfigurationError("\n".join(faults))
    return ThemeFile(name, base, values)
