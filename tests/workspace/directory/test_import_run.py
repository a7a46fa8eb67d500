"""An import is watched to its end, can be stopped, and is not lost with a response."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from svc_tui.client.content import Stream
from svc_tui.client.errors import OutcomeUnknown, Refused
from svc_tui.interface.directory.csv.reading import CsvFormat
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.import_run import UNKNOWN, ImportRun, import_summary
from svc_tui.workspace.directory.target import ImportTarget

COMPANY = ImportTarget("replace", "c1", "Northwind")
CSV_FORMAT = CsvFormat("utf-8", ";", "%")


class _Service:
    """A scripted service that accepts a file and returns one state after the other."""

    def __init__(self, *states: str, before: str = "yesterday") -> None:
        self.states = list(states)
        self.last: dict[str, Any] | None = {"state": "Completed successfully", "startTime": before} if before else None
        self.calls: list[tuple[str, Mapping[str, object]]] = []
        self.lost = self.offline = False
        self.begins = True

    async def perform(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: Any = None,
    ) -> dict[str, Any]:
        self.calls.append((operation_id, {**(path or {}), **(query or {})}))
        if operation_id.startswith("delete"):
            return {"status": "deleted", "data": {**(self.last or {}), "state": "Deleted"}}
        assert isinstance(body, Stream)
        async for _ in body.pieces():
            pass
        if self.begins:
            self.last = {"state": self.states.pop(0), "startTime": "now", "created": 1}
        if self.lost:
            raise OutcomeUnknown("outcome unknown")
        return {"data": self.last}

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        self.calls.append((operation_id, {**path, **query}))
        if self.offline:
            self.offline = False
            raise ReadError("The service does not answer.", offline=True)
        if self.last is None:
            raise ReadError("not found")
        if self.last["startTime"] == "now" and self.states and operation_id.endswith("status"):
            self.last = {**self.last, "state": self.states.pop(0)}
        return {"data": self.last}

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.csv"
    path.write_text("lastName\nMiller\n")
    return path


async def _at_once(seconds: float) -> None:
    await asyncio.sleep(0)


def _importing(service: _Service, file: Path, target: ImportTarget = COMPANY) -> ImportRun:
    return ImportRun(service, target, file, CSV_FORMAT, label="a.csv", pause=_at_once)


async def test_an_import_is_watched_until_it_ends(file: Path) -> None:
    service = _Service("Initializing", "Creating", "Creating", "Completed with failure")
    importing = _importing(service, file)
    report = await importing.run()
    assert report["state"] == "Completed with failure" and importing.phase == "ended"
    sent = service.calls[1]
    assert sent == ("import_directory_csv", {"delimiter": ";", "comment": "%", "companyId": "c1", "label": "a.csv"})
    assert service.names[-1] == "get_company_import_report"


async def test_a_lost_response_does_not_lose_an_import_that_was_started(file: Path) -> None:
    service = _Service("Creating", "Completed successfully")
    service.lost = True
    assert (await _importing(service, file).run())["state"] == "Completed successfully"


@pytest.mark.parametrize("before", ["yesterday", ""])
async def test_an_upload_that_failed_raises(file: Path, before: str) -> None:
    service = _Service("Creating", before=before)
    service.lost, service.begins = True, False
    with pytest.raises(OutcomeUnknown):
        await _importing(service, file).run()


async def test_a_service_that_is_unreachable_for_a_moment_is_asked_again(file: Path) -> None:
    service = _Service("Creating", "Completed successfully")
    importing = _importing(service, file)
    error_messages = []

    async def pause(_: float) -> None:
        error_messages.append(importing.error_message)
        service.offline = len(error_messages) == 1

    importing._pause = pause
    assert (await importing.run())["state"] == "Completed successfully"
    assert error_messages == ["", "The service does not answer."] and not importing.error_message


async def test_the_notice_on_leaving_claims_only_known_facts(file: Path) -> None:
    service = _Service("Creating", "Completed successfully")
    importing = _importing(service, file)
    notices = [importing.notice_on_leaving]

    async def pause(_: float) -> None:
        notices.append(importing.notice_on_leaving)
        service.offline = len(notices) == 2

    importing._pause = pause
    await importing.run()
    assert [*notices, importing.notice_on_leaving] == [
        "Stopped: nothing was imported.",
        "The import continues on the service. See its report.",
        UNKNOWN,
        "The import has ended. See its report.",
    ]


async def test_an_import_is_stopped_by_deleting_its_report(file: Path) -> None:
    service = _Service("Creating", *["Creating"] * 5)
    importing = _importing(service, file)

    async def pause(_: float) -> None:
        assert importing.stop()

    importing._pause = pause
    report = await importing.run()
    assert importing.deleted and report["state"] == "Deleted"
    assert service.names[-1] == "delete_company_import_report"


async def test_an_import_that_has_ended_is_not_deleted(file: Path) -> None:
    service = _Service("Creating", "Completed successfully")
    importing = _importing(service, file)

    async def pause(_: float) -> None:
        importing.stop()

    importing._pause = pause
    assert (await importing.run())["state"] == "Completed successfully"
    assert "delete_company_import_report" not in service.names


async def test_an_import_stopped_during_the_upload_is_stopped_after_the_response(file: Path) -> None:
    service = _Service("Creating", "Creating")
    importing = _importing(service, file)
    assert importing.stop()
    assert (await importing.run())["state"] == "Deleted"


async def test_the_import_of_a_command_cannot_be_stopped(file: Path) -> None:
    command = ImportTarget("synchronize", "c1", command_id="k1")
    importing = _importing(_Service("Completed successfully"), file, command)
    assert not importing.stop()
    await importing.run()


async def test_the_report_of_a_command_shows_its_progress(file: Path) -> None:
    class Command(_Service):
        async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
            self.calls.append((operation_id, {**path, **query}))
            status = "pending" if len(self.calls) < 4 else "success"
            return {"status": status, "report": {"created": len(self.calls)}}

    service = Command("Creating")
    report = await _importing(service, file, ImportTarget("synchronize", "c1", command_id="k1")).run()
    assert report["state"] == "Completed successfully"
    assert set(service.names) == {"get_command_import_report", "import_directory_csv_synchronize"}
    assert service.calls[0][1] == {"commandId": "k1"}


async def test_a_refusal_of_the_service_is_raised(file: Path) -> None:
    class Refusing(_Service):
        async def perform(self, operation_id: str, **_: Any) -> dict[str, Any]:
            raise Refused("no", status=403)

    importing = _importing(Refusing(), file)
    with pytest.raises(Refused):
        await importing.run()
    assert importing.upload.state == "failed" and not importing.sent


def test_the_summary_counts_entries_by_result() -> None:
    assert import_summary({"created": 1200, "failed": 2, "updated": 0}) == "1,200 created, 2 failed"
    assert import_summary({}) == "no changes"
