"""Statements as text: made once by SQLAlchemy, then executed by the driver alone.

SQLAlchemy takes many times longer to put a statement together, and to find its text again, than SQLite to execute it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, BindParameter, ClauseElement, bindparam
from sqlalchemy.engine import Dialect

#: Statements that are kept, and the most values of one: a filter by hundreds of ids is not repeated.
_MOST_KEPT, _MOST_VALUES = 2048, 64


def given(name: str, type_: Any = BigInteger) -> BindParameter[Any]:
    """A parameter that differs each time that the statement is executed."""
    return bindparam(name, None, type_)


@dataclass(frozen=True, slots=True)
class Statement:
    """The text of a statement, its parameters in their order, and the values that belong to the statement."""

    text: str
    names: tuple[str, ...]
    values: Mapping[str, Any]

    def parameters(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        """The values of all parameters."""
        values = {**self.values, **given}
        return tuple([values[name] for name in self.names])


class Statements:
    """The statements of one database, each from the second time on that it is needed; the oldest are forgotten."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._kept: dict[Hashable, Statement] = {}
        self._lasting: dict[Hashable, Statement] = {}
        #: What was needed before, by its hash: True if it is too large to be kept.
        self._seen: dict[int, bool] = {}

    def known(self, key: Hashable, make: Callable[[], ClauseElement]) -> Statement | None:
        """The statement that `make` describes and `key` identifies. None for one that SQLAlchemy is to execute."""
        try:
            found = self._kept.get(key)
            number = hash(key) if found is None else 0
        except TypeError:
            # A condition with a list or a set has no hash.
            return None
        if found is None and number in self._seen:
            found = None if self._seen[number] else self._made(key, number, make)
        elif found is None:
            _keep(self._seen, number, False)
        return found

    def of(self, key: Hashable, make: Callable[[], ClauseElement]) -> Statement:
        """One of a few statements that are needed again and again, such as the changes of each table."""
        found = self._lasting.get(key)
        if found is None:
            found = self._compiled(make())
            _keep(self._lasting, key, found)
        return found

    def _compiled(self, statement: ClauseElement) -> Statement:
        compiled = statement.compile(dialect=self._dialect, compile_kwargs={"render_postcompile": True})
        names = tuple(getattr(compiled, "positiontup", None) or ())
        return Statement(str(compiled), names, compiled.params or {})

    def _made(self, key: Hashable, number: int, make: Callable[[], ClauseElement]) -> Statement:
        made = self._compiled(make())
        if sum(value is not None for value in made.values.values()) > _MOST_VALUES:
            self._seen[number] = True
        else:
            _keep(self._kept, key, made)
        return made


def _keep(kept: dict[Any, Any], key: Hashable, value: object) -> None:
    if len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
    kept[key] = value
