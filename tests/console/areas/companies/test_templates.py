"""Templates without a screen: what must follow from an edit, what applying changes, what a template cannot."""

from __future__ import annotations

import pytest

from svc_tui.console.areas.companies.template_actions import application, differences
from svc_tui.console.core.form import Form
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.interface.customisation.features import FEATURES, TEMPLATE_DEFAULTS
from svc_tui.interface.customisation.records import TemplateBody, TemplateUpdate

TEMPLATES = BY_NAME["templates"]
STORAGE, SHARING, MESSAGES = "fileStorageCustomisation", "fileSharingCustomisation", "instantMessagesCustomisation"
COPY, TRANSFER = "fileCopyCustomisation", "fileTransferCustomisation"
AUDIO, VIDEO = "useWebRTCAudioCustomisation", "useWebRTCVideoCustomisation"


def form(**before: object) -> Form:
    made = Form(TemplateUpdate, frozenset(), {"name": "A", **TEMPLATE_DEFAULTS, **before})
    made.consistency = TEMPLATES.editing.consistency
    return made


@pytest.mark.parametrize(
    ("switched", "value", "follows"),
    [
        (STORAGE, "disabled", {SHARING: "disabled", COPY: "disabled", MESSAGES: "disabled", TRANSFER: "disabled"}),
        (SHARING, "disabled", {MESSAGES: "disabled"}),
        (COPY, "disabled", {TRANSFER: "disabled"}),
        (AUDIO, "disabled", {VIDEO: "disabled"}),
        (VIDEO, "disabled", {}),
        (MESSAGES, "disabled", {}),
    ],
)
def test_what_must_follow_when_a_key_is_switched_off(switched: str, value: str, follows: dict[str, str]) -> None:
    edited = form()
    edited.set(switched, value)
    assert edited.following() == follows
    assert bool(edited.problems()) == bool(follows)
    for wire, after in follows.items():
        edited.set(wire, after)
    assert edited.problems() == {}
    assert edited.body() == {switched: value, **follows}


def test_what_is_switched_on_brings_what_it_needs() -> None:
    edited = form(**dict.fromkeys((STORAGE, SHARING, MESSAGES, COPY, TRANSFER), "disabled"))
    edited.set(MESSAGES, "enabled")
    assert edited.following() == {STORAGE: "enabled", SHARING: "enabled"}
    edited.set(MESSAGES, "disabled")
    edited.set(TRANSFER, "enabled")
    assert edited.following() == {STORAGE: "enabled", COPY: "enabled"}


def test_a_key_that_is_cleared_counts_with_its_default() -> None:
    edited = form(**{MESSAGES: "disabled", TRANSFER: "disabled"})
    edited.set(COPY, "disabled")
    assert edited.contradictions == []
    edited.set(TRANSFER, None)
    assert [found.key for found in edited.contradictions] == [TRANSFER]


def test_a_contradiction_is_shown_beside_the_key_that_must_change() -> None:
    edited = form()
    edited.set(AUDIO, "disabled")
    assert edited.problem(VIDEO) == "Use WebRTC video cannot be enabled while Use WebRTC audio is disabled"
    assert edited.problem(AUDIO) == ""


def test_every_feature_key_stands_in_the_editor() -> None:
    for model in (TemplateBody, TemplateUpdate):
        assert {feature.key for feature in FEATURES} <= {spec.wire for spec in Form(model, frozenset()).specs}


def test_applying_shows_what_changes_and_what_is_switched_on_last() -> None:
    template = {"name": "A", "type": "other", **TEMPLATE_DEFAULTS, AUDIO: "disabled", "useSoftPhoneMode": "forced"}
    company = {"id": "c", "name": "C", **TEMPLATE_DEFAULTS, "useGifCustomisation": "disabled"}
    changes = [(change.label, change.old, change.new) for change in differences(template, company, to_company=True)]
    assert changes == [
        ("Use WebRTC audio", "Enabled", "Disabled"),
        ("Use soft phone mode", "Enabled", "Forced"),
        ("Use GIF", "Disabled", "Enabled"),
    ]


def test_a_key_that_the_template_does_not_set_is_not_changed() -> None:
    template = {"name": "A", "type": "other", **TEMPLATE_DEFAULTS, "imPopupDuration": None}
    company = {**TEMPLATE_DEFAULTS, "imPopupDuration": 12}
    assert differences(template, company, to_company=True) == ()


def test_the_template_for_users_restores_the_values_of_the_company() -> None:
    template = {"name": "Same as company", "type": "default_user"}
    changes = differences(template, {AUDIO: "disabled"}, to_company=False)
    assert [(change.old, change.new) for change in changes] == [("Disabled", "As the company")]


def test_the_request_names_the_template_and_exactly_one_target() -> None:
    template = {"name": "A", "type": "other", **TEMPLATE_DEFAULTS}
    company = application(template, BY_NAME["companies"], {"id": "c1", "name": "C", **TEMPLATE_DEFAULTS}, "Full")
    assert company.body == {"name": "A", "companyId": "c1"}
    assert [(change.label, change.old, change.new) for change in company.fields] == [("Template", "Full", "A")]
    user = application(template, BY_NAME["users"], {"id": "u1", "displayName": "U", **TEMPLATE_DEFAULTS})
    assert user.body == {"name": "A", "userId": "u1"}
    assert user.warning == "Nothing to change: all keys already have these values."


def test_public_templates_are_read_only_with_a_hint() -> None:
    assert "duplicate one to change it" in TEMPLATES.editing.frozen({"visibility": "public"})
    assert TEMPLATES.editing.frozen({"visibility": "private"}) == ""
