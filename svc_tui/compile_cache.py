"""What modules compile while they are imported: regular expressions, and the methods of dataclasses.

Python compiles both again at each start, most of them for Textual and Rich: 24 of 264 ms. Between `use` and `stop`,
they come from a table that an earlier start made. The table belongs to one build of Python.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import builtins
import dataclasses
import re
from collections.abc import Callable
from re import _compiler, _parser  # type: ignore[attr-defined]
from types import CodeType
from typing import Any

#: A pattern with one of these flags depends on more than its text, or is printed.
_NOT_STORED = int(re.LOCALE | re.DEBUG)
_compile_pattern: Callable[..., re.Pattern[Any]] = _compiler.compile
_make_pattern: Callable[..., re.Pattern[Any]] = _sre.compile

#: Sources of methods with their code, and patterns and flags with the arguments of `_sre.compile`.
Table = tuple[dict[str, CodeType], dict[tuple[str | bytes, int], tuple[Any, ...]]]


class CompileCache:
    """The table of one start."""

    def __init__(self) -> None:
        #: Source of methods -> their code.
        self._methods: dict[str, CodeType] = {}
        #: Pattern and flags -> what the regular expression is made of; None if it is not in the stored table.
        self._patterns: dict[tuple[str | bytes, int], tuple[Any, ...] | None] = {}

    def use(self, stored: Table = ({}, {})) -> None:
        """Take from the table, and add to it what is not there."""
        self._methods, self._patterns = dict(stored[0]), dict(stored[1])
        # The module finds this name before the built-in function.
        dataclasses.exec = self._exec  # type: ignore[attr-defined]
        _compiler.compile = self._compile

    def stop(self) -> None:
        """Let Python compile by itself again."""
        vars(dataclasses).pop("exec", None)
        _compiler.compile = _compile_pattern

    def table(self) -> Table:
        """The table for the next start, which `marshal` can write."""
        patterns = {key: parts or _parts(*key) for key, parts in self._patterns.items()}
        return self._methods, {key: parts for key, parts in patterns.items() if parts}

    def _exec(self, source: str, *namespaces: dict[str, Any]) -> None:
        code = self._methods.get(source)
        if code is None:
            code = self._methods[source] = compile(source, "<string>", "exec")
        builtins.exec(code, *namespaces)

    def _compile(self, pattern: str | bytes, flags: int = 0) -> re.Pattern[Any]:
        key = pattern, int(flags)
        if parts := self._patterns.get(key):
            return _make_pattern(*parts)
        if type(pattern) in (str, bytes) and not flags & _NOT_STORED:
            self._patterns[key] = None
        return _compile_pattern(pattern, flags)


def _parts(pattern: str | bytes, flags: int) -> tuple[Any, ...] | None:
    """The arguments with which `re` makes this regular expression; None if they do not make the same one."""
    try:
        parsed = _parser.parse(pattern, flags)
        state = parsed.state
        names: list[str | None] = [None] * state.groups
        for name, number in state.groupdict.items():
            names[number] = name
        code = [int(each) for each in _compiler._code(parsed, flags)]
        parts = pattern, int(flags | state.flags), code, state.groups - 1, dict(state.groupdict), tuple(names)
        return parts if _make_pattern(*parts) == _compile_pattern(pattern, flags) else None
    except Exception:
        # Another `re` than that of CPython.
        return None
