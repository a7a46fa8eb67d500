"""Long directory files: a service that dies under the upload, an import that is stopped, thousands of faults."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from svc_tui.client.client import Client
from svc_tui.client.content import Content
from svc_tui.console.areas.directory.progress_dialogs import ScanBox
from svc_tui.interface.catalogue import operation
from svc_tui.server.directory.demo import faulty_file
from svc_tui.workspace.directory.doctor import ScanProgress
from tests.client.support import listening
from tests.stories.beside import call, other_client, own_server
from tests.stories.directory.steps import ADMIN, PLACE, entries, imports, looks_at, opens, writes
from tests.stories.driver import profile, story
from tests.stories.wire import Wire
from tests.support.process import start

UPLOAD = b"POST /api/svc/massprovisioning/v1.0/directories/imports?"


@pytest.fixture
def long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the file of a story is to be: in the present folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path / "long.csv"


class _Cut(Wire):
    """Ends the service as soon as so much of an upload has passed."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.after = 0
        self.end: Callable[[], object] = lambda: None

    async def _asks(
        self,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        back: asyncio.StreamWriter,
        gates: list[asyncio.Event],
    ) -> None:
        passed = 0
        while data := await source.read(65536):
            passed = len(data) if data.startswith(UPLOAD) else passed + len(data) if passed else 0
            if self.after and passed > self.after:
                self.after = 0
                self.end()
                self.cut()
                return
            target.write(data)
            await target.drain()
        target.close()


async def test_a_service_that_stops_in_the_middle_of_an_upload_costs_nothing_that_was_typed(
    tmp_path: Path, long: Path
) -> None:
    right = "Sebastian;Xavier;Boreal Paper;215136049;sebastian.xavier@boreal.example;PRT\n"
    long.write_text(faulty_file() + right * 8_000)
    folder = tmp_path / "service"
    with own_server(folder) as server:
        wire = _Cut(int(server.url.rpartition(":")[2]))
        async with (
            listening(wire) as port,
            story(profile(f"http://127.0.0.1:{port}", ADMIN), place=PLACE) as person,
        ):
            await opens(person, long)
            await person.sees("20 with errors")
            await writes(person, "213456789")
            wire.after, wire.end = 300_000, server.process.kill
            await imports(person)
            await person.sees("Your corrections are kept.")
            await person.press("esc")
            await person.sees("213456789", "19 with errors", "1 corrected, not saved")
            server.process.wait()
            again = start(folder / "again.log", data_dir=folder / "data", config=folder / "server.toml")
            try:
                assert await entries(again.url) > 300
                wire.leads_to(int(again.url.rpartition(":")[2]))
                await imports(person)
                await person.sees("Completed with failure: 8,021 created, 19 failed.", "Row 3 is imported.")
            finally:
                again.end()


#: The service imports some rows, and continues when the pipe is opened for writing.
_WAITS = """
import functools
from svc_tui.server.directory.csv_rows import CheckedFile

def waiting(batch, source, *pause):
    if source in seen:
        open({pipe!r}).close()
    seen.append(source)
    return batch(source, *pause)

seen = []
CheckedFile.batch = functools.partialmethod(functools.partial(waiting, CheckedFile.batch))
"""


async def test_an_import_that_runs_is_stopped_and_the_directory_stays(tmp_path: Path, long: Path) -> None:
    long.write_text("lastName;ldap_id\n" + "".join(f"Miller {number};x{number}\n" for number in range(2_000)))
    pipe = tmp_path / "goes_on"
    os.mkfifo(pipe)
    with own_server(tmp_path / "service", before=_WAITS.format(pipe=str(pipe))) as server:
        before = await entries(server.url)
        async with story(profile(server.url, ADMIN), place=PLACE) as person:
            await opens(person, long)
            await person.sees("2,000 rows   no errors")
            await imports(person)
            await person.sees("Creating   500 created")
            await person.press("ctrl+c")
            await person.sees("Quit now?", "The import has not ended. Its result would not be shown.")
            await person.press("n")
            await person.press("esc")
            await person.sees(f"Stopped. The directory has {before + 30:,} entries now.")
        pipe.open("w").close()
        assert await entries(server.url) == before


