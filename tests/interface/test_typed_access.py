"""Typed access: documents read as declared records."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, ClassVar

import pytest

from svc_tui.interface.catalogue import operations
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.fields import field
from svc_tui.interface.records import Money, Record, TextList
from svc_tui.interface.typed_access import MissingField, all_typed, copied, document_of, typed


class Colour(StrEnum):
    RED = "red"


class Wheel(Record):
    size: int | None = field(None)
    made_on: date | None = field(None)


class Car(Record):
    SMALL: ClassVar = ("id",)

    id: str | None = field(None)
    number_e164: str | None = field(None, wire="numberE164")
    doors: int = field(4)
    names: TextList = field([])
    colour: Colour | None = field(None)
    sold_at: datetime | None = field(None)
    spare: Wheel | None = field(None)
    wheels: list[Wheel] | None = field(None)
    places: dict[str, Wheel] | None = field(None)
    problem: Wheel | list[Wheel] | str | None = field(None)
    extra: dict[str, Any] | None = field(None)


class Sale(Record):
    price: Money | None = field(None)
    sold_at: datetime | None = field(None)


class StoredCar(Car):
    id: str = field(...)
    sync_due: datetime | None = field(None)


def test_attributes_read_the_wire_names_of_the_declaration() -> None:
    car = typed(Car, {"id": "c1", "numberE164": "+49", "colour": "red", "names": ["a"], "extra": {"x": 1}})

    assert (car.id, car.number_e164, car.colour, car.names, car.extra) == ("c1", "+49", Colour.RED, ["a"], {"x": 1})


def test_absent_and_null_are_none_or_the_default() -> None:
    for document in ({}, {"id": None, "doors": None, "wheels": None, "soldAt": None}):
        car = typed(Car, document)

        assert car.id is None
        assert car.doors == 4
        assert car.wheels is None
        assert car.sold_at is None


def test_a_default_is_not_shared_between_documents() -> None:
    typed(Car, {}).names.append("mine")

    assert typed(Car, {}).names == []


def test_a_field_that_cannot_be_missing_raises_when_it_is() -> None:
    with pytest.raises(MissingField, match="StoredCar without id"):
        _ = typed(StoredCar, {}).id


def test_a_subclass_adds_fields_of_the_server() -> None:
    car = typed(StoredCar, {"id": "c1", "syncDue": "2026-02-01T10:00:00.000Z", "doors": 2})

    assert (car.id, car.doors, car.sync_due) == ("c1", 2, datetime(2026, 2, 1, 10, tzinfo=UTC))


def test_unknown_names_are_no_attributes() -> None:
    car: Any = typed(Car, {"surprise": 1})

    with pytest.raises(AttributeError):
        _ = car.surprise
    with pytest.raises(AttributeError):
        car.surprise = 2
    assert document_of(car) == {"surprise": 1}


def test_records_inside_are_typed_too() -> None:
    wheel = {"size": 17, "madeOn": "2026-02-01"}
    car = typed(Car, {"spare": wheel, "wheels": [wheel, wheel], "places": {"left": wheel}})

    assert car.spare is not None and car.wheels is not None and car.places is not None
    assert [car.spare.size, *(each.size for each in car.wheels), car.places["left"].size] == [17, 17, 17, 17]
    assert car.spare.made_on == date(2026, 2, 1)


@pytest.mark.parametrize(("value", "sizes"), [({"size": 1}, [1]), ([{"size": 1}, {"size": 2}], [1, 2]), ("flat", [])])
def test_a_union_is_read_by_the_shape_of_its_value(value: Any, sizes: list[int]) -> None:
    problem = typed(Car, {"problem": value}).problem

    found = problem if isinstance(problem, list) else [problem]
    assert [each.size for each in found if not isinstance(each, str) and each is not None] == sizes


def test_assignment_writes_json_to_the_document() -> None:
    document: dict[str, Any] = {"spare": {"size": 1}}
    car = typed(Car, document)

    car.number_e164 = "+49"
    car.sold_at = datetime(2026, 2, 1, 10, tzinfo=UTC)
    car.colour = Colour.RED
    car.wheels = [typed(Wheel, {"size": 17}), Wheel(size=18)]
    car.places = {"left": typed(Wheel, {"madeOn": "2026-02-01"})}
    assert car.spare is not None
    car.spare.size = 2
    car.id = None

    assert document == {
        "id": None,
        "spare": {"size": 2},
        "numberE164": "+49",
        "soldAt": "2026-02-01T10:00:00.000Z",
        "colour": "red",
        "wheels": [{"size": 17}, {"size": 18}],
        "places": {"left": {"madeOn": "2026-02-01"}},
    }
    assert type(document["colour"]) is str


def test_amounts_of_money_are_decimal() -> None:
    document: dict[str, Any] = {"price": 4.1}
    sale = typed(Sale, document)

    assert sale.price == Decimal("4.1")
    sale.price = Decimal("4.35")
    assert document == {"price": 4.35}
    assert typed(Sale, {"price": "much"}).price is None


def test_a_validated_record_is_assigned_as_the_wire_has_it() -> None:
    car = typed(Car, {})

    car.extra = {"sale": Sale(price=Decimal("1.5"), sold_at=datetime(2026, 2, 1, 10, 0, 0, 123456, tzinfo=UTC))}

    assert document_of(car) == {"extra": {"sale": {"price": 1.5, "soldAt": "2026-02-01T10:00:00.123Z"}}}


def test_deletion_removes_the_field() -> None:
    document = {"id": "c1", "doors": 2}
    car = typed(Car, document)

    del car.doors, car.sold_at

    assert document == {"id": "c1"}


def test_a_copy_leaves_the_original_alone() -> None:
    car = typed(Car, {"id": "c1", "doors": 2})
    other = copied(car)

    other.doors = 5

    assert (car.doors, other.doors, other.id) == (2, 5, "c1")


def test_typed_access_neither_copies_nor_validates() -> None:
    document = {"id": 7, "doors": "many"}
    car: Any = typed(Car, document)

    assert document_of(car) is document
    assert (car.id, car.doors) == (7, "many")


def test_no_document_is_no_record() -> None:
    assert typed(Car, None) is None
    assert document_of(None) == {}


def test_lists_of_documents() -> None:
    assert [car.id for car in all_typed(Car, [{"id": "1"}, {"id": "2"}])] == ["1", "2"]


def test_equal_documents_are_equal_records() -> None:
    assert typed(Wheel, {"size": 1}) == typed(Wheel, {"size": 1})
    assert typed(Wheel, {"size": 1}) != typed(Wheel, {"size": 2})


def test_a_validated_record_has_no_document_behind_it() -> None:
    with pytest.raises(TypeError, match="Wheel has no document"):
        document_of(Wheel(size=1))


def test_a_representation_keeps_the_values_to_itself() -> None:
    assert repr(typed(Car, {"id": "c1", "numberE164": "+49"})) == "<Car c1>"


def test_every_declared_record_can_be_read() -> None:
    """No declaration has an annotation that the accessors cannot show."""
    models = {model for each in operations() for model in (each.body, each.query) if issubclass(model, Record)}
    for model in models:
        for spec in fields_of(model):
            document = {spec.wire: None}
            try:
                getattr(typed(model, document), spec.name)
            except MissingField:
                assert spec.default is None
