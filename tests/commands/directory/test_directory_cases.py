"""Contact files, imported by the command line: each row is stored as meant, or named with its fault.

The files are rebuilt from public reports of other importers; the names are invented.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from svc_tui.server.demo.accounts import LOGISTICS
from svc_tui.server.demo.repeatable import id_of
from tests.commands.conftest import SUPERADMIN, Shell

CASES = Path(__file__).with_name("cases")
#: The encodings of files, which are UTF-8 in the repository.
ENCODINGS = {"07": "mac_roman", "08": "cp850", "15": "cp1252"}
COMPANY = id_of("company", LOGISTICS)
#: File, country, and for each row either the values that are stored or, as a text, what its fault contains.
EXPECTED: list[tuple[str, str, dict[str, dict[str, str] | str]]] = [
    ("01", "", {"Hahn": {"work": "+4915112345678"}, "Ek": {"work": "+46701234567"}}),
    ("02", "", {"Hahn": "privat", "Henry": "dgfs"}),
    ("03", "", {"Rossi": {"work": "+390612345678"}, "Roy": {"work": "+33142685300"}}),
    ("04", "", {"Hahn": "+4917112345678", "Roy": {"work": "+33612345678"}}),
    ("05", "", {"Reception": "1001", "Accueil": "1001"}),
    ("06", "", {"Meier": {"custom1": "80% Pensum"}}),
    ("09", "", {"Silva": {"postalCode": "01000", "work": "+33142685300"}}),
    ("10", "", {"Roy": {"work": "+33142685300"}}),
    ("11", "", {"Silva": {"firstName": "Ana"}}),
    ("12", "", {"Silva": {"firstName": "Ana"}}),
    ("13", "", {"Silva": {"firstName": "Ana"}}),
    (
        "14",
        "FRA",
        {"Silva": {"firstName": "Ana", "work": "+33142685300", "mobile": "+33612345678", "eMail": "ana@example.org"}},
    ),
    (
        "15",
        "FRA",
        {
            # The file has an é here, in Windows-1252.
            "Müller": {"firstName": "Zoé", "work": "+33142685300", "mobile": "+33612345678", "country": "FRA"},
            "Berg": {"work": "+12025550143", "country": "USA"},
        },
    ),
]


@pytest.fixture
def root(logged_out: Shell) -> Shell:
    return logged_out.log_in(SUPERADMIN)


#: Runs command lines one after the other, in one process: their exit codes and what they write, as JSON.
RUN_ALL = """
import contextlib, io, json, sys
from svc_tui.__main__ import main
done = []
for words in json.loads(sys.argv[1]):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as end:
            done.append([end.code, *(each.buffer.getvalue().decode() for each in (out, err))])
print(json.dumps(done))
"""
LISTING = ["call", "list_directory_entries", f"companyId={COMPANY}", "format=full"]


def _case(folder: Path, name: str) -> str:
    """The path of a file in its own encoding."""
    path = folder / f"{name}.csv"
    path.write_bytes((CASES / path.name).read_bytes().decode().encode(ENCODINGS.get(name, "utf-8")))
    return str(path)


def _importing(path: str, *options: str) -> list[str]:
    return ["directory", "import", path, "--company", COMPANY, "--yes", *options]


def _stored(listing: str) -> dict[str, dict[str, Any]]:
    found = {}
    for entry in json.loads(listing)["data"]:
        numbers = {kind: (entry.get(f"{kind}PhoneNumbers") or [None])[0] for kind in ("work", "mobile")}
        found[entry["lastName"]] = {**entry, **numbers}
    return found


def test_each_row_is_stored_as_meant_or_named_with_its_fault(root: Shell, tmp_path: Path) -> None:
    lines = []
    for name, country, _rows in EXPECTED:
        lines += [_importing(_case(tmp_path, name), *(("--country", country) if country else ())), LISTING]
    done, errors = root.start(json.dumps(lines), program=RUN_ALL).communicate()
    results = json.loads(done)
    assert len(results) == len(lines), errors
    for (name, _country, rows), (code, output, said), listed in zip(EXPECTED, results[::2], results[1::2], strict=True):
        right = {last: values for last, values in rows.items() if isinstance(values, dict)}
        assert code == (0 if len(right) == len(rows) else 1), (name, said, output)
        if right:
            stored = _stored(listed[1])
            assert stored.keys() == right.keys(), name
            for last, values in right.items():
                assert {field: stored[last].get(field) for field in values} == values, (name, last)
        report = json.loads(output)["report"]
        faults = [json.dumps(entry, ensure_ascii=False) for entry in report.values() if entry.get("errors")]
        for last, text in rows.items():
            if isinstance(text, str):
                assert any(last in fault and text in fault for fault in faults), (name, last, report)


def test_an_unknown_encoding_is_refused_with_its_likely_readings_and_chosen(root: Shell, tmp_path: Path) -> None:
    path = _case(tmp_path, "07")
    done = root.run(*_importing(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "the byte 0x8E is neither UTF-8 nor Windows-1252" in done.stderr
    assert "Name it with --encoding:\n  mac_roman   André;Bürgi;CHE\n" in done.stderr
    local = root.run("directory", "check", path, "--local")
    assert local.stderr == done.stderr
    chosen = root.run(*_importing(path, "--encoding", "mac_roman"))
    assert chosen.returncode == 0 and "Read as Mac OS Roman." in chosen.stderr
    assert _stored(root.run(*LISTING).stdout)["Bürgi"]["firstName"] == "André"
    assert json.loads(chosen.stdout)["encoding"] == "mac-roman"


def test_a_byte_that_no_encoding_has_ends_with_a_message(root: Shell, tmp_path: Path) -> None:
    path = _case(tmp_path, "08")
    done = root.run(*_importing(path))
    assert (done.returncode, done.stdout) == (1, "")
    assert "  cp850  Zoe;Müller;DEU\n" in done.stderr
    assert root.run("directory", "check", path).stderr == done.stderr
