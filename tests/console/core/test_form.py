"""Forms: constraints beside the field, roles, what is sent."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping

import pytest

from svc_tui import language
from svc_tui.console.core.edited_lines import entries
from svc_tui.console.core.form import Form
from svc_tui.console.core.places import Place
from svc_tui.console.views.form import FormView
from svc_tui.console.views.form_text import called
from svc_tui.interface.access import Role
from svc_tui.interface.applications.records import ApplicationCreation, ApplicationUpdate
from svc_tui.interface.authentication.api_keys import ApiKeyCreation
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.field_specs import field_by_wire, fields_of
from svc_tui.interface.problems import longest_of

Speak = Callable[[str], None]
APP_ADMIN = frozenset({Role.APP_ADMIN})
SUPERADMIN = frozenset({Role.SUPERADMIN})
RECORD = {
    "id": "1",
    "name": "CRM",
    "type": "web",
    "activity": "J",
    "env": "deployed",
    "isAllowedToEmbed": False,
    "origin": "x",
}


@pytest.fixture
def in_language() -> Iterator[Speak]:
    """Changes the language of the process; it is English again after the test."""
    yield language.use
    language.use(language.ENGLISH)


def test_required_fields_stand_first_and_are_asked_for() -> None:
    form = Form(ApplicationCreation, APP_ADMIN)
    assert [spec.wire for spec in form.specs[:3]] == ["name", "type", "activity"]
    assert form.problems() == {"name": "is required", "type": "is required", "activity": "is required"}


@pytest.mark.parametrize("spoken", ["en", "de"])
def test_a_required_field_is_reported_only_when_it_was_asked_for(spoken: str, in_language: Speak) -> None:
    in_language(spoken)
    form = Form(ApplicationCreation, APP_ADMIN)
    assert form.problem("name") and form.is_awaited("name")
    form.refuse(form.problems())
    assert not form.is_awaited("name")
    form = Form(ApplicationCreation, APP_ADMIN)
    form.type("name", "x" * 256)
    assert not form.is_awaited("name")


def test_a_new_form_warns_of_no_empty_field_in_german(in_language: Speak) -> None:
    in_language("de")

    async def review(_: FormView) -> None: ...

    view = FormView(Place(("applications",)), None, "", Form(ApplicationCreation, APP_ADMIN), review, send="")
    assert [view.line_of(wire).note_style for wire in ("name", "type", "activity")] == ["dim"] * 3


def test_a_name_has_1_to_255_characters() -> None:
    form = Form(ApplicationCreation, APP_ADMIN)
    form.type("name", "x" * 255)
    assert form.problem("name") == ""
    form.type("name", "x" * 256)
    assert "255" in form.problem("name")


def test_a_text_without_a_limit_of_its_own_has_that_of_the_service() -> None:
    form = Form(ApplicationUpdate, APP_ADMIN, RECORD)
    longest = longest_of(field_by_wire(ApplicationUpdate)["description"])
    form.type("description", "x" * longest)
    assert form.problem("description") == ""
    form.type("description", "x" * (longest + 1))
    assert form.problem("description") == f"must have at most {longest:,} characters"


def test_at_most_20_redirect_addresses() -> None:
    form = Form(ApplicationUpdate, APP_ADMIN, RECORD)
    form.set("oauthRedirectUris", [f"https://a.example/{n}" for n in range(20)])
    assert form.problem("oauthRedirectUris") == ""
    form.set("oauthRedirectUris", [f"https://a.example/{n}" for n in range(21)])
    assert form.problem("oauthRedirectUris")


def test_fields_of_other_roles_name_the_roles() -> None:
    assert Form(ApplicationUpdate, APP_ADMIN, RECORD).why_not("kpi") == "needs superadmin or app_superadmin"
    assert Form(ApplicationUpdate, SUPERADMIN, RECORD).why_not("kpi") == ""


def test_referrers_can_be_set_only_while_embedding_is_allowed() -> None:
    form = Form(ApplicationUpdate, SUPERADMIN, RECORD)
    assert form.why_not("referrers") == "only when Embedding allowed is yes"
    form.set("isAllowedToEmbed", True)
    assert form.why_not("referrers") == ""


def test_a_deploy_reason_needs_a_deployed_application() -> None:
    assert Form(ApplicationUpdate, SUPERADMIN, RECORD).why_not("deployReason") == ""
    assert Form(ApplicationUpdate, SUPERADMIN, {**RECORD, "env": "in_deployment"}).why_not("deployReason")


def test_an_update_sends_only_what_changed_and_clears_with_null() -> None:
    form = Form(ApplicationUpdate, APP_ADMIN, RECORD)
    assert form.body() == {} and not form.dirty
    form.type("origin", "")
    form.type("name", "CRM 2")
    assert form.body() == {"name": "CRM 2", "origin": None}


def test_a_creation_sends_what_was_given_and_no_defaults() -> None:
    form = Form(ApplicationCreation, APP_ADMIN)
    form.type("name", "CRM")
    form.jump("type", "s")
    form.jump("activity", "j")
    assert form.body() == {"name": "CRM", "type": "server", "activity": "J"}


def test_choices_turn_round_and_optional_ones_can_be_nothing() -> None:
    form = Form(ApplicationUpdate, SUPERADMIN, RECORD)
    seen = []
    for _ in range(5):
        form.cycle("kpi", 1)
        seen.append(form.values["kpi"])
    assert seen == ["business", "payasyougo", "svcstore", "appconnect", None]


@pytest.mark.parametrize(("spoken", "word", "letter"), [("en", "Pay as you go", "p"), ("de", "Nutzungsbasiert", "n")])
def test_a_choice_is_drawn_and_found_by_its_words(spoken: str, word: str, letter: str) -> None:
    script = f"""
