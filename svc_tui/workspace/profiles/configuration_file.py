"""A configuration file in TOML: line numbers in error messages, and changes that keep the comments."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from svc_tui.interface import texts
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.files import saved_files

if TYPE_CHECKING:
    import tomlkit
else:
    tomlkit = lazy_import("tomlkit")

#: The folder of the user themes, beside the file.
THEMES_FOLDER = "themes"


class ConfigurationError(Exception):
    """An invalid configuration. The message names the file, the line and the next step.

    `warnings` are sentences about other parts that would be ignored.
    """

    def __init__(self, message: str, warnings: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.warnings = tuple(warnings)

    @property
    def sentence(self) -> str:
        return str(self)


def read(path: Path) -> dict[str, Any]:
    """The values of a file, empty without a file. ConfigurationError when it cannot be read."""
    return parse(path, read_text(path))


def parse(path: Path, text: str) -> dict[str, Any]:
    """The values of the text of a file. ConfigurationError when it is not valid."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(_syntax_error(path, str(error))) from None


def read_text(path: Path) -> str:
    """The text of a file, empty without a file. ConfigurationError when it cannot be read."""
    try:
        return texts.text_of(path.read_bytes())
    except FileNotFoundError:
        return ""
    except texts.NotUtf8 as error:
        if not error.line:
            raise ConfigurationError(f"{path}: {error}.") from None
        raise ConfigurationError(
            _("{path}, line {line}: not UTF-8 text. Correct it in an editor.").format(path=path, line=error.line)
        ) from None
    except OSError as error:
        raise ConfigurationError(
            _("Cannot read {path} ({reason}). Change its permissions.").format(path=path, reason=error.strerror)
        ) from None


def line_of(text: str, section: tuple[str, ...], key: str) -> int:
    """The line of a key in a section (without a key: of the section's header), 0 when it is not found."""
    target, here = ".".join(section), ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            here = re.sub(r"[\"'\s]", "", heading[1])
            if here == target and not key:
                return number
        elif key and here == target and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]", line):
            return number
    return 0


def change(path: Path, edit: Callable[[Any], None]) -> None:
    """Change a file through its tomlkit document: comments and order stay, an invalid file is not changed.

    ConfigurationError when the file is invalid, or cannot be written.
    """
    try:
        with saved_files.locked(path):
            read(path)
            document = tomlkit.parse(read_text(path))
            edit(document)
            saved_files.write_private(path, tomlkit.dumps(document))
    except tomlkit.exceptions.TOMLKitError as error:
        raise ConfigurationError(_syntax_error(path, str(error))) from None
    except OSError as error:
        raise ConfigurationError(
            _("Cannot write {path} ({reason}). Nothing was changed.").format(path=path, reason=error.strerror)
        ) from None


def table_in(document: Any, group: str, name: str) -> Any:
    """The table `[group.name]` of a tomlkit document, made where it is missing."""
    return document.setdefault(group, tomlkit.table(is_super_table=True)).setdefault(name, tomlkit.table())


def _syntax_error(path: Path, message: str) -> str:
    place = re.search(r"\(at line (\d+), column \d+\)", message)
    problem = re.sub(r"\s*\(at [^)]*\)", "", message)
    line = _(", line {place}").format(place=place[1]) if place else _(", at its end")
    return _("{path}{line}: {problem}{problem_2}. Correct it in an editor.").format(
        path=path, line=line, problem=problem[:1].lower(), problem_2=problem[1:]
    )
