"""Checks and imports of directory files (4.9, 2.19): modes, reports, and a directory that is never half written."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from svc_tui.interface.directory.csv.writing import written
from svc_tui.server.directory.csv_rows import CheckedFile, CheckedRow
from svc_tui.server.directory.importing import Imports
from tests.server.directory.support import COMMAND, CSV, ENTRIES, IMPORTS, admin, imported, names, sent
from tests.support.world import COMPANY, OTHER_COMPANY, World, granted, refused

HEAD = "firstName;lastName;workPhoneNumber0;city\n"
OLD = HEAD + "Ann;Old;;Lyon\nBob;Older;;Paris\n"
SYNC = "__action__;ldap_id;firstName;lastName;city\n"

_INTERNAL = "is an internal or short number, not one of the public network"


async def test_a_check_counts_and_lists_faults_and_changes_nothing(world: World) -> None:
    await world.company(country="FRA")
    by = await admin(world)
    text = HEAD + "Ann;Miller;01 23 45 67 89;Lyon\n;;;Paris\nBob;Smith;12;Nice\n"
    result = granted(await sent(world, by, text, "/check", companyId=COMPANY))["data"]
    assert (result["okCount"], result["errorCount"]) == (1, 2)
    assert set(result["errorReport"]) == {"entry2", "entry3"}
    assert result["errorReport"]["entry3"] == {
        "csvSource": "Bob;Smith;12;Nice",
        "errors": [{"param": "workPhoneNumber0", "msg": _INTERNAL, "value": "12"}],
    }
    assert await names(world, by) == []


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", 400508),
        (b"firstName;lastName\n", 400508),
        (b"firstName;workPhone\nA;1\n", 400502),
        (b'firstName;lastName\nA;"B\n', 400501),
        (b"firstName;lastName\nA;\xe9\n", 400501),
    ],
)
async def test_a_file_that_cannot_be_read_is_refused_with_its_place(world: World, content: bytes, code: int) -> None:
    by = await admin(world)
    granted(await sent(world, by, OLD))
    for path in ("/check", ""):
        answer = await sent(world, by, content, path, companyId=COMPANY)
        if path == "" and answer.status_code == 200:
            # Its first rows were read before the fault was met: the import failed as a whole.
            report = answer.json()["data"]
            assert report["state"] == "Completed with failure" and report["created"] == 0
            assert report["report"]["entry0"]["errorDetailsCode"] == code
        else:
            assert refused(answer, code)["errorDetails"][0]["param"].startswith("line ")
    assert await names(world, by) == ["Old", "Older"]


async def test_another_content_type_is_refused(world: World) -> None:
    by = await admin(world)
    headers = {"content-type": "application/json"}
    refused(await world.post(IMPORTS, by=by, content=b"{}", headers=headers), 400000)
    headers = {"content-type": "text/csv; charset=iso-8859-1"}
    refused(await world.post(IMPORTS, by=by, content=b"a", headers=headers), 400000)


async def test_a_too_large_file_is_refused(world: World) -> None:
    world.service.settings.largest_import = 1024
    by = await admin(world)
    body = refused(await sent(world, by, HEAD + "x" * 2000), 413000)
    assert body["maxSize"] == 1024


async def test_an_import_replaces_the_directory(world: World) -> None:
    by = await admin(world)
    await imported(world, by, OLD)
    report = await imported(world, by, HEAD + "Cid;New;;Nice\n;;;nickname\n", label="spring")
    assert report["state"] == "Completed with failure" and report["label"] == "spring"
    assert (report["created"], report["updated"], report["deleted"], report["failed"]) == (1, 0, 0, 1)
    assert report["displayName"] == by["displayName"] and report["csvHeaders"] == HEAD.strip()
    assert report["report"]["entry2"]["csvSource"] == ";;;nickname"
    assert await names(world, by) == ["New"]
    async with world.service.database.unit() as store:
        assert await store.directories.count() == 1 and await store.directory_entries.count() == 1


async def test_an_import_of_valid_rows_completes_successfully(world: World) -> None:
    by = await admin(world)
    assert (await imported(world, by, OLD))["state"] == "Completed successfully"


async def test_a_file_with_a_fault_in_the_middle_leaves_the_old_directory_whole(world: World) -> None:
    by = await admin(world)
    await imported(world, by, OLD)
    rows = "".join(f"Ann;New{number};;\n" for number in range(1200))
    report = await imported(world, by, HEAD + rows + 'Ann;"open\n')
    assert report["state"] == "Completed with failure" and report["created"] == 0
    assert "line 1202, column 5" in report["report"]["entry0"]["errorDetails"]
    assert await names(world, by) == ["Old", "Older"]
    async with world.service.database.unit() as store:
        assert await store.directory_entries.count() == 2


async def test_the_three_modes(world: World) -> None:
    by = await admin(world)
    rows = "sync;1;Ann;Miller;Lyon\nsync;2;Bob;Smith;Paris\nsync;3;Cid;Zola;Nice\n"
    report = await imported(world, by, SYNC + rows, "/synchronize")
    assert report["created"] == 3
    # Empty cells: upsert leaves the city, sync takes it away.
    changes = "upsert;1;;Mueller;\nsync;2;Bob;Smith;\ndelete;3;;;\nupsert;4;Dan;Young;\ndelete;9;;;\nupsert;8;;;\n"
    report = await imported(world, by, SYNC + changes, "/synchronize")
    assert [report[each] for each in ("created", "updated", "deleted", "failed")] == [1, 2, 1, 2]
    found = granted(await world.get(ENTRIES, by=by, params={"format": "full"}))["data"]
    shown = [(entry["ldap_id"], entry.get("firstName"), entry["lastName"], entry.get("city")) for entry in found]
    assert shown == [("1", "Ann", "Mueller", "Lyon"), ("2", "Bob", "Smith", None), ("4", "Dan", "Young", None)]


async def test_a_field_without_a_column_stays_in_every_mode(world: World) -> None:
    by = await admin(world)
    await imported(world, by, SYNC + "sync;1;Ann;Miller;Lyon\n", "/synchronize")
    await imported(world, by, "__action__;ldap_id;lastName\nsync;1;Mueller\n", "/synchronize")
    (entry,) = granted(await world.get(ENTRIES, by=by, params={"format": "full"}))["data"]
    assert (entry["firstName"], entry["lastName"], entry["city"]) == ("Ann", "Mueller", "Lyon")


async def test_a_repeated_identifier_is_the_same_entry(world: World) -> None:
    by = await admin(world)
    text = SYNC + "sync;1;Ann;First;\nupsert;1;;Second;Lyon\ndelete;1;;;\nsync;1;Ann;Third;\n"
    report = await imported(world, by, text, "/synchronize")
    assert [report[each] for each in ("created", "updated", "deleted", "failed")] == [2, 1, 1, 0]
    assert await names(world, by) == ["Third"]


async def test_an_unknown_action_fails_its_row_with_a_code_of_its_own(world: World) -> None:
    by = await admin(world)
    report = await imported(world, by, SYNC + "change;1;Ann;Miller;\nsync;2;Bob;Smith;\n", "/synchronize")
    assert report["failed"] == 1 and report["report"]["entry1"]["errorDetailsCode"] == 400506


async def test_users_import_their_own_directory(world: World) -> None:
    one, other = await world.user("one@example.com"), await world.user("two@example.com")
    granted(await sent(world, one, HEAD + "x;;;\n", "/personal/check"))
    report = await imported(world, one, HEAD + "Ann;Mine;;\n", "/personal")
    assert report["created"] == 1
    mine = granted(await world.get(ENTRIES, by=one, params={"view": "personal"}))["data"]
    assert [entry["lastName"] for entry in mine] == ["Mine"]
    assert granted(await world.get(ENTRIES, by=other))["data"] == []
    assert granted(await world.get(IMPORTS + "/personal", by=one))["data"]["state"] == "Completed successfully"
    assert granted(await world.get(IMPORTS + "/personal/details", by=one))["data"]["report"]["entry1"]
    refused(await world.get(IMPORTS + "/personal", by=other), 404000)
    gone = granted(await world.delete(IMPORTS + "/personal/report", by=one))
    assert gone["data"]["state"] == "Deleted"
    refused(await world.get(IMPORTS + "/personal/report", by=one), 404000)


async def test_the_last_import_of_a_company_is_reported_until_it_is_deleted(world: World) -> None:
    by = await admin(world)
    refused(await world.get(f"{IMPORTS}/{COMPANY}", by=by), 404000)
    await imported(world, by, HEAD + "Ann;Miller;;\n;;;nickname\n")
    status = granted(await world.get(f"{IMPORTS}/{COMPANY}", by=by))["data"]
    assert status["created"] == 1 and "report" not in status
    report = granted(await world.get(f"{IMPORTS}/{COMPANY}/report", by=by))["data"]
    assert set(report["report"]) == {"entry2"}
    details = granted(await world.get(f"{IMPORTS}/{COMPANY}/details", by=by))["data"]
    assert set(details["report"]) == {"entry1", "entry2"} and details["report"]["entry1"]["status"] == "created"
    granted(await world.delete(f"{IMPORTS}/{COMPANY}/report", by=by))
    refused(await world.get(f"{IMPORTS}/{COMPANY}/report", by=by), 404000)
    refused(await world.delete(f"{IMPORTS}/{COMPANY}/report", by=by), 404000)
    assert await names(world, by) == ["Miller"]


async def test_the_initiator_gets_an_event_when_the_check_of_a_command_ends(world: World) -> None:
    by = await admin(world)
    answer = granted(await sent(world, by, SYNC + "sync;;A;A;\n", "/synchronize/check", commandId=COMMAND))
    assert answer["data"]["errorCount"] == 1
    await world.service.event_delivery.settled()
    async with world.service.database.unit() as store:
        ((_, answer),) = await store.events.log_of(by["id"])
    assert (answer["name"], answer["content"]) == ("command_ended", {"commandId": COMMAND})
    report = granted(await world.get(f"{IMPORTS}/synchronize/check/{COMMAND}/report", by=by))
    assert report["status"] == "failure" and report["report"]["errorCount"] == 1


async def test_a_command_has_the_report_of_its_import_or_one_that_is_written(world: World) -> None:
    by = await admin(world)
    await imported(world, by, SYNC + "sync;1;A;A;\n", "/synchronize", commandId=COMMAND)
    path = f"{IMPORTS}/synchronize/{COMMAND}/report"
    assert granted(await world.get(path, by=by))["status"] == "success"
    written = granted(await world.post(path, by=by, json={"details": "no connection", "status": "failure"}))
    assert written == {"status": "failure", "report": {"details": "no connection"}}
    assert granted(await world.get(path, by=by)) == written
    refused(await world.post(path, by=by, json={"details": "x", "status": "pending"}), 400000)
    # What an import that still runs has stored goes with its report.
    running = await world.stored("import_reports", f"command:{COMPANY}:import:{COMMAND}")
    async with world.service.database.unit() as store:
        await store.import_files.add("f1", 0, b"file", now=world.clock.now())
        await store.import_reports.put({**running, "state": "Creating", "source": {"file": "f1"}})
    granted(await world.post(path, by=by, json={"details": "no connection", "status": "failure"}))
    async with world.service.database.unit() as store:
        assert await store.import_files.block("f1", 0) is None
    await world.company(OTHER_COMPANY)
    stranger = await world.user("stranger@example.com", roles=("company_admin",), companyId=OTHER_COMPANY)
    refused(await world.get(path, by=stranger), 404000)


async def test_roles_that_import(world: World) -> None:
    await world.company(OTHER_COMPANY)
    for role in ("user", "support", "bp_finance", "site_admin"):
        by = await world.user(f"no-{role}@example.com", roles=(role,))
        refused(await sent(world, by, OLD), 403000)
    for role in ("company_admin", "directory_admin", "bp_admin", "superadmin"):
        by = await admin(world, role)
        assert (await imported(world, by, OLD))["created"] == 2
        if role != "superadmin":
            refused(await sent(world, by, OLD, companyId=OTHER_COMPANY), 403301)


class Gate:
    """Lets an import read one batch at a time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from svc_tui.server.directory import csv_rows, importing

        self.open = asyncio.Event()
        self.reached = asyncio.Event()
        apply = Imports._apply
        gate = self

        async def slow(self: Imports, *arguments: Any) -> None:
            await apply(self, *arguments)
            gate.reached.set()

        async def may_continue(self: Imports, *arguments: Any, original: Any = Imports._may_continue) -> bool:
            if gate.reached.is_set():
                await gate.open.wait()
            return bool(await original(self, *arguments))

        monkeypatch.setattr(csv_rows, "SIZE", 1)
        monkeypatch.setattr(importing, "PATIENCE", 0)
        monkeypatch.setattr(Imports, "_apply", slow)
        monkeypatch.setattr(Imports, "_may_continue", may_continue)


