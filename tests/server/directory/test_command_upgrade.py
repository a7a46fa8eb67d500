"""Reports of commands that an earlier version wrote are found after the upgrade, as commands of their company."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import Connection

from svc_tui.server.store import tables
from svc_tui.server.store.database import Database
from tests.conftest import world_at
from tests.server.directory.support import IMPORTS, admin
from tests.server.test_upgrades import _config
from tests.support.clock import SetClock
from tests.support.world import COMPANY, granted

OF_COMPANY = f"{IMPORTS}/{COMPANY}"


async def test_reports_of_commands_are_those_of_their_company_after_an_upgrade(tmp_path: Path, clock: SetClock) -> None:
    def older(connection: Connection) -> None:
        command.upgrade(_config(connection), "0023")

        def insert(name: str, **document: Any) -> None:
            kind = tables.DOCUMENT_TABLES[name]
            row = {column: value for column, value in kind.row(document).items() if column != "command"}
            connection.execute(kind.table.insert().values(**row))

        ended = {"companyId": COMPANY, "state": "Completed successfully", "startTime": "2026-11-20T10:00:00.000Z"}
        insert("import_reports", id="command:night 1", label="nightly", **ended)
        insert("import_reports", id="check:night 1", report={"okCount": 7}, status="success", **ended)
        insert("import_reports", id=f"company:{COMPANY}:", sameAs="command:night 1", **ended)
        insert("imported_rows", id="command:night 1/000000003", report="command:night 1", number=3, status="failed")

    url = f"sqlite:///{tmp_path / 'svc.db'}"
    database = Database(url)
    async with database.engine.begin() as connection:
        await connection.run_sync(older)
    await database.upgrade()
    await database.close()
    async with world_at(url, tmp_path, clock) as world:
        by = await admin(world)
        await world.application()
        await world.company()
        report = granted(await world.get(f"{IMPORTS}/synchronize/night%201/report", by=by))
        assert (report["status"], report["report"]["label"]) == ("success", "nightly")
        assert list(report["report"]["report"]) == ["entry3"]
        check = granted(await world.get(f"{IMPORTS}/synchronize/check/night%201/report", by=by))
        assert check == {"status": "success", "report": {"okCount": 7}}
        assert granted(await world.get(OF_COMPANY, by=by))["data"]["label"] == "nightly"
