"""Numbers, addresses and tags of a user, as numbered columns change them: values without a column stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from svc_tui.interface.data import RecordData
from svc_tui.workspace.users.columns import ADDRESSES, NUMBERS, UserColumn

#: The fields of a number and of an address that a client sends.
_OF_NUMBER = ("number", "country", "type", "deviceType", "isVisibleByOthers")
_OF_ADDRESS = ("email", "type")
#: Fields of the numbers that come from a telephone system, and are not a user's to set.
_OF_SYSTEM = ("isFromSystem", "systemId", "pbxId", "phoneNumberId")

Cells = Sequence[tuple[UserColumn, Any]]


def sent_numbers(numbers: Iterable[RecordData]) -> list[dict[str, Any]]:
    """The numbers of a user as they are sent, without those of a telephone system."""
    own = [each for each in numbers if not any(each.get(name) for name in _OF_SYSTEM)]
    return [_only({**each, "number": each.get("numberE164") or each.get("number")}, _OF_NUMBER) for each in own]


def _only(record: RecordData, names: Sequence[str]) -> dict[str, Any]:
    return {name: record[name] for name in names if record.get(name) is not None}


def merged_numbers(before: Iterable[RecordData], whole: Any, cells: Cells) -> list[dict[str, Any]] | None:
    """The numbers of a user after a row; None where they stay. `whole` is the list of an export."""
    now = sent_numbers(before)
    found = sent_numbers(_records(whole)) if whole is not None else list(now)
    for column, numbers in cells:
        kind = dict(zip(("type", "deviceType"), NUMBERS[column.base], strict=True))
        same = [place for place, each in enumerate(found) if all(each.get(name) == kind[name] for name in kind)]
        _put(found, same, _place(column), [{"number": number, **kind} for number in numbers], "number")
    return None if _plain(found) == _plain(now) else found


def merged_addresses(before: Iterable[RecordData], whole: Any, cells: Cells) -> list[dict[str, Any]] | None:
    """The addresses of a user after a row; None where they stay."""
    now = [_only(each, _OF_ADDRESS) for each in before]
    found = [_only(each, _OF_ADDRESS) for each in _records(whole)] if whole is not None else list(now)
    for column, address in cells:
        kind = ADDRESSES[column.base]
        same = [place for place, each in enumerate(found) if each.get("type") == kind]
        _put(found, same, _place(column), [{"email": address, "type": kind}], "email")
    return None if found == now else found


def merged_tags(before: Iterable[str], whole: Any, cells: Cells) -> list[str] | None:
    """The tags of a user after a row; None where they stay."""
    now = list(before)
    found = list(whole) if whole is not None else list(now)
    for column, tag in cells:
        if tag not in found:
            place = _place(column)
            found[place : place + 1] = [tag]
    return None if found == now else found


def _records(value: Any) -> list[RecordData]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _place(column: UserColumn) -> int:
    return int(column.name.removeprefix(column.base) or 0)


def _put(
    found: list[dict[str, Any]], same: Sequence[int], place: int, values: Sequence[dict[str, Any]], key: str
) -> None:
    """Set the value at a place among those of its kind; further values are added behind."""
    for number, value in enumerate(values):
        if any(each.get(key) == value[key] for each in found):
            continue
        if number == 0 and place < len(same):
            found[same[place]] = {**found[same[place]], **value}
        else:
            found.append(value)


def _plain(numbers: Sequence[RecordData]) -> list[tuple[Any, ...]]:
    """What makes a number the same: the service may add its country."""
    return [tuple(each.get(name) for name in ("number", "type", "deviceType")) for each in numbers]