async def test_during_an_import_the_status_is_running_and_readers_have_the_old_directory(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = await admin(world)
    await imported(world, by, OLD)
    gate = Gate(monkeypatch)
    report = await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n")
    assert report["state"] in ("Initializing", "Creating")
    await gate.reached.wait()
    status = granted(await world.get(f"{IMPORTS}/{COMPANY}", by=by))["data"]
    assert (status["state"], status["created"]) == ("Creating", 1)
    assert await names(world, by) == ["Old", "Older"]
    refused(await sent(world, by, OLD), 409000)
    gate.open.set()
    await world.service.part(Imports).wait_for(f"company:{COMPANY}:")
    assert await names(world, by) == ["New", "Newer"]


async def test_an_import_whose_report_is_deleted_stops_and_leaves_nothing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    by = await admin(world)
    await imported(world, by, OLD)
    gate = Gate(monkeypatch)
    await imported(world, by, HEAD + "A;New;;\nB;Newer;;\n")
    await gate.reached.wait()
    report = await world.stored("import_reports", f"company:{COMPANY}:")
    gone = granted(await world.delete(f"{IMPORTS}/{COMPANY}/report", by=by))["data"]
    assert (gone["state"], gone["created"]) == ("Deleted", 1)
    refused(await world.get(f"{IMPORTS}/{COMPANY}", by=by), 404000)
    assert await names(world, by) == ["Old", "Older"]
    async with world.service.database.unit() as store:
        assert await store.directories.count() == 1
        assert await store.import_files.block(report["source"]["file"], 0) is None


async def test_a_directory_is_exported_as_records_and_as_a_file_that_can_be_imported(world: World) -> None:
    by = await admin(world)
    text = SYNC + "sync;1;Ann;Miller;Lyon\nsync;2;Bob;100% Smith;\n".replace("100% Smith", '"100% Smith"')
    await imported(world, by, text, "/synchronize")
    await world.post(ENTRIES, by=by, json={"companyId": COMPANY, "lastName": "By hand"})
    path = IMPORTS.removesuffix("/imports") + "/synchronize"
    entries = granted(await world.get(path, by=by))["data"]
    assert [entry["ldap_id"] for entry in entries] == ["2", "1"]
    everything = granted(await world.get(path, by=by, params={"ldap_id": "false"}))["data"]
    assert len(everything) == 3
    file = granted(await world.get(path, by=by, params={"format": "csv"}))["data"]
    assert file == written(entries)
    both = granted(await world.get(path, by=by, params={"format": "all"}))["data"]
    assert both == {"json": entries, "csv": file}
    report = await imported(world, by, file, "/synchronize")
    assert (report["updated"], report["failed"]) == (2, 0)


async def test_an_empty_directory_is_exported_in_each_format(world: World) -> None:
    by = await admin(world)
    path = IMPORTS.removesuffix("/imports") + "/synchronize"
    found = [granted(await world.get(path, by=by, params={"format": each}))["data"] for each in ("json", "csv", "all")]
    assert found == [[], written([]), {"json": [], "csv": written([])}]


async def test_an_export_has_texts_as_they_are_and_all_numbers(world: World) -> None:
    by = await admin(world)
    for numbers, name in ((["+33123456789"], 'A "quoted" \\ name'), (["+33123456780", "+33123456781"], "Zoë\t;%")):
        body = {"companyId": COMPANY, "lastName": name, "workPhoneNumbers": numbers}
        granted(await world.post(ENTRIES, by=by, json=body))
    path = IMPORTS.removesuffix("/imports") + "/synchronize"
    both = granted(await world.get(path, by=by, params={"format": "all", "ldap_id": "false"}))["data"]
    assert [entry["lastName"] for entry in both["json"]] == ['A "quoted" \\ name', "Zoë\t;%"]
    assert both["csv"] == written(both["json"])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tail=st.binary(max_size=200), query=st.sampled_from(["", ";", ",", "%", "\t"]))
