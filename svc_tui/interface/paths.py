"""Path templates of operations: `{name}` is one segment of the path, `{name:path}` any number of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

_PARAMETER = re.compile(r"{(\w+)(:path)?}")


def parameters_of(template: str) -> tuple[str, ...]:
    """The wire names of the parameters, in order."""
    return tuple(match[1] for match in _PARAMETER.finditer(template))


def readable(template: str) -> str:
    """The template with all parameters alike, for readers who do not need to know which of them can have slashes."""
    return _PARAMETER.sub(r"{\1}", template)


def filled(template: str, values: Mapping[str, str]) -> str:
    """The path with its parameters filled in, percent-encoded. ValueError with the name of a missing or empty one."""

    def fill(match: re.Match[str]) -> str:
        value = str(values.get(match[1], ""))
        parts = value.split("/") if match[2] else [value]
        if any(part in ("", ".", "..") for part in parts):
            raise ValueError(match[1])
        return "/".join(quote(part, safe="") for part in parts)

    return _PARAMETER.sub(fill, template)


def pattern_of(template: str) -> str:
    """A regular expression for the end of an address, with a group for each parameter; their values are encoded."""
    pattern, at = "", 0
    for found in _PARAMETER.finditer(template):
        segment = ".+" if found[2] else "[^/]+"
        pattern += f"{re.escape(template[at : found.start()])}(?P<{found[1]}>{segment})"
        at = found.end()
    return pattern + re.escape(template[at:])
