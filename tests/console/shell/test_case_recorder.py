"""The steps of a case: what is collected, and that no personal or secret value is in what is exported of it."""

from __future__ import annotations

import asyncio
import json
import shlex
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from svc_tui.client.call_log import CallLog, LoggedCall
from svc_tui.client.profile import Profile
from svc_tui.commands.exits import UsageError
from svc_tui.commands.request import prepare
from svc_tui.console.core import case_steps
from svc_tui.console.core.places import Link, Place
from svc_tui.console.shell.case_recorder import CaseRecorder
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.console.views.view import View
from svc_tui.interface import catalogue
from svc_tui.interface.field_specs import FieldSpec, fields_of, records_in
from svc_tui.interface.personal import MASKED
from svc_tui.interface.records import Record
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.core.events import ChangeMade, Event
from svc_tui.workspace.core.folders import Folders
from svc_tui.workspace.files.cases import Step
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.workspace import Workspace
from tests.interface.specification_personal import personal

ID = "5f" * 12


def seen(link: str) -> dict[str, Any]:
    """What all may see of a view."""
    parsed = Link.parse(link)
    return case_steps.of_view(parsed, BY_NAME.get(parsed.place.kind), BY_NAME)[0]


@pytest.mark.parametrize(
    ("link", "place", "masked"),
    [
        (f"users/{ID}", f"users/{ID}", None),
        (f"companies/{ID}/users", f"companies/{ID}/users", None),
        ("users/anna@example.com", "users", ["users"]),
        ("companies/0049 30 123456/users?filter=x", "companies", ["companies"]),
        ("users?filter=anna", "users", ["•••"]),
        ('users?filter="Anna Berg" !berg ~anb', "users", ["•••", "!•••", "~•••"]),
        ("users?filter=email:anna", "users", ["•••"]),
        ("applications?filter=state:active crm&sort=-name", "applications?filter=state:active&sort=-name", ["•••"]),
        ("applications?filter=state:anna", "applications", ["state:•••"]),
        ("applications?filter=name:/anna.*/", "applications", ["name:/•••/"]),
        ("applications?filter=name:anna", "applications", ["name:•••"]),
        ("applications?filter=!name:=Anna state:!active", "applications?filter=!state:active", ["!name:=•••"]),
        ('applications?filter=name:~"Anna Berg"', "applications", ["name:~•••"]),
        ("applications?filter=name:>anna", "applications", ["name:>•••"]),
        ('applications?filter=name:"+49 30 123 456"', "applications", ["name:•••"]),
        ("companies?filter=country:anna", "companies", ["country:•••"]),
        ("applications?sort=anna", "applications", ["sort"]),
        ('applications?where={"name":"anna"}', "applications", ["name"]),
        (f"users?marks={ID},anna", f"users?marks={ID}", None),
        ('users?where={"loginEmail":"anna@example.com"}', "users", ["loginEmail"]),
        ('users?where={"unknown":"anna"}', "users", ["unknown"]),
        ("find/anna@example.com", "find", None),
        ("home", "home", None),
        (f"companies/{ID}/dashboard", f"companies/{ID}/dashboard", None),
        ("anna", "", ["place"]),
    ],
)
def test_a_view_keeps_what_the_declaration_allows_to_be_seen(link: str, place: str, masked: list[str] | None) -> None:
    values = seen(link)
    assert (values["place"], values.get("masked")) == (place, masked)


def filled(spec: FieldSpec, above: tuple[type[Record], ...] = ()) -> Any:
    """A value of a field; texts in personal, secret and typed fields are `ANNABERG`."""
    for model, named in records_in(spec.annotation):
        if model not in above:
            inner: Any = {each.wire: filled(each, (*above, model)) for each in fields_of(model)}
            inner = {"ANNABERG": inner} if named else inner
            return [inner] if spec.kind == "objects" else inner
    hidden = spec.facet.secret or spec.wire in personal().get(spec.model.__name__, ())
    text = "ANNABERG" if hidden or spec.kind not in ("text", "texts") else "open"
    return [text] if spec.kind in ("texts", "choices") else {"ANNABERG": text} if spec.kind == "object" else text


class Frame:
    """A frame without a screen."""

    declared = True
    view: View | None = None

    def __init__(self, folder: Path) -> None:
        own = {"name": "ANNABERG", "login": "ANNABERG", "app_secret": "ANNABERG"}
        profile = Profile(base_url="https://svc.example", app_id="a", **own)
        self.workspace = Workspace(profile, Folders(folder / "config", folder / "cache", folder / "data"))
        self.said: list[str] = []

    def show_message(self, text: str, style: str = "") -> None:
        self.said.append(text)

    def show_unless_message(self, text: str) -> None:
        self.show_message(text)

    def update_bars(self) -> None:
        """Nothing is drawn."""

    def happens(self, event: Event) -> None:
        self.workspace._listeners.notify(event)


