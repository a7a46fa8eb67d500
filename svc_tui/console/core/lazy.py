"""Names of things that are imported on first use, so that the first screen does not load them.

The one mechanism for this in declarations: `run` of an action, editors of fields, and the tables of an area are names
such as `areas.companies.deletion:delete_company`, relative to `svc_tui.console`. A test resolves each of them.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any, Generic, TypeVar

PACKAGE = "svc_tui.console"
V = TypeVar("V")


def load(name: str) -> Any:
    """The object that a name stands for. ImportError or AttributeError when there is no such thing."""
    return resolve_name(f"{PACKAGE}.{name}")


class LazyTable(Generic[V]):
    """A table that areas add to by names of mappings; these are loaded when it is first read."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._entries: dict[str, V] | None = None

    def register(self, name: str) -> None:
        """Add a mapping by its name."""
        self._names.append(name)
        self._entries = None

    def get(self, key: str) -> V | None:
        if self._entries is None:
            self._entries = {key: value for name in self._names for key, value in load(name).items()}
        return self._entries.get(key)
