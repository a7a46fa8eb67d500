"""A settings file in TOML: read with line numbers for complaints, changed without losing its comments."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from svc_tui.workspace.files.shared_files import locked, write_private


class ConfigurationError(Exception):
    """The configuration cannot be used. `str()` is one sentence that names the file, the line and what to do."""

    @property
    def sentence(self) -> str:
        return str(self)


def read(path: Path) -> dict[str, Any]:
    """The values of a file, empty when there is none. ConfigurationError when it cannot be read."""
    text = read_text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(_broken(path, str(error))) from None


def read_text(path: Path) -> str:
    """The text of a file, empty when there is none. ConfigurationError when it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise ConfigurationError(f"{path}, line {line}: this is not UTF-8 text; correct it in an editor.") from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error.strerror}); make it readable for you.") from None


def line_of(text: str, section: tuple[str, ...], key: str) -> int:
    """The line where a key of a section stands (without a key: its heading), 0 when it is written in another way."""
    wanted, here = ".".join(section), ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
            here = re.sub(r"[\"'\s]", "", heading[1])
            if here == wanted and not key:
                return number
        elif key and here == wanted and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]", line):
            return number
    return 0


def change(path: Path, edit: Callable[[Any], None]) -> None:
    """Change a file through its tomlkit document: comments and order stay, a broken file is left alone.

    ConfigurationError when the file is broken, or cannot be written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        with locked(path):
            read(path)
            document = tomlkit.parse(read_text(path))
            edit(document)
            write_private(path, tomlkit.dumps(document))
    except TOMLKitError as error:
        raise ConfigurationError(_broken(path, str(error))) from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror}); nothing was changed.") from None


def _broken(path: Path, said: str) -> str:
    place = re.search(r"\(at line (\d+), column \d+\)", said)
    what = re.sub(r"\s*\(at [^)]*\)", "", said)
    line = f", line {place[1]}" if place else ", at its end"
    return f"{path}{line}: {what[:1].lower()}{what[1:]}; correct it in an editor."
