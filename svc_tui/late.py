"""Modules that are imported when they are first used, so that a start does not wait for them.

The import stands at the head of a file, where readers, the type checker and the import contracts see it:

    if TYPE_CHECKING:
        from svc_tui.client import login
    else:
        login = late("svc_tui.client.login")
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any


class LateModule(ModuleType):
    """Stands for a module; the first attribute that is read imports it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def late(name: str) -> LateModule:
    """The module with this name, imported on first use."""
    return LateModule(name)
