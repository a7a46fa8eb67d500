"""Texts that contain one of many parts, such as a hundred telephone numbers: SQLite asks one function for all of them.

It would compare each text with each part otherwise. PostgreSQL has its own indexes and comparisons.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from pydantic_core import from_json
from sqlalchemy import ColumnElement, bindparam, func, or_
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

from svc_tui.server.store.conditions import Condition, Contains

#: From so many parts on the function is faster.
MANY = 10
#: A pattern is as deep as its longest part.
_LONGEST = 40
_NAME = "contains_any_part"

_Node = dict[str, "_Node"]


class _OnSqlite(FunctionElement[bool]):
    """The first condition on SQLite, the second one on PostgreSQL."""

    inherit_cache = True


@compiles(_OnSqlite)
def _second(element: _OnSqlite, compiler: SQLCompiler, **options: Any) -> str:
    return f"({compiler.process(element.clauses.clauses[1], **options)})"


@compiles(_OnSqlite, "sqlite")
def _first(element: _OnSqlite, compiler: SQLCompiler, **options: Any) -> str:
    return compiler.process(element.clauses.clauses[0], **options)


def are_many(parts: Sequence[Condition]) -> bool:
    """Whether these conditions look for many parts in one text."""
    return (
        len(parts) >= MANY
        and all(isinstance(each, Contains) and len(each.part) <= _LONGEST for each in parts)
        and len({each.field for each in parts if isinstance(each, Contains)}) == 1
    )


def any_part(
    column: ColumnElement[str], parts: Sequence[str], each: Sequence[ColumnElement[bool]]
) -> ColumnElement[bool]:
    """The column contains one of these parts. `each`: the condition for each part."""
    found = getattr(func, _NAME)(column, bindparam(None, json.dumps(parts)))
    return _OnSqlite(found, or_(*each))


def contains_any_part(text: str | None, parts: str) -> bool:
    """Whether a text contains one of the parts of a JSON list."""
    return text is not None and _search(parts)(text) is not None


def add_to(connection: Any) -> None:
    """Let a connection to SQLite use the function."""
    connection.create_function(_NAME, 2, contains_any_part, deterministic=True)


@lru_cache(16)
def _search(parts: str) -> Callable[[str], re.Match[str] | None]:
    # As a tree of their letters, so that the beginning of parts is compared once.
    root: _Node = {}
    for part in from_json(parts):
        node = root
        for letter in part:
            node = node.setdefault(letter, {})
        node[""] = {}
    return re.compile(_pattern(root)).search


def _pattern(node: _Node) -> str:
    if "" in node:
        return ""
    ways = [re.escape(letter) + _pattern(rest) for letter, rest in node.items()]
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
