"""A field that is declared for a while, as if it had been added to records, for tests of who reads it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from typing import Any

from svc_tui.interface.access import Access
from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import fields_of, records_in
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record

NAME = "probe"
#: Modules that derive something from declarations, and keep it.
_DERIVING = ("svc_tui.interface", "svc_tui.server.rules", "svc_tui.server.readers", "svc_tui.server.store.audit_values")


@contextmanager
def new_field(readers: Access, models: Iterable[type[Record]], *, name: str = NAME) -> Iterator[None]:
    """The field `probe` in these records, or a declared one of them, with these readers."""
    before = {model: model.model_fields.get(name) for model in models}
    info = field(None, wire=name, readers=readers)
    info.annotation = str | None
    for model in before:
        model.model_fields[name] = info
    _forget()
    try:
        yield
    finally:
        for model, old in before.items():
            if old is None:
                del model.model_fields[name]
            else:
                model.model_fields[name] = old
        _forget()


def all_records() -> set[type[Record]]:
    """Each record in a response of any operation, at any depth."""
    found: set[type[Record]] = set()

    def walk(annotation: Any) -> None:
        for model, _ in records_in(annotation):
            if model not in found:
                found.add(model)
                for spec in fields_of(model):
                    walk(spec.annotation)

    for operation in operations():
        walk(operation.result)
    return {model for model in found if "data" not in model.model_fields}


def _forget() -> None:
    """Forget what was derived from the declarations."""
    for name, module in list(sys.modules.items()):
        if name.startswith(_DERIVING):
            for value in list(vars(module).values()):
                if isinstance(value, _lru_cache_wrapper):
                    value.cache_clear()
