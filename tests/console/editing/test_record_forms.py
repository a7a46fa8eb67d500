"""Why a field of a form cannot be set."""

from __future__ import annotations

from svc_tui.console.areas.companies.resources import COMPANIES
from svc_tui.console.editing.record_forms import gate_of
from svc_tui.interface.access import Caller, Role
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.field_specs import field_by_wire


def test_a_field_of_another_company_has_a_reason_about_the_role() -> None:
    slogan = field_by_wire(body_of("update_company"))["slogan"]
    partner = Caller("", frozenset({Role.BP_ADMIN}), company_id="partner")
    customer = {"id": "customer", "bpId": "partner"}
    own = gate_of(COMPANIES, partner, customer)
    assert own(slogan) == "your role is limited to your own company"