from svc_tui.language import use
use({spoken!r})
from svc_tui.console.core.form import Form
from svc_tui.interface.access import Role
from svc_tui.interface.applications.records import ApplicationUpdate
form = Form(ApplicationUpdate, frozenset({{Role.SUPERADMIN}}), {{"name": "CRM", "kpi": "business"}})
assert form.jump("kpi", {letter!r}) and form.values["kpi"] == "payasyougo"
print(form.drawn("kpi"))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == word, done.stderr


def test_a_refusal_stays_beside_its_field_until_it_is_edited() -> None:
    form = Form(ApplicationUpdate, APP_ADMIN, RECORD)
    form.type("name", "Taken")
    left = form.refuse({"name": "exists already", "": "something else"})
    assert form.problem("name") == "exists already"
    assert left == ["something else"]
    form.type("name", "Free")
    assert form.problem("name") == ""


def test_a_refusal_is_checked_again_as_soon_as_any_field_changes() -> None:
    form = Form(ApplicationUpdate, APP_ADMIN, RECORD)
    form.refuse({"name": "does not fit the type"})
    form.set("description", "Another one")
    assert form.problem("name") == ""


def test_an_unedited_value_of_the_service_has_no_problem() -> None:
    form = Form(ApplicationUpdate, SUPERADMIN, {**RECORD, "kpi": "internal"})
    assert form.problems() == {}


def test_a_form_proposes_what_has_only_one_sensible_value() -> None:
    form = Form(ApiKeyCreation, frozenset({Role.USER}))
    form.type("description", "laptop")
    assert form.body() == {"description": "laptop", "isActive": True, "scope": ["all"]}


def test_secrets_are_not_drawn() -> None:
    form = Form(ApplicationCreation, frozenset({Role.APP_SUPERADMIN}))
    form.type("appSecret", "hunter2")
    assert "hunter2" not in form.drawn("appSecret")


def test_lists_are_typed_one_a_line() -> None:
    assert entries(" a \n\n b") == ["a", "b"]
    assert entries("\n ") is None


def test_what_is_wrong_with_the_values_together_stands_beside_its_field() -> None:
    form = Form(ApplicationUpdate, SUPERADMIN, RECORD)
    judged: list[dict[str, object]] = []

    def judge(values: Mapping[str, object]) -> dict[str, str]:
        judged.append(dict(values))
        return {"origin": "is taken"} if values.get("origin") == "y" else {}

    form.check_together = judge
    form.set("origin", "y")
    assert form.problem("origin") == "is taken"
    assert form.problems() == {"origin": "is taken"}
    form.set("origin", "z")
    assert form.problems() == {}
    form.set("activity", "no such activity")
    assert "activity" in form.problems()
    assert judged == [{"origin": "y"}, {"origin": "z"}, {"origin": "z"}]


def test_a_limit_on_one_side_is_shown_in_words() -> None:
    told = {spec.wire: spec.constraint for spec in fields_of(ListQuery)}
    assert (told["offset"], told["limit"]) == ("at least 0", "1..1000")


def test_a_record_is_drawn_and_edited_by_its_name_and_sent_as_its_id() -> None:
    form = Form(ApplicationUpdate, SUPERADMIN, {**RECORD, "ownerId": "a1" * 12})
    form.named |= {"a1" * 12: "Ana Lopes", "b2" * 12: "Ana Lopes"}
    assert (form.drawn("ownerId"), form.typed("ownerId"), called(form, "ownerId")) == (
        *("Ana Lopes", "Ana Lopes"),
        "a1" * 12,
    )
    form.type("ownerId", "Ana L")
    assert form.values["ownerId"] == "Ana L"
    form.type("ownerId", "Ana Lopes")
    assert not form.dirty
    form.set("ownerId", "b2" * 12)
    # Equal names have different IDs beside them.
    assert (form.drawn("ownerId"), called(form, "ownerId")) == ("Ana Lopes", "b2" * 12)
    assert form.body() == {"ownerId": "b2" * 12}
    form.set("ownerId", "c3" * 12)
    assert (form.drawn("ownerId"), form.typed("ownerId")) == ("c3" * 12, "c3" * 12)
