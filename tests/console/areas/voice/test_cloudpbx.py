"""Editing a CloudPBX: requests, what went through before a refusal, what a refusal is about, and changes of others."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from svc_tui.client.errors import Refused, ServiceError
from svc_tui.console.areas.voice.checked_form_view import CloudPbxView
from svc_tui.console.areas.voice.cloudpbx_edit import CloudPbxReview, CloudPbxSnapshot, edit_cloudpbx, exchange_of, read
from svc_tui.console.core.form import Form
from svc_tui.console.core.resource import Context
from svc_tui.console.editing.conflicts import Conflicts, find_conflicts
from svc_tui.console.editing.record_edit import ChangedSinceReview
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.interface.access import Caller, Decision, Role
from svc_tui.interface.errors import Code
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice.cloudpbx_editing import EDITED, values_of
from svc_tui.interface.voice.dialling import Verdict, dial
from svc_tui.interface.voice.numbering import new_contradictions
from svc_tui.workspace.core.service import ReadError

SETTINGS: dict[str, Any] = {
    "outgoingPrefix": 0,
    "shortCodeDigits": 4,
    "externalTrunkId": "t1",
    "externalTrunkAdditionalInfo": {"id": "t1", "name": "Harbour", "locked": False},
    "numberingPlan": [{"prefix": "2", "digits": 4}],
    "barringOptions": {"permissions": "local", "restrictions": "no_restriction"},
    "cliOptions": {"policy": "user_ddi_number"},
    "announcementProfile": "none",
}
PROHIBITED = [{"pattern": "118"}]


class Workspace:
    """A CloudPBX that is read and written; `refuses` is what an operation answers instead."""

    def __init__(self) -> None:
        self.caller = Caller("u", frozenset({Role.SUPERADMIN, Role.COMPANY_ADMIN}), "c1")
        self.settings: dict[str, Any] = dict(SETTINGS)
        self.sent: list[tuple[str, Any]] = []
        self.refuses: dict[str, Exception] = {}
        self.offline = False
        self.refusals: dict[str, str] = {}

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, Any]) -> Any:
        if self.offline:
            raise ReadError("The service does not answer.")
        if operation_id == "get_cloudpbx":
            return {"data": {"id": path["systemId"], "name": "Voice", "country": "PRT", "cloudpbx": self.settings}}
        return {"data": {"patterns": PROHIBITED}}

    def decide(self, operation_id: str, subject: object) -> Decision:
        return Decision(operation_id not in self.refusals, self.refusals.get(operation_id, ""))

    async def perform(self, operation_id: str, **asked: Any) -> dict[str, Any]:
        if operation_id in self.refuses:
            raise self.refuses[operation_id]
        self.sent.append((operation_id, asked["body"]))
        return {"data": {}}


class Desk:
    """A form over the CloudPBX, and the review of it."""

    def __init__(self) -> None:
        self.workspace = Workspace()
        self.shown: list[CloudPbxView] = []
        stage = SimpleNamespace(views=[], show=self._show, declared=True)
        resource = BY_NAME["cloudpbxs"]
        view = SimpleNamespace(kind="list", place=resource.place())
        self.context = Context(
            cast("Any", stage), cast("Any", self.workspace), cast("Any", view), resource, {"id": "p1"}
        )
        known = {"id": "p1", "name": "Voice", "country": "PRT", **SETTINGS}
        self.known = CloudPbxSnapshot(known, values_of(known, PROHIBITED))
        self.form = Form(EDITED, frozenset({Role.SUPERADMIN}), self.known.values)
        self.conflicts = Conflicts()
        self.conflicting: list[str] = []
        self.sending = CloudPbxReview(self.context, cast("Any", self), self.known, self._read)

    async def _read(self) -> CloudPbxSnapshot:
        return await read(self.context)

    async def _show(self, view: CloudPbxView) -> None:
        self.shown.append(view)

    def rebase(self, now: Mapping[str, Any], found: Conflicts) -> None:
        self.conflicts = found
        self.form.rebase(now)


def _refusal(code: Code, *problems: Problem) -> Refused:
    return Refused("No.", status=403, code=code, problems=problems)


async def test_only_what_changed_is_sent_by_the_operation_that_takes_it() -> None:
    desk = Desk()
    desk.form.set("barringOptions.permissions", "nat_local")
    desk.form.set("cliOptions.policy", "installation_ddi_number")
    desk.form.set("prohibitedNumbers.patterns", [*PROHIBITED, {"pattern": "90"}])
    change = desk.sending.change(desk.form.body())
    assert change.reach == "Affects 1 CloudPBX, with 3 requests."
    assert [line.split()[0] for line in change.request().splitlines() if "/cloudpbxs/p1" in line] == ["PUT"] * 3
    await desk.sending.send(change)
    assert desk.workspace.sent == [
        ("update_cloudpbx", {"barringOptions": {"permissions": "nat_local"}}),
        ("update_cloudpbx_cli_options", {"policy": "installation_ddi_number"}),
        ("replace_cloudpbx_custom_numbers_restriction", {"patterns": [{"pattern": "118"}, {"pattern": "90"}]}),
    ]


def test_each_request_is_undone_with_whole_objects() -> None:
    desk = Desk()
    desk.form.set("barringOptions.permissions", "nat_local")
    desk.form.set("announcementProfile", "all")
    desk.sending.change(desk.form.body())
    undone = [(change.undo.operation_id, change.undo.body) for _, change in desk.sending.changes if change.undo]
    assert undone == [
        ("update_cloudpbx", {"barringOptions": SETTINGS["barringOptions"]}),
        ("set_recording_announcement_profile", {"announcementProfile": "none"}),
    ]


async def test_requests_that_succeeded_before_a_refusal_are_not_sent_again() -> None:
    desk = Desk()
    desk.form.set("shortCodeDigits", 5)
    desk.form.set("cliOptions.policy", "installation_ddi_number")
    desk.workspace.refuses["update_cloudpbx_cli_options"] = _refusal(Code.VALIDATION, Problem("policy", "is odd"))
    with pytest.raises(Refused, match="1 of 2 requests were successful") as refused:
        await desk.sending.send(desk.sending.change(desk.form.body()))
    assert desk.form.body() == {"cliOptions.policy": "installation_ddi_number"}
    assert desk.sending.refused(refused.value) == {"cliOptions.policy": "is odd"}


async def test_unseen_changes_of_another_administrator_are_never_overwritten() -> None:
    desk = Desk()
    desk.form.set("shortCodeDigits", 5)
    change = desk.sending.change(desk.form.body())
    desk.workspace.settings = {**SETTINGS, "shortCodeDigits": 6, "outgoingPrefix": 9}
    with pytest.raises(ChangedSinceReview) as refused:
        await desk.sending.send(change)
    assert desk.workspace.sent == []
    assert desk.form.body() == {"shortCodeDigits": 5}
    assert (desk.form.values["outgoingPrefix"], desk.form.before["shortCodeDigits"]) == (9, 6)
    assert desk.conflicts == Conflicts({"outgoingPrefix": 0, "shortCodeDigits": 4}, frozenset({"shortCodeDigits"}))
    assert list(desk.sending.refused(refused.value)) == [""]


async def test_nothing_is_sent_when_it_cannot_be_read_again() -> None:
    desk = Desk()
    desk.form.set("shortCodeDigits", 5)
    change = desk.sending.change(desk.form.body())
    desk.workspace.offline = True
    with pytest.raises(ServiceError, match=r"does not answer\. Nothing was sent\."):
        await desk.sending.send(change)
    assert desk.form.body() == {"shortCodeDigits": 5}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (_refusal(Code.TRUNK_LOCKED), {"externalTrunkId": "No."}),
        (_refusal(Code.OUTGOING_PREFIX_LOCKED), {"outgoingPrefix": "No."}),
        (_refusal(Code.VALIDATION, Problem("numberingPlan.0.prefix", "is odd")), {"numberingPlan": "is odd"}),
        (
            _refusal(
                Code.PLAN_LOCKED,
                Problem("shortNumber", "falls out", "2001"),
                Problem("shortNumber", "falls out", "2002"),
            ),
            {"numberingPlan": "excludes numbers in use: 2001, 2002"},
        ),
        (ServiceError("No answer."), {"": "No answer."}),
    ],
)
async def test_a_refusal_is_shown_at_its_field(error: Exception, said: dict[str, str]) -> None:
    desk = Desk()
    desk.form.set("shortCodeDigits", 5)
    desk.workspace.refuses["update_cloudpbx"] = error
    with pytest.raises(ServiceError) as refused:
        await desk.sending.send(desk.sending.change(desk.form.body()))
    assert desk.sending.refused(refused.value) == said


@pytest.mark.parametrize("locked", [True, False])
async def test_a_locked_trunk_and_the_outgoing_prefix_stay(locked: bool) -> None:
    desk = Desk()
    desk.workspace.settings["externalTrunkAdditionalInfo"] = {"id": "t1", "name": "Harbour", "locked": locked}
    await edit_cloudpbx(desk.context)
    form = desk.shown[0].form
    said = "read-only while the trunk is locked" if locked else ""
    assert (form.why_not("externalTrunkId"), form.why_not("outgoingPrefix")) == (said, said)
    assert form.why_not("language") == ""


async def test_a_field_is_greyed_for_those_who_may_not_call_its_operation() -> None:
    desk = Desk()
    desk.workspace.refusals["set_recording_announcement_profile"] = "needs company_admin of the company"
    await edit_cloudpbx(desk.context)
    form = desk.shown[0].form
    assert form.why_not("announcementProfile") == "needs company_admin of the company"
    assert form.why_not("cliOptions.policy") == ""


def test_an_existing_contradiction_does_not_block_other_changes() -> None:
    desk = Desk()
    before = {**desk.known.values, "numberingPrefix": 2}
    assert "numberingDigits" not in before
    assert new_contradictions(before, {**before, "language": "pt"}) == []
    assert [each.key for each in new_contradictions(before, {**before, "numberingPrefix": 3})] == ["numberingPrefix"]


def test_two_administrators_who_set_the_same_value_have_no_conflict() -> None:
    found = find_conflicts({"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 3})
    assert found == Conflicts({"a": 1, "b": 1}, frozenset({"b"}))


A, B, C = {"pattern": "1"}, {"pattern": "2"}, {"pattern": "3"}


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        ([A, B, C], [A, B, {"pattern": "4"}], [A, B, C, {"pattern": "4"}]),
        ([C, A, B], [A, B, {"pattern": "4"}], [C, A, B, {"pattern": "4"}]),
        ([B], [A, B, C], [B, C]),
        ([A, {**B, "description": "x"}], [B], [{**B, "description": "x"}]),
        ([A, B, {**C, "description": "x"}], [A, B, C], None),
        ([A, {**B, "description": "x"}], [A, {**B, "description": "y"}], None),
        ([A], [A, {**B, "description": "y"}], None),
        ([B, A], [A, B, C], None),
    ],
)
def test_rows_of_both_administrators_are_kept_if_they_change_different_rows(mine: Any, theirs: Any, both: Any) -> None:
    found = find_conflicts({"rows": [A, B]}, {"rows": theirs}, {"rows": mine})
    assert found.merged.get("rows") == both
    assert ("rows" in found.theirs) == (both is None)


def test_a_conflict_keeps_the_oldest_previous_value() -> None:
    first, later = Conflicts({"a": 1}, frozenset({"a"})), Conflicts({"a": 2, "b": 1}, frozenset())
    assert first.after(later) == Conflicts({"a": 1, "b": 1}, frozenset({"a"}))
    labels = {"a": "Prefix", "b": "Name"}
    assert Conflicts().warning(labels, []) == ""
    assert later.warning(labels, []) == "Another administrator changed: Prefix, Name."
    assert later.warning(labels, ["a"]).endswith("Your values replace: Prefix.")


def test_a_number_is_tried_with_edited_values_and_the_chosen_trunk() -> None:
    desk = Desk()
    desk.form.set("barringOptions.permissions", "int_nat_local")
    as_it_was = exchange_of(desk.known.settings, desk.known.values, {})
    edited = exchange_of(desk.known.settings, desk.form.values, {})
    assert dial("0210992001", as_it_was).verdict is Verdict.BARRED
    assert dial("0210992001", edited).sentence == "The call uses the trunk Harbour."
    desk.form.set("externalTrunkId", "t2")
    other = exchange_of(desk.known.settings, desk.form.values, {"t2": "Coast"})
    assert dial("0210992001", other).sentence == "The call uses the trunk Coast."
