"""The table of what modules compile while they are imported: what comes from it is the same as compiled by Python."""

from __future__ import annotations

import builtins
import dataclasses
import marshal
import re
from collections.abc import Iterator
from contextlib import contextmanager
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NoReturn

import pytest

from svc_tui import compile_cache
from svc_tui.compile_cache import CompileCache, Table

PATTERNS: tuple[tuple[str | bytes, re.RegexFlag], ...] = (
    (r"(?P<year>\d{4})-(?P<month>\d\d)", re.NOFLAG),
    (r"(?P<year>\d{4})-(?P<month>\d\d)", re.ASCII),
    (r"(?:straße|ÄPFEL)+(?=\s)", re.IGNORECASE | re.MULTILINE),
    (r"(?x) [^\x00-\x1f\u2028]  # no control characters", re.NOFLAG),
    (rb"\x1b\[(\d*)(?:;(\d*))?H", re.DOTALL),
)


@contextmanager
def start(stored: Table = ({}, {})) -> Iterator[CompileCache]:
    """A start with a table; `re` remembers no pattern."""
    re.purge()
    cache = CompileCache()
    cache.use(stored)
    try:
        yield cache
    finally:
        cache.stop()
        re.purge()


def refuse(*_: object) -> NoReturn:
    """Stands for a compiler that must not be called."""
    raise AssertionError("compiled again")


def compiled() -> list[re.Pattern[Any]]:
    return [re.compile(pattern, flags) for pattern, flags in PATTERNS]


def stored_table() -> Table:
    """The table of a start that compiled all patterns and a dataclass, as it is written and read."""
    with start() as first:
        compiled()
        define()
        table: Table = marshal.loads(marshal.dumps(first.table()))
    return table


def define() -> Any:
    """A dataclass with the standard library's methods."""

    @dataclasses.dataclass(frozen=True, order=True)
    class Place:
        name: str
        rows: list[int] = dataclasses.field(default_factory=list)

    return Place


def test_patterns_from_the_table_are_the_same_as_compiled_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    table = stored_table()
    expected = compiled()
    with start(table), monkeypatch.context() as patched:
        patched.setattr(_parser, "parse", refuse)
        found = compiled()
    assert found == expected
    for each, other in zip(found, expected, strict=True):
        assert (each.pattern, each.flags, each.groups) == (other.pattern, other.flags, other.groups)
        assert each.groupindex == other.groupindex
    assert found[0].sub(r"\g<month>/\g<year>", "2026-11") == "11/2026"
    assert found[2].findall("äpfelSTRASSE Straßeäpfel ") == ["Straßeäpfel"]


def test_methods_of_dataclasses_from_the_table_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    table = stored_table()
    with start(table), monkeypatch.context() as patched:
        patched.setattr(builtins, "compile", refuse)
        place = define()
    one = place("users", [1])
    assert (repr(one).endswith("Place(name='users', rows=[1])"), one == place("users", [1])) == (True, True)
    assert place("a") < place("b")
    assert place("a").rows is not place("a").rows
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.name = "other"


def test_what_would_not_become_the_same_is_not_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    real = compile_cache._make_pattern
    with monkeypatch.context() as patched:
        patched.setattr(compile_cache, "_make_pattern", lambda pattern, *rest: real("other", *rest))
        table = stored_table()
    assert table[1] == {}


@pytest.mark.parametrize("flags", [re.LOCALE, re.DEBUG])
def test_patterns_that_depend_on_the_locale_or_are_printed_are_compiled(
    flags: re.RegexFlag, capsys: pytest.CaptureFixture[str]
) -> None:
    with start() as cache:
        re.compile(rb"\w+", flags)
        assert cache.table()[1] == {}
    assert bool(capsys.readouterr().out) == (flags is re.DEBUG)


def test_after_the_start_python_compiles_by_itself() -> None:
    with start() as cache:
        cache.stop()
        re.compile(r"later\d")
        define()
        assert cache.table() == ({}, {})
    assert "exec" not in vars(dataclasses)


def test_an_error_in_a_pattern_is_that_of_python() -> None:
    with start() as cache:
        with pytest.raises(re.error, match="unterminated"):
            re.compile("(open")
        assert ("(open", 0) not in cache.table()[1]
