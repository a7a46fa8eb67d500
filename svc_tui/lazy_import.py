"""Libraries and parts that are imported when they are first used, so that a start does not wait for them.

The one rule: all imports stand at the head of a file and are plain, but for what takes long to load and few starts
need: pydantic and the modules that declare records with it, httpx, phonenumbers, the server, the editor of texts. Such
an import is written so that readers, the type checker and the import contracts see it as well:

    if TYPE_CHECKING:
        from svc_tui.client import login
    else:
        login = lazy_import("svc_tui.client.login")
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

# As in typing, which takes as long to import as an empty program runs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class LazyModule(ModuleType):
    """Stands for a module; the first attribute that is read imports it."""

    def __getattr__(self, name: str) -> Any:
        # The attributes of the module can change, the module cannot.
        module = self.__dict__.get("_module")
        if module is None:
            module = self.__dict__["_module"] = import_module(self.__name__)
        return getattr(module, name)


def lazy_import(name: str) -> LazyModule:
    """The module with this name, imported on first use."""
    return LazyModule(name)