@pytest.fixture
def frame(tmp_path: Path) -> Frame:
    return Frame(tmp_path)


@pytest.fixture
def recorder(frame: Frame) -> CaseRecorder:
    made = CaseRecorder()
    made.follow(frame)
    return made


@pytest.mark.parametrize("name", sorted(KINDS))
def test_no_personal_or_secret_value_is_exported_of_any_kind_of_record(
    name: str, frame: Frame, recorder: CaseRecorder
) -> None:
    kind = KINDS[name]
    model = catalogue.record_of(kind.get) or catalogue.record_of(kind.list)
    assert model is not None
    record = {spec.wire: filled(spec, (model,)) for spec in fields_of(model)} | {"notDeclared": "ANNABERG"}
    recorder.start()
    number = recorder.current
    view = f"{name}/{ID}" if name in BY_NAME else f"{name}/ANNABERG"
    for field, value in record.items():
        value = value[0] if isinstance(value, list) else value
        text = value if isinstance(value, str) and not field.lower().endswith("id") else "ANNABERG"
        link = Link(Place((name,)), f"{field}:{text}")
        recorder.collect("view", *case_steps.of_view(link, BY_NAME.get(name), BY_NAME))
    recorder.collect("view", *case_steps.of_view(Link.parse(view), BY_NAME.get(name), BY_NAME))
    flat = kind.flat(record)
    undo = UndoEntry("ANNABERG", name, ID, "update_user", {"userId": ID}, flat, flat, flat)
    frame.happens(ChangeMade("update_user", {"userId": "ANNABERG", "companyId": ID}, undo))
    frame.happens(ChangeMade("delete_user", {"userId": ID}))
    case = recorder.cases.find(number)
    assert case is not None and case.count("change") == 2
    for exported in (case.exported().decode(), case.markdown(), case.billing_line()):
        assert "ANNABERG" not in exported
    changed = next(step for step in case.steps if step.what == "change")
    assert changed.values["undo"].startswith(f"svc-tui call update_user userId={ID}")
    secrets = [spec.wire for spec in fields_of(model) if spec.facet.secret]
    assert not [wire for wire in secrets if wire in changed.personal["fields"]], "a secret is collected"


def test_an_undo_with_a_masked_value_is_refused_until_the_value_is_put_in(frame: Frame, recorder: CaseRecorder) -> None:
    recorder.start()
    for body in ({"firstName": "Anna", "timezone": "Europe/Lisbon"}, {"timezone": "Europe/Lisbon"}):
        undo = UndoEntry("x", "users", ID, "update_user", {"userId": ID}, body, body, body)
        frame.happens(ChangeMade("update_user", {"userId": ID}, undo))
    case = recorder.cases.find(recorder.current)
    assert case is not None
    masked, whole = (shlex.split(step.values["undo"]) for step in case.steps if step.what == "change")
    with pytest.raises(UsageError, match="JSON"):
        prepare(masked[2], masked[3:4], masked[5:])
    assert prepare(whole[2], whole[3:4], whole[5:]).body == {"timezone": "Europe/Lisbon"}


def test_a_change_is_shown_in_words_and_a_garbled_one_as_it_was_written() -> None:
    fields = {"timezone": ["Europe/Madrid", "Europe/Lisbon"], "isActive": [True, False], "firstName": ["•••", "•••"]}
    values = {"operation": "update_user", "userId": ID, "fields": fields, "undo": "svc-tui call x"}
    words = [
        f"update_user · User {ID}",
        "Time zone: Europe/Madrid → Europe/Lisbon",
        "Active: yes → no",
        "First name: ••• → •••",
        "Undo: svc-tui call x",
    ]
    assert case_steps.in_words(Step("change", 0.0, values), personal=False) == words
    own = {"firstName": ["Ana", "Berta"], "title": ["", "Dr"], "jobTitle": ["Clerk", "Clerk"]}
    shown = case_steps.in_words(Step("change", 0.0, values, {"fields": own}), personal=True)
    assert shown[1:-1] == ["First name: Ana → Berta", "Title: — → Dr"]
    # A case of a file has the fields as text.
    for written in (json.dumps(fields), fields):
        assert case_steps.in_words(Step("change", 0.0, {**values, "fields": written}), personal=False) == words
    for garbled in (json.dumps(fields)[:40], {"timezone": "x"}, ["x"], 7, "[" * 9_000):
        step = Step("change", 0.0, {**values, "fields": garbled})
        assert case_steps.in_words(step, personal=False) == [step.text(False)]
    unknown = Step("change", 0.0, {**values, "operation": "no_such_operation"})
    assert case_steps.in_words(unknown, personal=False) == [unknown.text(False)]
    assert case_steps.in_words(Step("note", 0.0, {"text": "x"}), personal=False) == ["x"]


