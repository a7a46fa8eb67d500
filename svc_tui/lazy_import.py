"""Libraries and parts that are imported when they are first used, so that a start does not wait for them.

The one rule: all imports stand at the head of a file and are plain, but for what takes long to load and few starts
need: pydantic and the modules that declare records with it, httpx, phonenumbers, the server, the console in a command,
and libraries of single views. Such an import stands as a plain one under `if TYPE_CHECKING:`,
where readers, the type checker and the import contracts see it, and under `else:` as `lazy_import` of the same module
(`svc_tui/__main__.py`). The package of an area offers the names of its modules to programs (docs/python-api.md) by
`lazy_names`: they are imported when a name is read.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

# As in typing, which takes as long to import as an empty program runs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
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


def lazy_names(package: str, *modules: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package that offers `__all__` of these modules: they are imported in turn until one has
    the name that is read. Reading `__all__` of the package imports them all."""

    def read(name: str) -> Any:
        imported = (import_module(f"{package}.{module}") for module in modules)
        if name == "__all__":
            return [each for module in imported for each in module.__all__]
        # Python asks for a module of the package as well before it imports it.
        if not name.startswith("__") and find_spec(f"{package}.{name}") is None:
            for module in imported:
                if name in module.__all__:
                    return getattr(module, name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return read
