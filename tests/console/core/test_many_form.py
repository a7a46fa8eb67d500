"""The form of several records: equal values, several values, and what is set in all of them."""

from __future__ import annotations

from typing import Any

from svc_tui.console.core.form import Form
from svc_tui.console.core.many_form import ManyForm
from svc_tui.interface.access import Role
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.field_specs import FieldSpec

SUPERADMIN = frozenset({Role.SUPERADMIN})
LISBON = {"id": "1", "name": "A", "city": "Lisbon", "country": "PRT", "status": "active"}
PORTO = {"id": "2", "name": "B", "city": "Porto", "country": "PRT"}


def _form(record: dict[str, Any], **options: Any) -> Form:
    return Form(body_of("update_company"), SUPERADMIN, record, **options)


def _many(*records: dict[str, Any]) -> ManyForm:
    return ManyForm([_form(record) for record in records])


def test_equal_values_are_shown_and_different_ones_are_several() -> None:
    form = _many(LISBON, PORTO)
    assert (form.drawn("country"), form.drawn("city")) == ("PRT  Portugal", "several values")
    # A record without the value has another one.
    assert form.drawn("status") == "several values"
    assert (form.typed("city"), form.note("city"), form.note("country")) == ("", "1 × Lisbon, 1 × Porto", "")


def test_several_values_that_are_not_touched_are_not_sent() -> None:
    form = _many(LISBON, PORTO)
    assert (form.dirty, form.body()) == (False, {})
    form.type("slogan", "Hello")
    assert form.body() == {"slogan": "Hello"}
    assert [one.body() for one in form.forms] == [{"slogan": "Hello"}] * 2


def test_a_value_replaces_those_of_all_records_but_is_sent_only_where_it_differs() -> None:
    form = _many(LISBON, PORTO)
    form.type("city", "Porto")
    assert (form.changed("city"), form.drawn("city"), form.note("city")) == (True, "Porto", "")
    assert [one.body() for one in form.forms] == [{"city": "Porto"}, {}]


def test_a_removed_text_brings_the_values_back_and_clearing_empties_them() -> None:
    form = _many(LISBON, PORTO)
    form.type("city", "P")
    form.type("city", "")
    assert (form.drawn("city"), form.dirty, [one.body() for one in form.forms]) == ("several values", False, [{}, {}])
    form.clear("city")
    assert (form.drawn("city"), form.body()) == ("empty in all", {"city": None})
    assert [one.body() for one in form.forms] == [{"city": None}] * 2
    form.clear("city")
    assert (form.has_several("city"), form.dirty) == (True, False)


def test_choices_turn_back_to_several_values() -> None:
    form = _many(LISBON, {**PORTO, "status": "hold"})
    seen = []
    for _ in range(len(form.spec("status").choices) + 2):
        form.cycle("status", 1)
        seen.append(form.drawn("status"))
    assert "several values" in seen and "empty in all" not in seen


def test_a_field_is_read_only_where_no_record_allows_it() -> None:
    def gate(spec: FieldSpec) -> str:
        return "no role" if spec.wire == "city" else ""

    free, bound = _form(PORTO), _form(LISBON, gate=gate)
    form = ManyForm([bound, free])
    assert (form.why_not("city"), form.note("city")) == ("", "not in 1: no role")
    form.type("city", "Faro")
    assert [one.body() for one in form.forms] == [{}, {"city": "Faro"}]
    assert ManyForm([bound, bound]).why_not("city") == "no role"


def test_a_condition_follows_what_is_set_in_all() -> None:
    form = _many(LISBON, PORTO)
    assert form.why_not("state").startswith("only when Country")
    form.set("country", "USA")
    assert not form.why_not("state")


def test_fields_of_one_record_and_secrets_are_not_set_in_many() -> None:
    form = ManyForm([_form(LISBON), _form(PORTO)], {"city"})
    assert form.why_not("city") == "set for one record at a time"
    users = [Form(body_of("update_user"), SUPERADMIN, {"id": id, "loginEmail": id}) for id in "ab"]
    assert ManyForm(users).why_not("password") == "set for one record at a time"
