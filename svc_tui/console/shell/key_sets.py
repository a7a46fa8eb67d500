"""The keys of all dialogs, the prompt and the editors, as their classes and modules declare them.

Read for the key reference, and at a start only when the configuration changes a key of a dialog: it imports every
module of the console.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from svc_tui import console
from svc_tui.console.core import dialog_keys as shared
from svc_tui.console.core.keys import DialogKey, KeyMap
from svc_tui.console.dialogs.box import key_sets, key_sets_among


def all_key_sets() -> Iterator[tuple[DialogKey, ...]]:
    """Every set of keys that work at the same time."""
    for found in pkgutil.walk_packages(console.__path__, f"{console.__name__}."):
        module = import_module(found.name)
        yield from key_sets_among(vars(module))
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == found.name:
                yield from key_sets(value)


def check_dialog_keys(key_map: KeyMap) -> None:
    """Report problems of the changed keys of dialogs."""
    key_map.check_dialogs(list(all_key_sets()))


def dialog_keys() -> list[DialogKey]:
    """Every key once, in the order of their names."""
    keys = {key.name: key for key in vars(shared).values() if isinstance(key, DialogKey)}
    for found in all_key_sets():
        for key in found:
            keys.setdefault(key.name, key)
    return [keys[name] for name in sorted(keys)]
