"""Entries saved as a file that can be imported again and is never incomplete."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.directory.doctor import scan
from svc_tui.workspace.directory.inspection import inspect
from svc_tui.workspace.directory.save_entries import save_entries
from svc_tui.workspace.kinds.registry import KINDS
from tests.support.filters import parse

USER = {"firstName": "Ann", "lastName": "Smith; %1", "workPhoneNumbers": ["+351213456789", "+351213456780"]}
FIRM = {"companyName": "Acme\nLtd", "tags": ["vip"]}


class Rows:
    """Some entries, and then the error, if any."""

    def __init__(self, *entries: Mapping[str, Any], problem: Exception | None = None) -> None:
        self.entries, self.problem = entries, problem

    async def rows(self) -> AsyncIterator[Mapping[str, Any]]:
        for entry in self.entries:
            yield entry
        if self.problem:
            raise self.problem


async def test_users_and_companies_share_the_columns_that_any_of_them_needs(tmp_path: Path) -> None:
    target, progress = tmp_path / "all.csv", list[int]()
    assert await save_entries((Rows(USER), Rows(FIRM)), target, on_progress=progress.append) == 2
    assert progress == [1, 2]
    first = target.read_text(encoding="utf-8").split("\n")[0]
    assert first == "__action__;firstName;lastName;companyName;workPhoneNumber0;workPhoneNumber1;tag0"
    doctor = scan(target)
    assert (doctor.total, doctor.left) == (2, 0)


async def test_a_list_that_cannot_be_read_completely_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "all.csv"
    target.write_text("old")
    with pytest.raises(ReadError):
        await save_entries((Rows(USER, problem=ReadError("gone")),), target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_service_searches_text_in_all_fields_of_an_entry() -> None:
    kind, columns = KINDS["directoryentries"], ("lastName", "firstName")
    assert parse("camila", kind, columns).query == {"search": "camila"}
    both = parse("camila companyName:atlas smith", kind, columns)
    assert both.query == {"search": "camila", "companyName": "atlas"}
    assert both.predicate is not None
    assert both.predicate({"lastName": "Smith"})
    assert not both.predicate({"lastName": "Jones"})


async def test_a_part_of_a_directory_is_marked_in_its_file(tmp_path: Path) -> None:
    whole, part, mixed = (tmp_path / name for name in ("whole.csv", "part.csv", "mixed.csv"))
    await save_entries((Rows(USER), Rows(FIRM)), whole)
    await save_entries((Rows(USER),), part, part="entries that match\nsmith")
    await save_entries((Rows({**USER, "companyId": "a"}), Rows(FIRM)), mixed)
    assert [scan(path).part for path in (whole, part, mixed)] == [
        "",
        "entries that match smith",
        "entries of 2 directories",
    ]
    assert (scan(part).total, scan(part).left) == (1, 0)
    # With another comment character the line is an invalid header.
    assert inspect(part).part and inspect(part, comment="#").error_message