async def test_after_any_file_the_directory_is_the_old_or_the_new_one(world: World, tail: bytes, query: str) -> None:
    by = await _importer(world)
    await imported(world, by, OLD)
    answer = await world.post(
        IMPORTS,
        by=by,
        content=HEAD.encode() + b"A;New;;\n" + tail,
        headers=CSV,
        params={"delimiter": query} if query else {},
    )
    assert answer.status_code < 500, answer.text
    found = await names(world, by)
    assert found == ["Old", "Older"] if "Old" in found else "New" in found


_IMPORTERS: dict[int, Any] = {}


async def _importer(world: World) -> Any:
    if id(world) not in _IMPORTERS:
        _IMPORTERS[id(world)] = await admin(world)
    return _IMPORTERS[id(world)]


async def test_rows_with_a_nul_character_fail_alone(world_on_both: World) -> None:
    world = world_on_both
    by = await admin(world)
    report = await imported(world, by, HEAD + "Ann;Miller;;\nB\x00b;Smith;;\nCid;Zola;1\x00;\nDan;Young;; % \x00\n")
    assert (report["created"], report["failed"]) == (2, 2)
    faults = {name: entry["errorDetails"] for name, entry in report["report"].items()}
    assert faults["entry2"]["param"] == "firstName"
    assert faults["entry2"]["value"] == "B␀b"
    assert faults["entry3"]["value"] == "1␀"
    assert await names(world, by) == ["Miller", "Young"]


