"""One set of rules on both sides: the console and the service report the same faults for generated files.

Not in them is what the client alone reads otherwise before it sends a row: signs that are not seen, and remarks
behind a row.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from svc_tui.interface.directory.csv.columns import ACTION, all_columns
from svc_tui.interface.directory.csv.faults import NUL, NUL_SHOWN, BadFile
from svc_tui.workspace.directory.doctor import Doctor, scan
from svc_tui.workspace.directory.upload import NO_COMMENT
from tests.server.directory.support import admin, sent
from tests.support.world import COMPANY, World

COUNTRY = "FRA"
#: Characters of a row that the service repeats.
LONGEST_SOURCE = 2_000
#: Files of each kind of check.
FILES = 60
_NAMES = tuple(name for name in all_columns() if name not in (ACTION, "ldap_id"))
_COMMON = ("firstName", "lastName", "companyName", "workPhoneNumber0", "country", "eMail", "tag0", "state")
_CELLS = (
    "", "", "Ann", "Łukasz", "Smith & Sons", "01 23 45 67 89", "+33123456789", "12", "reception", "FRA", "FR", "USA",
    "ann@acme.example", "ann@", "vip", "x" * 64, "x" * 300, "a;b", "a,b", 'say "so"', "100% sure", "two\nlines", " ",
    "=1+1", "\t", "é", "😀", "null", "nul\x00",
)  # fmt: skip
_ACTIONS = ("sync", "upsert", "delete", "", "SYNC", "remove")
_ENCODINGS = ("utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252")
#: What breaks a file as a whole.
_BROKEN = ('"open', 'a"b"c;"d"e', "\x00", "x" * 70_000)


def _quoted(cell: str, sign: str, comment: str, dice: random.Random) -> str:
    special = any(each and each in cell for each in (sign, comment, '"', "\n", "\r"))
    if (special and dice.random() < 0.9) or dice.random() < 0.1:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _file(seed: int, *, synchronizing: bool) -> tuple[bytes, str]:
    """A file that is right here and wrong there, and its comment character."""
    dice = random.Random(f"{seed}/{synchronizing}")
    sign, comment = dice.choice((";", ",", "\t", "|")), dice.choice(("%", "%", "#", ""))
    pool = _COMMON if dice.random() < 0.7 else _NAMES
    columns = dice.sample(pool, dice.randint(1, min(8, len(pool))))
    if synchronizing and dice.random() < 0.9:
        columns = [ACTION, "ldap_id", *columns]
    if dice.random() < 0.1:
        columns.insert(dice.randrange(len(columns) + 1), dice.choice(("", "workPhone", "lastname", columns[0])))
    lines = [sign.join(columns)]
    for number in range(dice.choice((0, 1, 5, 40))):
        cells = [_cell(name, number, dice) for name in columns]
        if dice.random() < 0.05:
            cells.append("one more")
        line = sign.join(_quoted(cell, sign, comment, dice) for cell in cells)
        lines += [
            line,
            *([""] if dice.random() < 0.05 else []),
            *([f"{comment} all"] if comment and dice.random() < 0.05 else []),
        ]
    if dice.random() < 0.15:
        lines.insert(dice.randint(1, len(lines)), dice.choice(_BROKEN))
    text = dice.choice(("\n", "\r\n")).join(lines)
    return text.encode(dice.choice(_ENCODINGS), "replace"), comment


def _cell(column: str, number: int, dice: random.Random) -> str:
    if column == ACTION:
        return dice.choice(_ACTIONS)
    if column == "ldap_id":
        return f"crm-{number}" if dice.random() < 0.9 else ""
    if column in ("lastName", "companyName") and dice.random() < 0.7:
        return "Smith"
    return dice.choice(_CELLS)


def _as_reported(doctor: Doctor) -> dict[str, Any]:
    """The local faults in the form of the service, which shows the beginning of very long rows."""
    wrong = [row for row in doctor.rows if row.faults]
    report = {
        f"entry{row.number}": {"csvSource": _cut(row.row.source), "errors": [fault.wire() for fault in row.faults]}
        for row in wrong
    }
    return {"okCount": doctor.total - len(wrong), "errorCount": len(wrong), "errorReport": report}


def _cut(source: str) -> str:
    source = source.replace(NUL, NUL_SHOWN)
    return source if len(source) <= LONGEST_SOURCE else source[:LONGEST_SOURCE] + "…"


def _here(path: Path, comment: str, *, synchronizing: bool) -> tuple[str, Any, bytes]:
    """Whether it is a file at all, its faults, and its text as it is sent."""
    from svc_tui.interface.directory.csv.reading import format_of

    with path.open("rb") as file:
        csv_format = format_of(file, None, comment)
    # The console sends every text as UTF-8; other bytes are sent unchanged.
    data = path.read_bytes()
    with suppress(UnicodeError):
        data = data.decode(csv_format.encoding).encode()
    try:
        doctor = scan(path, csv_format, synchronizing=synchronizing, country=COUNTRY)
    except BadFile as bad:
        return "bad", (int(bad.code), f"line {bad.line}, column {bad.column}", bad.sentence), data
    if not doctor.total:
        return "empty", None, data
    return "checked", _as_reported(doctor), data


def _same(found: tuple[str, Any], status: int, body: Mapping[str, Any]) -> bool:
    kind, reported = found
    if kind == "checked":
        return status == 200 and body["data"] == reported
    if kind == "empty":
        return status == 400 and body["errorDetailsCode"] == 400508
    code, place, sentence = reported
    details = body["errorDetails"][0]
    return (body["errorDetailsCode"], details["param"], details["msg"]) == (code, place, sentence)


@pytest.mark.parametrize("synchronizing", [False, True], ids=["replacing", "by actions"])
async def test_console_and_service_report_the_same_faults(world: World, tmp_path: Path, synchronizing: bool) -> None:
    await world.company(country=COUNTRY)
    by, kinds = await admin(world), list[str]()
    for seed in range(FILES):
        data, comment = _file(seed, synchronizing=synchronizing)
        path = tmp_path / f"{seed}.csv"
        path.write_bytes(data)
        kind, reported, text = _here(path, comment, synchronizing=synchronizing)
        query = {"comment": comment or NO_COMMENT, **({} if synchronizing else {"companyId": COMPANY})}
        answer = await sent(world, by, text, "/synchronize/check" if synchronizing else "/check", **query)
        if kind == "checked" and answer.status_code == 200:
            assert answer.json()["data"] == reported, seed
        assert _same((kind, reported), answer.status_code, answer.json()), (seed, kind, reported, answer.text)
        kinds.append(kind)
    # The set would say nothing if its files were all of one kind.
    assert kinds.count("checked") > FILES // 2
    assert kinds.count("bad") > 5