async def test_an_import_of_another_administrator_is_followed_to_its_end(tmp_path: Path) -> None:
    pipe = tmp_path / "goes_on"
    os.mkfifo(pipe)
    with own_server(tmp_path / "service", before=_WAITS.format(pipe=str(pipe))) as server:
        async with other_client(server.url, ADMIN) as other, story(profile(server.url, ADMIN), place=PLACE) as person:
            await person.is_ready()
            await person.sees("Nothing has been imported yet.")
            await _begins_an_import(other)
            await person.press("r")
            await person.sees_line(r"Created\s+500")
            # As long as it is open, the service waits no longer.
            goes_on = os.open(pipe, os.O_RDWR)
            await person.sees("Completed successfully")
            os.close(goes_on)


@pytest.mark.parametrize("who", ["another administrator", "the user"])
async def test_a_report_that_is_deleted_during_its_import_is_shown_as_deleted(tmp_path: Path, who: str) -> None:
    pipe = tmp_path / "goes_on"
    os.mkfifo(pipe)
    with own_server(tmp_path / "service", before=_WAITS.format(pipe=str(pipe))) as server:
        async with other_client(server.url, ADMIN) as other, story(profile(server.url, ADMIN), place=PLACE) as person:
            await _begins_an_import(other)
            await person.is_ready()
            await person.sees_line(r"Created\s+500")
            await person.press("enter")
            await person.sees("Report on Northwind Telecom", "in progress")
            if who == "the user":
                await person.press("x")
                await person.sees("The import is in progress. It is stopped")
                await person.type("delete")
                await person.press("enter")
            else:
                report = person.app.frame.view.record
                await call(other, "delete_company_import_report", companyId=str(report["companyId"]))
            await person.sees("The report was deleted.")
            await person.until(
                lambda: not any(each.group == "report" for each in person.app.workers), "the report is still read"
            )
            await person.does_not_see("was not found", "Creating")
            await person.press("x")
            await person.sees("Delete: no report")
        pipe.open("w").close()


async def _begins_an_import(other: Client) -> None:
    """Import so many rows that the service waits for the pipe behind the first 500."""
    rows = "lastName\n" + "".join(f"Miller {number}\n" for number in range(1_000))
    await other.send(operation("import_directory_csv"), body=Content("text/csv", rows.encode()))


async def test_five_thousand_errors_in_a_hundred_thousand_rows_are_corrected_at_once(service: str, long: Path) -> None:
    rows = (f"Miller {number};{'PT' if number % 20 == 0 else 'PRT'}\n" for number in range(100_000))
    long.write_text("lastName;country\n" + "".join(rows))
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await opens(person, long)
        await person.sees("100,000 rows   5,000 with errors")
        await person.press("n", "n", "G")
        await person.sees("Row 99,981, line 99,982")
        await person.press("N")
        await person.sees("Row 99,961, line 99,962")
        await writes(person, "PRT", alike=True)
        await person.sees("no errors   5,000 corrected, not saved")
        await person.press("s")
        await person.sees("long.corrected.csv")
        await person.press("enter")
        await person.sees("Saved 5,000 corrected rows as UTF-8")
    assert "PT\n" not in long.with_name("long.corrected.csv").read_text().replace("PRT\n", "")


async def test_a_long_check_shows_its_progress_and_can_be_stopped(
    service: str, long: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long.write_text("lastName;country\n" + "Miller;PT\n" * 20_000)
    goes_on = threading.Event()
    tell = ScanBox._report

    def told(box: ScanBox, progress: ScanProgress) -> bool:
        tell(box, progress)
        goes_on.wait()
        return tell(box, progress)

    monkeypatch.setattr(ScanBox, "_report", told)
    async with story(profile(service, ADMIN), place=PLACE) as person:
        await looks_at(person, long)
        await person.sees("detected")
        await person.press("enter")
        await person.sees(" rows, ", " with errors", " rows a second", " s left")
        box = person.app.screen
        assert isinstance(box, ScanBox)
        await person.stays_after_quitting("The check has not ended.")
        await person.press("esc")
        await person.sees("Stopped. Nothing was sent.")
        # The reading thread must end, too.
        assert not tell(box, ScanProgress(1, 0, 1, 1))
        goes_on.set()
