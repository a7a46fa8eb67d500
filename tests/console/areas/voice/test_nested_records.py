"""Fields that hold records: lists of references, names in place of ids, and refusals of what lies in an object."""

from __future__ import annotations

from svc_tui.console.core.changes import field_changes
from svc_tui.console.core.form import Form
from svc_tui.console.core.record_lines import record_lines
from svc_tui.console.core.summaries import summary_line, summary_of
from svc_tui.console.core.value_sources import value_source
from svc_tui.console.editing.field_editors import reference_in, toggled
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.voice.welcomes import OverflowTarget

BODY = body_of("update_welcome_service")
ONE, OTHER = "a" * 24, "b" * 24


def test_a_list_of_references_is_chosen_and_other_lists_are_not() -> None:
    specs = field_by_wire(BODY)
    reference = reference_in(specs["secondaryDDIs"])
    assert reference is not None
    assert (reference.wire, reference.facet.refers) == ("phoneNumberId", "ddis")
    assert reference_in(specs["openHoursOverflow"]) is None
    assert reference_in(field_by_wire(body_of("update_cloudpbx"))["numberingPlan"]) is None


def test_what_is_chosen_is_added_at_the_end_or_taken_out_and_only_its_id_is_sent() -> None:
    read = [{"phoneNumberId": ONE, "numberE164": "+351210990000"}]
    assert toggled(read, "phoneNumberId", OTHER) == [{"phoneNumberId": ONE}, {"phoneNumberId": OTHER}]
    assert toggled(read, "phoneNumberId", ONE) == []
    assert toggled(None, "phoneNumberId", ONE) == [{"phoneNumberId": ONE}]


def test_references_show_the_name_from_the_record_or_from_the_choice() -> None:
    form = Form(BODY, frozenset(), {"companyCalendarId": ONE, "companyCalendarName": "Office"})
    assert form.named == {ONE: "Office"}
    assert Form(OverflowTarget, frozenset(), {"destinationId": ONE, "userDisplayName": "Bo"}).named == {ONE: "Bo"}
    form.set("openHoursOverflow", {"type": "user", "destinationId": OTHER})
    form.named[OTHER] = "Una Byrne"
    assert form.drawn("openHoursOverflow") == "Una Byrne"
    (change,) = field_changes("update_welcome_service", {}, form.body(), form.named)
    assert (change.old, change.new) == ("—", "Una Byrne")


def test_a_refusal_inside_an_object_is_shown_beside_the_object() -> None:
    form = Form(BODY, frozenset(), {"name": "Sales"})
    assert form.refuse({"openHoursOverflow.type": "refers to itself", "": "no"}) == ["no"]
    assert form.refused == {"openHoursOverflow": "refers to itself"}


def test_who_is_called_is_searched_among_those_with_an_extension_and_the_rest_is_typed() -> None:
    spec = field_by_wire(OverflowTarget)["destinationId"]
    source = value_source(spec, BY_NAME, {"type": "user"})
    assert source is not None
    assert (source.operation, source.value) == ("list_system_phone_numbers", "userId")
    assert value_source(spec, BY_NAME, {"type": "group"}) is None
    assert value_source(spec, BY_NAME) is None


def test_values_that_do_not_fit_their_declaration_are_drawn_unchanged() -> None:
    for wire, value in (("officehours", ["x"]), ("manualMode", "open"), ("secondaryDDIs", [1]), ("name", {"a": 1})):
        assert summary_of(wire, value) is None
        assert summary_line(wire, value) == ""
        assert list(record_lines({wire: value}, (), 40))


def test_the_manual_mode_is_shown_for_each_service_with_a_calendar() -> None:
    services = [{"id": ONE, "name": "Sales", "mode": "closed"}, {"id": OTHER, "name": "Reception", "mode": "default"}]
    assert summary_of("welcomeServicesManualMode", services) == {"Sales": "closed by hand", "Reception": "by the hours"}


def test_hostile_names_inside_objects_are_drawn_as_marks() -> None:
    assert "\x1b" not in summary_line("openHoursOverflow", {"type": "group", "name": "\x1b[2Jx"})
