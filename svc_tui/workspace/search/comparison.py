"""Whether a record contains the searched text, and the parts of text by which the cache is scanned for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from svc_tui.cache.cached import RecordDict
from svc_tui.interface import telephone_numbers
from svc_tui.interface.texts import mac_address, mac_part
from svc_tui.workspace.kinds.search_rule import Meaning, SearchRule

#: Fewer digits of a number would be found in nearly every record.
_FEWEST_DIGITS = 4
_FIELDS_OF_NUMBERS = ("numberE164", "number")


def value_of(record: RecordDict, path: str) -> Any:
    """A value by its wire name, or by names with dots into nested objects."""
    value: Any = record
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def holds(rule: SearchRule, meanings: Mapping[Meaning, str], record: RecordDict) -> bool:
    """Whether a field of the record contains the searched text."""
    if meanings.get("id") == str(record.get("id") or "").lower() != "":
        return True
    return any(
        contains(meaning, meanings[meaning], text, record)
        for meaning in rule.holds.keys() & meanings.keys()
        for field in rule.holds[meaning]
        for text in texts(value_of(record, field))
    )


def texts(value: Any) -> Iterator[str]:
    """The texts of a field: its own, those of a list, the numbers of objects in a list."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    elif isinstance(value, Mapping):
        for name in _FIELDS_OF_NUMBERS:
            yield from texts(value.get(name))


def contains(meaning: Meaning, text: str, value: str, record: RecordDict) -> bool:
    match meaning:
        case "number":
            country = record.get("country")
            return telephone_numbers.found_in(text, value, country if isinstance(country, str) else None) or (
                # The country of the number may be unknown: then its national prefix is.
                not isinstance(country, str) and _national(text) in value
            )
        case "mac":
            return text in mac_part(value)
        case "id" | "uuid" | "extension":
            return text == value.lower()
        case "email":
            return text.casefold() in value.casefold()
        case "word":
            # The domain is that of all users of a company.
            return text.casefold() in value.casefold().partition("@")[0]
        case _:
            folded = value.casefold()
            return all(word in folded for word in text.casefold().split())


def _national(text: str) -> str:
    """The digits of a number without the prefixes that are dialled before it."""
    return re.sub(r"\D", "", text.replace("(0)", "")).lstrip("0")


def parts_of(meanings: Mapping[Meaning, str]) -> list[str]:
    """The parts of text, of which a matching record contains at least one."""
    parts: list[str] = []
    for meaning, text in meanings.items():
        if meaning == "number":
            parts += [part for part in (_national(text),) if len(part) >= _FEWEST_DIGITS]
        elif meaning == "mac":
            parts.append(":".join(text[at : at + 2] for at in range(0, len(text), 2)))
        elif meaning == "name":
            # The words may be in another order: the longest one is in the record.
            parts.append(max(text.split(), key=len))
        else:
            parts.append(text)
    return list(dict.fromkeys(parts))


def whole(meaning: Meaning, text: str, country: str | None) -> str:
    """The complete value, as the service stores it; empty for a part of a value."""
    try:
        if meaning == "number":
            return telephone_numbers.e164(text, country)
        if meaning == "mac":
            return mac_address(text)
    except ValueError:
        pass
    return ""


def as_query(meaning: Meaning, text: str, country: str | None) -> str:
    """The text as a query parameter: a telephone number in E.164 if it is complete, otherwise its digits."""
    if meaning != "number":
        return text
    return whole(meaning, text, country) or re.sub(r"[^\d+]", "", text)


def owns(rule: SearchRule, meanings: Mapping[Meaning, str], country: str | None) -> bool:
    """Whether a whole telephone number, extension or MAC address that was typed belongs to one record of this kind."""
    exact = rule.sorted_by.keys() | (rule.asks.keys() & {"extension"})
    return any(
        meaning == "extension" or bool(whole(meaning, meanings[meaning], country))
        for meaning in exact & meanings.keys()
    )
