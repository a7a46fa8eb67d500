"""The table of outlines follows the declarations; an outdated, damaged or missing one does no harm."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.making import outlines as making
from svc_tui.interface import catalogue, outlines
from svc_tui.interface.access import Role
from svc_tui.interface.applications.operations import update_application

ID = "update_application"


def test_the_table_of_outlines_is_current() -> None:
    assert outlines.TABLE.read_text("utf-8") == making.text(), "run `python -m docs.making`"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[object], None]]:
    """Writes another table: a text, or what a change makes of the table."""

    def forget() -> None:
        for function in (outlines._table, outlines._tabled_rights, catalogue.area_of):
            function.cache_clear()

    def write(content: object) -> None:
        file = tmp_path / "outlines.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        monkeypatch.setattr(outlines, "TABLE", file)
        forget()

    yield write
    monkeypatch.undo()
    forget()


def _known() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(outlines.TABLE.read_text("utf-8"))
    return found


def test_a_declaration_that_the_table_lacks_is_found_by_importing(table: Callable[[object], None]) -> None:
    table({name: outline for name, outline in _known().items() if name != ID})
    assert catalogue.operation(ID) is update_application
    assert catalogue.area_of(ID) == "applications"
    with pytest.raises(KeyError):
        catalogue.operation("no_such_operation")


@pytest.mark.parametrize("change", [{"module": "gone"}, {"module": "records"}, {"area": "voice", "module": "hours"}])
def test_a_declaration_that_was_moved_is_found(table: Callable[[object], None], change: dict[str, str]) -> None:
    table({**_known(), ID: {**_known()[ID], **change}})
    assert catalogue.operation(ID) is update_application


def test_a_loaded_declaration_answers_itself_and_not_by_the_table(table: Callable[[object], None]) -> None:
    table({**_known(), ID: {**_known()[ID], "path": "/old", "reads": True, "who": {"any": [Role.USER.value]}}})
    rights, outline = outlines.rights_of(ID), outlines.outline_of(ID)
    assert rights is not None and outline is not None
    assert (rights.reads, rights.who) == (False, update_application.who)
    assert outline.path == outlines.path_of(ID) == update_application.path


@pytest.mark.parametrize("content", ["", "<<<<<<< ours\n{", None])
def test_a_missing_or_damaged_table_is_made_of_the_declarations(
    table: Callable[[object], None], content: str | None
) -> None:
    table(content or "")
    if content is None:
        outlines.TABLE.unlink()
    assert catalogue.operation(ID) is update_application
    assert outlines.path_of(ID) == update_application.path


@pytest.mark.parametrize("damage", ["", "no catalogue"])
def test_a_damaged_catalogue_of_translations_leaves_texts_in_english(tmp_path: Path, damage: str) -> None:
    catalogue = tmp_path / "de" / "LC_MESSAGES" / "svc_tui.mo"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(damage)
    code = (
        "import sys; from pathlib import Path; from svc_tui import language;"
        "language.FOLDER = Path(sys.argv[1]); language.use('de'); print(language._('Applications'), language.current())"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("Applications en\n", "")
