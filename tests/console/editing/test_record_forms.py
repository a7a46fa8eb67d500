"""Why a field of a form cannot be set: by the role of the user, or by the role of the lens."""

from __future__ import annotations

from svc_tui.console.areas.companies.resources import COMPANIES
from svc_tui.console.editing.record_forms import gate_of
from svc_tui.interface.access import Caller, Role
from svc_tui.interface.catalogue import body_of
from svc_tui.interface.records import field_by_wire


def test_the_reason_is_about_the_role_of_the_lens_and_not_about_that_of_the_user() -> None:
    slogan = field_by_wire(body_of("update_company"))["slogan"]
    partner = Caller("", frozenset({Role.BP_ADMIN}), company_id="partner")
    customer = {"id": "customer", "bpId": "partner"}
    own = gate_of(COMPANIES, partner, "update_company", customer)
    assert own(slogan, None) == "your role is limited to your own company"
    assert own(slogan, Role.BP_ADMIN) == "this role is limited to its own company"
