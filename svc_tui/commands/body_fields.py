"""A request body from its fields as NAME=VALUE, with the types of the declaration."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svc_tui.commands.exits import UsageError
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.language import _

#: The beginning of a field; JSON begins otherwise.
FIELD = re.compile(r"[A-Za-z]\w*=")
_LISTS = ("texts", "choices")
_TRUTH = {"true": True, "false": False}
_NUMBERS: Mapping[str, Callable[[str], Any]] = {"integer": int, "number": float}


def from_words(specs: Mapping[str, FieldSpec], words: Sequence[str]) -> dict[str, Any]:
    """The body. An empty value is null. A field of several values is repeated, or given as a list in JSON.

    UsageError for a value of the wrong type, and for a field of one value that is repeated.
    """
    body: dict[str, Any] = {}
    for word in words:
        name, _equals, text = word.partition("=")
        value = _value(specs[name], text)
        if specs[name].kind in _LISTS and isinstance(value, str):
            body[name] = [*(body.get(name) or ()), value]
        elif name in body:
            raise UsageError(_("{name} takes one value.").format(name=name))
        else:
            body[name] = value
    return body


def _value(spec: FieldSpec, text: str) -> Any:
    if text == "":
        return None
    # Some numbers can also be false.
    if spec.kind in ("boolean", *_NUMBERS) and text in _TRUTH:
        return _TRUTH[text]
    if spec.kind == "boolean":
        raise UsageError(_("{name} must be true or false.").format(name=spec.wire))
    if convert := _NUMBERS.get(spec.kind):
        try:
            return convert(text)
        except ValueError:
            raise UsageError(_("{name} must be a number.").format(name=spec.wire)) from None
    if spec.kind in ("object", "objects") or (spec.kind in _LISTS and text.startswith("[")):
        try:
            return json.loads(text)
        except ValueError as error:
            raise UsageError(_("{name} is not valid JSON: {error}.").format(name=spec.wire, error=error)) from None
    return text
