"""What a typed call needs has a public name: the records of each operation are in the package of their area."""

from __future__ import annotations

from importlib import import_module

from svc_tui.interface.catalogue import operations
from svc_tui.interface.operations import AnyOperation, Nothing
from svc_tui.interface.records import Record


def records_of(operation: AnyOperation) -> set[type[Record]]:
    """Query, body and result of an operation, without the envelopes that all areas share."""
    found: set[type[Record]] = set()
    for each in (operation.query, operation.body, operation.result):
        parts = getattr(each, "__pydantic_generic_metadata__", {}).get("args") or (each,)
        found.update(part for part in parts if isinstance(part, type) and issubclass(part, Record))
    return found - {Nothing}


def test_the_records_of_every_operation_are_in_the_package_of_an_area() -> None:
    hidden = set()
    for operation in operations():
        for record in records_of(operation):
            package = ".".join(record.__module__.split(".")[:3])
            if not hasattr(import_module(package), record.__name__):
                hidden.add(f"{record.__module__}.{record.__name__}")
    assert hidden == set()