async def test_the_name_of_a_configuration_has_a_length_limit(world_on_both: World) -> None:
    world, by, longest = world_on_both, await admin(world_on_both), "".join(chr(0x4E00 + at) for at in range(255))
    granted(await sent(world, by, SYNC + "sync;1;A;A;\n", "/synchronize", ldapConfigId=longest))
    granted(await world.get(f"{IMPORTS}/{COMPANY}", by=by, params={"ldapConfigId": longest}))
    refused(await sent(world, by, SYNC + "sync;1;A;A;\n", "/synchronize", ldapConfigId=f"{longest}x"), 400000)
    noise = "".join(chr(0x4E00 + at) for at in range(3000))
    refused(await sent(world, by, SYNC + "sync;1;A;A;\n", "/synchronize", ldapConfigId=noise), 400000)


@pytest.mark.parametrize("world_on_both", ["postgresql"], indirect=True)
async def test_rows_of_a_command_whose_report_is_deleted_in_another_process_change_nothing(
    world_on_both: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, by = world_on_both, await admin(world_on_both)
    await imported(world, by, SYNC + "sync;1;Ann;Old;\n", "/synchronize")
    applied, go_on, report = asyncio.Event(), asyncio.Event(), Imports._report

    async def slow(self: Imports, *arguments: Any) -> None:
        await report(self, *arguments)
        applied.set()
        await go_on.wait()

    monkeypatch.setattr(Imports, "_report", slow)
    importing = asyncio.create_task(imported(world, by, SYNC + "sync;1;Ann;New;\nsync;2;Bob;Newer;\n", "/synchronize"))
    await applied.wait()
    # What deleting a report does there, where nothing of the import lives.
    async with world.service.database.unit() as store:
        await store.import_reports.remove(f"company:{COMPANY}:")
    go_on.set()
    await importing
    await world.service.part(Imports).wait_for(f"company:{COMPANY}:")
    assert await names(world, by) == ["Old"]


async def test_other_changes_do_not_wait_for_rows_that_are_still_to_be_checked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    by, reached, go_on, batch = await admin(world), threading.Event(), threading.Event(), CheckedFile.batch

    def slow(self: CheckedFile) -> list[CheckedRow]:
        reached.set()
        go_on.wait()
        return batch(self)

    monkeypatch.setattr(CheckedFile, "batch", slow)
    monkeypatch.setattr("svc_tui.server.directory.importing.PATIENCE", 0)
    try:
        await imported(world, by, SYNC + "sync;1;Ann;Imported;\n", "/synchronize")
        await asyncio.to_thread(reached.wait)
        async with asyncio.timeout(20):
            granted(await world.post(ENTRIES, by=by, json={"companyId": COMPANY, "lastName": "Added"}))
    finally:
        go_on.set()
    await world.service.part(Imports).wait_for(f"company:{COMPANY}:")
    assert await names(world, by) == ["Added", "Imported"]
