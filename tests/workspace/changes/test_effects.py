"""The effect of a change: each creation, update and deletion belongs to the kind of its records."""

from __future__ import annotations

import pytest

from svc_tui.interface.catalogue import operation
from svc_tui.workspace.changes.effects import effect_of


@pytest.mark.parametrize(
    ("name", "kind", "how"),
    [
        ("create_company", "companies", "create"),
        ("update_company", "companies", "update"),
        ("create_company_subscription", "subscriptions", "create"),
        ("update_company_subscription", "subscriptions", "update"),
        ("delete_company_subscription", "subscriptions", "delete"),
        ("create_site", "sites", "create"),
        ("stop_application", "applications", "update"),
        ("delete_recordings", "recordings", "delete"),
        ("toggle_default_ddi", "ddis", "update"),
        ("assign_licence", "licences", "update"),
        ("upload_splashscreen", "companies", "update"),
        ("delete_ivr", "welcomeservices", "delete"),
        ("create_subscriber", "subscribers", "create"),
    ],
)
def test_a_change_belongs_to_the_kind_of_its_records(name: str, kind: str, how: str) -> None:
    path = {"companyId": "c0", "subscriptionId": "s0", "siteId": "p0"}
    found = effect_of(operation(name), path, None)
    assert found is not None
    assert (found.kind.name, found.action) == (kind, how)
