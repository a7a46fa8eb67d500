"""A case: started with one key, collected quietly, exported without personal data, and opened by another role."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from svc_tui.console.shell.cases import CaseView
from svc_tui.workspace.changes.journal import UndoEntry
from svc_tui.workspace.files.cases import Case, imported
from svc_tui.workspace.kinds.registry import KINDS
from tests.stories.driver import Story, profile, story

ROOMY = (120, 40)


def recorded(person: Story) -> Case:
    """The case that is collected, as it is stored."""
    recorder = person.app.recorder
    case = recorder.cases.find(recorder.current)
    assert case is not None
    return case


async def a_user(person: Story) -> dict[str, Any]:
    """A user of the caller's company, with all fields."""
    workspace = person.app.frame.workspace
    listed = await workspace.read("list_users", {}, {"limit": 50})
    mine = next(row for row in listed["data"] if row["id"] != workspace.user_id)
    found = await workspace.read("get_user", {"userId": mine["id"]}, {"format": "full"})
    return dict(found["data"])


async def rename(person: Story, user: dict[str, Any]) -> None:
    body = {"firstName": "Ottilie", "jobTitle": "Archivist", "timezone": "Europe/Lisbon"}
    path = {"userId": user["id"]}
    undo = UndoEntry.of_update("Rename Ottilie", KINDS["users"], "update_user", path, body, user)
    await person.app.frame.workspace.perform("update_user", path=path, body=body, undo=undo)


async def saves(person: Story, file: Path) -> bytes:
    """Export the case on the screen."""
    await person.press("W")
    await person.sees("Export the case")
    await person.press("ctrl+u")
    await person.type(str(file))
    await person.press("enter")
    await person.sees("Exported to")
    return file.read_bytes()


async def test_a_case_is_exported_without_personal_data_and_opened_by_another_role(
    service: str, tmp_path: Path
) -> None:
    async with story(profile(service), place="users", size=ROOMY) as person:
        await person.is_ready()
        await person.press("f6")
        await person.sees("A case is started")
        user = await a_user(person)
        await person.goes(f"users/{user['id']}")
        await person.sees("Findings")
        await rename(person, user)
        await person.goes(f"users name:{user['lastName']} active:yes")
        await person.is_ready()
        await person.goes(f"find {user['loginEmail']}")
        await person.goes("invoices")
        await person.goes("cloudpbxs")
        await person.is_ready()
        await person.press("f6")
        await person.sees("Note for the case")
        await person.type("Rebooted the phone")
        await person.press("enter")
        await person.sees("exported as it was typed")
        await person.goes("case")
        await person.sees("Rebooted the phone", "personal data is masked", "update_user")
        own = [user[name] for name in ("loginEmail", "firstName", "lastName", "displayName") if user.get(name)]
        assert not any(text in person.screen for text in own)
        await person.sees("First name: ••• → •••", "→ Europe/Lisbon", "Undo: svc-tui call update_user")
        exported = await saves(person, tmp_path / "case.svc")
        changed = next(step for step in recorded(person).steps if step.what == "change")
        assert changed.values["fields"]["timezone"][1] == "Europe/Lisbon"
        assert changed.values["fields"]["firstName"] == ["•••", "•••"]
        assert "Ottilie" in str(changed.personal["fields"]) and "svc-tui call update_user" in changed.values["undo"]
        for text in (*own, "Ottilie", "Archivist"):
            assert text.encode() not in exported, text
            assert text not in recorded(person).markdown()
        assert any(f"users/{user['id']}" == place for place in recorded(person).places)
        calls = person.app.frame.workspace.log.exchanges
        sent = [f"{call.url} {call.request_body} {call.request_headers}" for call in calls]
        assert sent and not any("Rebooted" in each or recorded(person).number in each for each in sent)
        await person.press("p")
        await person.sees("with personal data", "→ Ottilie", "→ Archivist")
        assert b"Ottilie" in await saves(person, tmp_path / "whole.svc")
    trail = imported(tmp_path / "case.svc").places
    assert f"users/{user['id']}" in trail and "invoices" in trail
    async with story(
        profile(service, "support@demo.example", name="other"), place=str(tmp_path / "case.svc"), size=ROOMY
    ) as other:
        await other.is_ready()
        await other.sees("Summary", "Steps")
        await other.press("G")
        await other.sees("First name: ••• → •••", "→ Europe/Lisbon", "Undo: svc-tui call update_user")
        view = other.app.frame.view
        assert isinstance(view, CaseView) and not view.is_own
        closed = {step.values["place"]: view.why_closed(step) for step in view.case.steps if step.what == "view"}
        assert [step.values for step in view.case.steps if step.what == "note"] == [{"text": "Rebooted the phone"}]
        assert list(dict.fromkeys(closed)) == list(trail)
        assert closed["invoices"] and closed["invoices"] in [line.note for line in view.lines()]
        assert not closed[f"users/{user['id']}"]


async def test_a_case_survives_a_restart_and_several_are_open(service: str) -> None:
    async with story(profile(service), size=ROOMY) as person:
        await person.is_ready()
        await person.goes("case")
        await person.sees("No case is open")
        await person.goes("case new First ticket")
        await person.sees("A case is started")
        first = person.app.recorder.current
        await person.goes("case new Second ticket")
        second = person.app.recorder.current
        assert first != second
        await person.goes(f"case {first}")
        await person.sees("First ticket")
        assert person.app.recorder.current == first
        await person.goes(f"case {second}")
        await person.sees("Second ticket")
    async with story(profile(service), size=ROOMY) as person:
        await person.is_ready()
        await person.until(lambda: person.app.recorder.current, "no case is continued")
        assert person.app.recorder.current in (first, second)
        await person.goes("companies")
        await person.sees("Companies")
        assert "companies?sort=name" in recorded(person).places
        await person.goes("case end")
        await person.sees("is ended")
        assert person.app.recorder.current == ""
        await person.goes(f"case delete {second}")
        await person.sees("Delete case")
        await person.press("y")
        await person.sees("is deleted")
        assert person.app.recorder.cases.find(second) is None


async def test_nothing_is_collected_without_a_case(service: str) -> None:
    async with story(profile(service), size=ROOMY) as person:
        await person.is_ready()
        await person.goes("companies")
        await person.sees("Companies")
        await person.goes("case note Lost")
        await person.sees("No case is open")
        assert person.app.recorder.cases.all() == []
        await person.goes("case none.svc")
        await person.sees("No such file")


async def test_a_case_is_copied_as_markdown_and_as_a_line_for_billing(service: str) -> None:
    copied: list[str] = []
    async with story(profile(service), size=ROOMY) as person:

        async def copy(text: str) -> str:
            copied.append(text)
            return "copied"

        person.app.copied = copy  # type: ignore[method-assign]
        await person.is_ready()
        await person.goes("case new Ticket 7")
        await person.goes("case note Called back")
        await person.goes("case")
        await person.sees("Called back")
        await person.press("c", "B")
        await person.until(lambda: len(copied) == 2, "nothing is copied")
    assert copied[0].startswith("# Case 2") and "Called back" in copied[0] and "| Time | Step | Details |" in copied[0]
    number, subject, *rest = copied[1].strip().split(",")
    assert subject == "Ticket 7" and rest[-1] == "1" and number in copied[0]
