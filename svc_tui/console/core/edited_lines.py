"""Lists and objects edited as lines: one entry in each, as it is stored.

A text stands as it is. One that a line cannot hold, because of a line break, a control character, or spaces around it,
stands in quotes as in JSON: `note="first\\nsecond"`. So reading the lines gives back exactly what was stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from svc_tui.language import _

#: Characters that end a line in some editor, control it, or are half of a character.
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_JSON = json.JSONDecoder()


def entries_as_text(value: Sequence[Any]) -> str:
    """The entries of a list, one per line."""
    return "\n".join(_as_line(item) if isinstance(item, str) else _in_json(item) for item in value)


def entries(text: str, before: object = None) -> list[Any] | None:
    """The entries of a list, one per line; None when there are none. An entry of `before` that is no text is kept."""
    known = before if isinstance(before, list) else []
    others = {_in_json(item): item for item in known if not isinstance(item, str)}
    found = [_read(line.strip(), others) for line in text.splitlines() if line.strip()]
    return found or None


def pairs_as_text(value: object) -> str:
    """An object of texts as `key=value`, one per line."""
    if not isinstance(value, Mapping):
        return ""
    return "\n".join(f"{_key_as_line(str(key))}={_value_as_line(item)}" for key, item in value.items())


def pairs(text: str, before: object = None) -> dict[str, Any] | str:
    """The object of `key=value` lines; a sentence when a line is wrong.

    What is not a text in `before`, such as a number, stays one of its key.
    """
    known = before if isinstance(before, Mapping) else {}
    found: dict[str, Any] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        key, value = _parts(line.strip())
        if value is None or (not key and not line.strip().startswith('"')):
            return _("line {number} is not key=value").format(number=number)
        if key in found:
            return _("line {number}: duplicate key {key}").format(number=number, key=key)
        was = known.get(key, "")
        found[key] = _text(value) if isinstance(was, str) else _other(value)
    return found


def _parts(line: str) -> tuple[str, str | None]:
    """The key of a line, and what is written for its value; None without a sign between them."""
    if line.startswith('"'):
        try:
            key, end = _JSON.raw_decode(line)
        except ValueError:
            pass
        else:
            rest = line[end:].lstrip()
            if rest.startswith("="):
                return key, rest[1:].strip()
    key, sign, value = line.partition("=")
    return key.strip(), value.strip() if sign else None


def _read(line: str, others: Mapping[str, Any]) -> Any:
    return others[line] if line in others else _text(line)


def _text(written: str) -> str:
    """The text that is written in a line: itself, or the one in quotes."""
    if len(written) > 1 and written[0] == written[-1] == '"':
        try:
            return str(json.loads(written))
        except ValueError:
            return written
    return written


def _other(written: str) -> Any:
    """A value that was no text before: as JSON, or a text now."""
    try:
        return json.loads(written)
    except ValueError:
        return _text(written)


def _as_line(text: str) -> str:
    """A text as a line; in quotes where it would be read as another one."""
    plain = bool(text) and text == text.strip() and not _UNFIT.search(text) and _text(text) == text
    return text if plain else _in_json(text)


def _key_as_line(key: str) -> str:
    return _in_json(key) if "=" in key or key.startswith('"') or _as_line(key) != key else key


def _value_as_line(value: object) -> str:
    return (_as_line(value) if value else "") if isinstance(value, str) else _in_json(value)


def _in_json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _UNFIT.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