def test_a_number_test_keeps_ids_and_the_verdict() -> None:
    values, own = case_steps.of_test({"kind": "ddis", "id": "004930123", "result": "rings", "system": ID}, "ANNABERG")
    assert values == {"kind": "ddis", "id": MASKED, "result": "rings", "system": ID}
    assert own == {"text": "ANNABERG"}


def test_a_secret_is_in_no_byte_of_the_file(frame: Frame, recorder: CaseRecorder, tmp_path: Path) -> None:
    recorder.start()
    body = {"name": "n", "appSecret": "s3cret-value"}
    undo = UndoEntry("x", "applications", ID, "update_application", {"appId": ID}, body, body, body)
    frame.happens(ChangeMade("update_application", {"appId": ID}, undo))
    (file,) = (tmp_path / "data" / "cases").glob("*.jsonl")
    assert b"update_application" in file.read_bytes() and b"s3cret-value" not in file.read_bytes()


def call(**values: Any) -> LoggedCall:
    known = {"number": 1, "started": datetime.now(UTC), "method": "GET", "request_headers": {}, "status": 200}
    return LoggedCall(**{**known, "operation_id": "list_users", "url": "https://svc.example/ANNABERG", **values})


def test_requests_are_collected_by_operation_status_and_code(frame: Frame, recorder: CaseRecorder) -> None:
    recorder.start()
    refused = {"status": 403, "response_body": json.dumps({"errorDetailsCode": 403200, "errorMsg": "ANNABERG"})}
    log: CallLog = frame.workspace.log
    log._notify(call(status=None))
    for each in (call(), call(), call(**refused, request_id=ID), call(request_id="ANNABERG", retry=1)):
        log._notify(each)
    case = recorder.cases.find(recorder.current)
    assert case is not None
    requests = [step.values for step in case.steps if step.what == "request"]
    assert requests == [
        {"operation": "list_users", "status": 200},
        {"operation": "list_users", "status": 403, "code": 403200, "request": ID},
        {"operation": "list_users", "status": 200, "retry": 1},
    ]
    assert b"ANNABERG" not in case.exported()


def test_a_case_continues_in_another_profile_and_after_a_restart(
    frame: Frame, recorder: CaseRecorder, tmp_path: Path
) -> None:
    number = recorder.start().number
    before = frame.workspace
    frame.workspace = Workspace(Profile(name="two", base_url="https://two.example", app_id="a"), before.folders)
    recorder.follow(frame)
    before._listeners.notify(ChangeMade("delete_user", {"userId": ID}))
    frame.happens(ChangeMade("delete_site", {"siteId": ID}))
    later = CaseRecorder()
    later.follow(Frame(tmp_path))
    asyncio.run(later.resume())
    assert later.current == number
    case = later.cases.find(number)
    assert case is not None
    services = [step.values["service"] for step in case.steps if step.what == "console"]
    assert services == ["svc.example", "two.example", "svc.example"]
    assert [step.values["operation"] for step in case.steps if step.what == "change"] == ["delete_site"]


def test_an_ended_case_is_not_continued(frame: Frame, recorder: CaseRecorder, tmp_path: Path) -> None:
    recorder.cases.end(recorder.start().number)
    later = CaseRecorder()
    later.follow(Frame(tmp_path))
    asyncio.run(later.resume())
    assert later.current == ""
    frame.happens(ChangeMade("delete_user", {"userId": ID}))


def test_a_finding_is_exported_without_its_sentence() -> None:
    typed = dict.fromkeys(("record_id", "sentence"), "ANNABERG")
    finding = SimpleNamespace(kind="users", field="isActive", effect="blocks", rule="4.4", code=None, **typed)
    values, own = case_steps.of_finding(Place(("users", ID)), finding, BY_NAME)  # type: ignore[arg-type]
    assert values == {"place": f"users/{ID}", "field": "users.isActive", "effect": "blocks", "rule": "4.4"}
    assert own == {"text": "ANNABERG"}
    assert MASKED not in str(values)
