"""Themes of the user: `themes/NAME.toml` in the folder of the configuration.

A file has colours over those of a built-in theme.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from svc_tui.workspace.profiles.configuration_file import THEMES_FOLDER, ConfigurationError, line_of, read, read_text

BASES = ("dark", "light")
#: Names that a file cannot have.
_BUILT_IN = ("terminal", *BASES)
#: Colours of a theme, and what has them. Those that are missing are those of its base.
COLOURS = {
    "foreground": "Text.",
    "background": "Behind lists and views.",
    "surface": "Behind the status line and dialogs.",
    "panel": "Behind the top line, the footer and fields.",
    "muted": "Text of less importance.",
    "primary": "Borders of dialogs.",
    "secondary": "Second series of charts.",
    "accent": "Marks and what is chosen.",
    "success": "Good states.",
    "warning": "Warnings.",
    "error": "Errors.",
    "cursor_foreground": "Text under the cursor.",
    "cursor_background": "Behind text under the cursor.",
    "inactive_cursor_foreground": "Text under the cursor of a part without the focus.",
    "inactive_cursor_background": "Behind text under that cursor.",
    "border": "Borders of panes.",
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
    """The names of the themes of the user; `config` is the folder of the configuration."""
    return sorted(path.stem for path in (config / THEMES_FOLDER).glob("*.toml"))


def read_theme(config: Path, name: str) -> ThemeFile:
    """A theme. ConfigurationError with a line for each fault."""
    path = config / THEMES_FOLDER / f"{name}.toml"
    values, text = read(path), read_text(path)
    faults = []

    def fault(key: str, rule: str) -> None:
        line = line_of(text, (), key)
        faults.append(f"{path}{f', line {line}' if line else ''}: {key} {rule}. Correct it in an editor.")

    if not _NAME.fullmatch(name):
        faults.append(f"{path}: name the file with at most 32 lower-case letters, digits, dashes and underscores.")
    if name in _BUILT_IN:
        faults.append(f"{path}: {name} is a built-in theme, which is used in its place. Rename the file.")
    base = values.pop("base", BASES[0])
    if base not in BASES:
        fault("base", f"must be one of {', '.join(BASES)}")
    for key, value in values.items():
        if key not in COLOURS:
            fault(key, f"is not a colour of a theme; these are {', '.join(COLOURS)}")
        elif not isinstance(value, str) or not _COLOUR.fullmatch(value):
            fault(key, 'must be a colour such as "#87d7ff"')
    if faults:
        raise ConfigurationError("\n".join(faults))
    return ThemeFile(name, base, values)
