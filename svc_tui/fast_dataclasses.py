"""Dataclasses that are quick to define: `from svc_tui.fast_dataclasses import dataclass`.

They behave like those of the standard library, which writes and compiles up to six methods for each class when it is
imported. Here the methods are shared, except `__init__`, which is compiled for the first instance.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, kw_only=False):
        """The decorator of the standard library with those of its options that are used here."""
        if cls is None:
            return lambda decorated: _made(decorated, frozen, slots, kw_only)
        return _made(cls, frozen, slots, kw_only)


def _made(cls: type, frozen: bool, slots: bool, kw_only: bool) -> Any:
    given = set(cls.__dict__)
    # Otherwise a signature is made for it, which takes longer than everything else.
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(cls)
    fields = dataclasses.fields(made)
    compared = tuple(field.name for field in fields if field.compare)
    hashed = tuple(field.name for field in fields if (field.compare if field.hash is None else field.hash))
    methods: dict[str, Any] = {"__repr__": _repr, "__eq__": _eq(compared), "__hash__": None}
    if frozen:
        methods |= {"__hash__": _hash(hashed), **_refusals(made, frozenset(field.name for field in fields))}
        if slots:
            methods |= {"__getstate__": _getstate, "__setstate__": _setstate}
    for name, method in methods.items():
        # A class that has its own equality has no hash by that, so it gets this one.
        if name not in given or (name == "__hash__" and cls.__dict__[name] is None):
            setattr(made, name, method)
    _initialise_late(made, frozen)
    return made


def _initialise_late(made: Any, frozen: bool) -> None:
    def first(self: Any, *arguments: Any, **named: Any) -> None:
        made.__init__ = _initialiser(made, frozen)
        made.__init__(self, *arguments, **named)

    made.__init__ = first


def _initialiser(made: Any, frozen: bool) -> Any:
    """Its `__init__`, with a default of each field as the standard library has them.

    The names that it uses itself are unlike those of fields.
    """
    known: dict[str, Any] = {"_store_": object.__setattr__, "_missing_": dataclasses.MISSING}
    positional: list[str] = ["self"]
    named: list[str] = []
    lines = ["pass"]
    for field in dataclasses.fields(made):
        name, value, default = field.name, field.name, ""
        if field.default_factory is not dataclasses.MISSING:
            known[f"_new_{name}_"] = field.default_factory
            default = "=_missing_"
            value = f"_new_{name}_() if {name} is _missing_ else {name}" if field.init else f"_new_{name}_()"
        elif field.default is not dataclasses.MISSING:
            known[f"_default_{name}_"] = field.default
            default = f"=_default_{name}_"
            value = name if field.init else f"_default_{name}_"
        elif not field.init:
            continue
        if field.init:
            (named if field.kw_only else positional).append(name + default)
        lines.append(f"_store_(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *named] if named else [])])
    source = f"def __init__({parameters}):\n" + "\n".join(f" {line}" for line in lines)
    exec(source, known)
    made_method = known["__init__"]
    made_method.__qualname__ = f"{made.__qualname__}.__init__"
    return made_method


@recursive_repr()
def _repr(self: Any) -> str:
    values = (f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr)
    return f"{type(self).__qualname__}({', '.join(values)})"


def _eq(names: tuple[str, ...]) -> Any:
    read = _reader(names)

    def __eq__(self: Any, other: object) -> Any:
        return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(names: tuple[str, ...]) -> Any:
    read = _reader(names)

    def __hash__(self: Any) -> int:
        return hash(read(self))

    return __hash__


def _reader(names: tuple[str, ...]) -> Any:
    return attrgetter(*names) if names else lambda _: ()


def _refusals(made: Any, names: frozenset[str]) -> dict[str, Any]:
    """What refuses to change a field of a frozen class; a subclass that is none may have more attributes."""

    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(made, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is made or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(made, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _getstate(self: Any) -> dict[str, Any]:
    return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


def _setstate(self: Any, state: dict[str, Any]) -> None:
    for name, value in state.items():
        object.__setattr__(self, name, value)
