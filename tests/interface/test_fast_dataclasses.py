"""Dataclasses of `svc_tui.fast_dataclasses` behave like those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import field, fields, replace
from typing import Any, Generic, TypeVar

import pytest

from svc_tui import fast_dataclasses

T = TypeVar("T")
#: Both decorators under one type: the type checker knows that of the standard library.
BOTH: tuple[Any, ...] = (dataclasses.dataclass, fast_dataclasses.dataclass)


@fast_dataclasses.dataclass(frozen=True, slots=True)
class Sent:
    """For other processes: found by its name."""

    name: str
    parts: tuple[int, ...] = ()


def classes(dataclass: Any) -> tuple[Any, Any, Any]:
    """A frozen class with slots, one that inherits from it, and one that can be changed."""

    @dataclass(frozen=True, slots=True)
    class Base:
        """Fields of every sort."""

        name: str
        tags: list[str] = field(default_factory=list, hash=False)
        hidden: int = field(default=3, repr=False, compare=False)
        later: str = field(init=False, default="made")

        def __post_init__(self) -> None:
            object.__setattr__(self, "later", self.name.upper())

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Derived(Base):
        """One more, by its name only."""

        more: int
        other: int = 0

        def __str__(self) -> str:
            return self.name

    @dataclass
    class Changing(Generic[T]):
        """Without a default, and one that is not a parameter."""

        value: T
        seen: set[int] = field(init=False, default_factory=set)

    return Base, Derived, Changing


@pytest.fixture(params=BOTH, ids=["standard", "quick"])
def made(request: pytest.FixtureRequest) -> tuple[Any, Any, Any]:
    """The three classes, made by each of the two decorators."""
    return classes(request.param)


def test_defaults_lists_and_derived_values_are_set(made: tuple[Any, Any, Any]) -> None:
    base, derived, changing = made
    first, second = base("a"), base("a", ["x"], 4)
    assert (first.name, first.tags, first.hidden, first.later) == ("a", [], 3, "A")
    assert (second.tags, second.hidden) == (["x"], 4)
    assert first.tags is not base("a").tags
    assert derived("b", more=2).other == 0
    assert str(derived("b", more=2)) == "b"
    assert changing(5).seen == set()
    assert not hasattr(first, "__dict__")


def test_wrong_arguments_are_refused(made: tuple[Any, Any, Any]) -> None:
    base, derived, changing = made
    for wrong in (base, lambda: base("a", unknown=1), lambda: derived("a", [], 3, 4), lambda: changing(1, set())):
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            wrong()


def test_equal_fields_make_equal_values_of_one_class(made: tuple[Any, Any, Any]) -> None:
    base, derived, changing = made
    assert base("a", hidden=1) == base("a", hidden=2)
    assert base("a") != base("b")
    assert base("a") != derived("a", more=1)
    assert hash(base("a", ["x"])) == hash(base("a", ["y"]))
    assert changing(1) == changing(1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(changing(1))


def test_a_value_is_written_with_its_fields(made: tuple[Any, Any, Any]) -> None:
    base, derived, changing = made
    assert repr(base("a")).endswith(".Base(name='a', tags=[], later='A')")
    assert repr(derived("a", more=1)).endswith(".Derived(name='a', tags=[], later='A', more=1, other=0)")
    itself = changing(None)
    itself.value = itself
    assert repr(itself).endswith(".Changing(value=..., seen=set())")


def test_a_frozen_value_cannot_be_changed_but_replaced(made: tuple[Any, Any, Any]) -> None:
    base, _, changing = made
    value = base("a")
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'name'"):
        value.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'name'"):
        del value.name
    assert replace(value, name="b") == base("b")
    other = changing(1)
    other.value = 2
    assert other.value == 2
    assert [each.name for each in fields(base)] == ["name", "tags", "hidden", "later"]
    assert base.__match_args__ == ("name", "tags", "hidden")


def test_a_plain_subclass_of_a_frozen_class_can_have_more() -> None:
    class More(classes(fast_dataclasses.dataclass)[0]):  # type: ignore[misc]
        """Not a dataclass itself."""

    more = More("a")
    more.extra = 1
    assert (more.extra, more.later) == (1, "A")
    with pytest.raises(dataclasses.FrozenInstanceError):
        more.name = "b"


def test_values_are_copied_and_sent_to_other_processes() -> None:
    value = Sent("a", (1, 2))
    assert pickle.loads(pickle.dumps(value)) == copy.copy(value) == copy.deepcopy(value) == value


def test_own_methods_are_kept() -> None:
    @fast_dataclasses.dataclass(frozen=True)
    class Own:
        """With its own equality and text."""

        name: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __repr__(self) -> str:
            return "own"

    assert Own("a") == Own("b")
    assert repr(Own("a")) == "own"
    assert hash(Own("a")) == hash(Own("a"))


@pytest.mark.parametrize("dataclass", BOTH)
def test_fields_can_have_the_names_of_what_sets_them(dataclass: Any) -> None:
    @dataclass(frozen=True)
    class Named:
        """Fields with short names."""

        store: str
        missing: bool = False
        new_parts: int = 1
        parts: list[int] = field(default_factory=list)
        default_other: str = "x"
        other: str = "y"

    named = Named("s", True)
    assert (named.store, named.missing, named.parts, named.other) == ("s", True, [], "y")
