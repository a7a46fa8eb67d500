"""The choice of the language, by the setting or by the environment, before modules with texts are imported."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from svc_tui.language import ENGLISH, known, use
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.folders import folders

if TYPE_CHECKING:
    from svc_tui.interface import texts
else:
    texts = lazy_import("svc_tui.interface.texts")

#: The variables that choose a language, the most important first, as gettext reads them.
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
#: Locales without a language, in which gettext does not read LANGUAGE either.
_NO_LANGUAGE = frozenset({"C", "POSIX"})
#: Commands of the service, whose texts are read in logs: they stay English, and so does the service itself.
_OF_THE_SERVICE = frozenset({"serve", "server", "completion", "manual"})
#: Forms of output for programs; a command that writes them speaks English altogether.
_FOR_PROGRAMS = frozenset({"json", "jsonl", "csv"})


def choose(words: list[str], environ: Mapping[str, str]) -> None:
    """Let the process speak the language of the user, for this command line."""
    if (words and words[0] in _OF_THE_SERVICE) or any(word.rpartition("=")[2] in _FOR_PROGRAMS for word in words):
        return
    if "--json" not in words:
        name = chosen(environ)[0]
        if name != ENGLISH:
            use(name)


def chosen(environ: Mapping[str, str]) -> tuple[str, str]:
    """The language of the user, and the setting or variable that names it (empty: none does).

    `language` of config.toml comes first, then the variables; a language without a catalogue is English. An invalid
    file is reported where it is read for the other settings.
    """
    if named := known(_setting(environ)):
        return named, "language"
    locale = next((name for name in VARIABLES[1:] if environ.get(name)), "")
    if environ.get(locale) in _NO_LANGUAGE:
        return ENGLISH, locale
    for variable in VARIABLES:
        # LANGUAGE is a list, in which later languages stand in for the first ones.
        for locale in environ.get(variable, "").split(":"):
            if named := known(locale):
                return named, variable
        if environ.get(variable):
            return ENGLISH, variable
    return ENGLISH, ""


def _setting(environ: Mapping[str, str]) -> str:
    try:
        text = (folders(environ).config / "config.toml").read_bytes()
        # Few have the setting: the others do not wait for the parser.
        value = tomllib.loads(texts.text_of(text)).get("language", "") if b"language" in text else ""
    except (OSError, ValueError):
        return ""
    return value if isinstance(value, str) else ""
