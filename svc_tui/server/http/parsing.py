"""Parsing of requests: as tolerant as public clients need, and a refusal with a reason otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote_to_bytes

from pydantic import ValidationError

from svc_tui.interface.envelopes import FormatQuery, ListQuery
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import FieldSpec, field_by_wire, fields_of
from svc_tui.interface.operations import AnyOperation, Nothing
from svc_tui.interface.problems import LONGEST_TEXT, Problem, choice_value, problem_of, problems_from, too_long
from svc_tui.interface.records import Record
from svc_tui.server.refusal import Refusal, invalid

M = TypeVar("M", bound=Record)

#: Values of a query parameter that count as absent.
_ABSENT = ("", "undefined")
RECORD_ID = re.compile(r"[0-9A-Za-z]{24}")
_APPLICATION_ID = re.compile(r"[0-9A-Za-z]{24}(?:[0-9A-Za-z]{8})?")
#: Such as `bpbusinesstypes`.
_WORD = re.compile(r"[a-z]{4,20}")
_APPLICATION_IDS = ("appId", "clientId")
#: Parameters that do not identify records: external numbers, paths of files, and commands of other systems.
_PATTERNS = {
    "bpApplicantNumber": re.compile(r"[^/\x00-\x1f\x7f]{1,255}"),
    "invoicePath": re.compile(r"[^\x00-\x1f\x7f]{1,500}"),
    # Printable text that a path can contain: no dot segments, and not the address of the report of a check.
    "commandId": re.compile(r"(?!check/)(?!(?:.*/)?\.{0,2}(?:/|$))[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,255}"),
}
_DEEPEST = 64
_MOST_FIELDS = 50
#: Characters of a wrong query value that its problem repeats.
_SHOWN = 200
#: Texts of numbers, booleans and dates. Models read more: `1_000`, ` 5`, `5.0`, `yes`, seconds since 1970.
_TEXT_FORMS = {
    "integer": re.compile(r"-?[0-9]{1,100}"),
    "number": re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?"),
    "boolean": re.compile(r"true|false", re.IGNORECASE),
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "datetime": re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
        r"(?:[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})?)?"
    ),
}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
#: Values of one parameter that are tried.
_MOST_VALUES = 100
#: Longest text of a query that is read once for all requests that send it, in bytes, and how many are remembered.
_REMEMBERED, _MOST_REMEMBERED = 256, 512
_UNESCAPED_ZONE = re.compile(r"[^ ]{16,40} [0-9]{2}:?[0-9]{2}")
#: A text that is none of them.
_MALFORMED = "-"


def read_path(operation: AnyOperation, values: Mapping[str, Any]) -> dict[str, str]:
    """The path parameters. Refusal 400000 for a malformed identifier."""
    found = {name: str(values[name]) for name in operation.parameters}
    for name, value in found.items():
        if not id_pattern(name).fullmatch(value):
            raise invalid(Problem(name, "is not an identifier", value if storable(value) else None))
    return found


def names_an_operation(operation: AnyOperation, values: Mapping[str, Any]) -> bool:
    """Whether the record that is read has a word instead of an identifier: an operation that this service has not."""
    name = operation.parameters[-1] if operation.parameters else ""
    if operation.method != "GET" or name in _PATTERNS or not operation.path.endswith("{" + name + "}"):
        return False
    value = str(values[name])
    return bool(_WORD.fullmatch(value)) and not id_pattern(name).fullmatch(value)


def id_pattern(parameter: str) -> re.Pattern[str]:
    """The pattern of the identifier in a path parameter: application ids may have 32 characters, others have 24."""
    if parameter in _PATTERNS:
        return _PATTERNS[parameter]
    return _APPLICATION_ID if parameter in _APPLICATION_IDS else RECORD_ID


def read_query(model: type[M], sent: bytes) -> M:
    """The query with this text. Empty and `undefined` values count as absent; of a repeated parameter the first valid
    value counts, but one that is declared as `once` is not repeated. Refusal 400000 if the text is no UTF-8: its values
    would be other ones.

    Lists and records are read with the same queries again and again. Requests share them: no rule changes its query.
    """
    # Queries of other operations can hold secrets.
    if not sent or (len(sent) <= _REMEMBERED and issubclass(model, (ListQuery, FormatQuery))):
        remembered: M = _remembered_query(model, sent)
        return remembered
    return _new_query(model, sent)


@lru_cache(_MOST_REMEMBERED)
def _remembered_query(model: type[M], sent: bytes) -> M:
    return _new_query(model, sent)


def _new_query(model: type[M], sent: bytes) -> M:
    try:
        unquote_to_bytes(sent).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refusal(Code.VALIDATION, "the query is not UTF-8") from error
    given: dict[str, list[str]] = {}
    for name, value in parse_qsl(sent.decode("latin-1"), keep_blank_values=True):
        if value not in _ABSENT:
            given.setdefault(name, []).append(value)
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for spec in fields_of(model):
        if spec.wire in given:
            _first_valid(model, spec, given[spec.wire], values, problems)
        elif spec.required:
            problems.append(Problem(spec.wire, "is required"))
    if problems:
        raise invalid(*problems)
    return model.model_validate(values)


def _first_valid(
    model: type[Record], spec: FieldSpec, texts: list[str], values: dict[str, Any], problems: list[Problem]
) -> None:
    sentence = f"is repeated more than {_MOST_VALUES} times" if len(texts) > _MOST_VALUES else ""
    if spec.facet.once and len(texts) > 1:
        sentence = "is repeated"
    for text in texts if not sentence else ():
        value = _typed(spec, text)
        found = problem_of(model, spec.wire, value) if storable(text) else "has characters that cannot be stored"
        found = found or ("" if _is_short(text) else f"must have at most {LONGEST_TEXT:,} bytes")
        if not found:
            values[spec.wire] = value
            return
        sentence = sentence or found
    problems.append(Problem(spec.wire, sentence, texts[0][:_SHOWN] if storable(texts[0]) else None))


def _is_short(text: str) -> bool:
    """Whether a database can look for the text. Without case it can be three times as long, and SQLite counts bytes."""
    return len(text) <= LONGEST_TEXT and len(text.casefold().encode()) <= LONGEST_TEXT


def _typed(spec: FieldSpec, text: str) -> Any:
    if spec.kind == "datetime" and _UNESCAPED_ZONE.fullmatch(text):
        # An unescaped plus sign of a time zone arrives as a space.
        text = text.replace(" ", "+")
    return choice_value(spec, text) if _has_form(spec, text) else _MALFORMED


def _has_form(spec: FieldSpec, text: str) -> bool:
    form = _TEXT_FORMS.get(spec.kind)
    return form is None or form.fullmatch(text) is not None


def read_body(operation: AnyOperation, content: bytes) -> Record:
    """The body. A missing body, or one that the operation does not take, is the operation's empty body."""
    if operation.sends_form:
        document = parse_form(content)
    else:
        document = parse_json(content) if content.strip() else {}
    if not operation.sends_body:
        return Nothing()
    if not isinstance(document, dict):
        raise invalid(Problem("body", "must be a JSON object"))
    mistyped = [*_overlong(operation.body, document, "")]
    if not operation.sends_form:
        mistyped += _mistyped(operation.body, document, "")
    try:
        body: Record = operation.body.model_validate(document)
    except ValidationError as error:
        problems = {problem.param: problem for problem in [*mistyped, *problems_from(error)]}
        raise invalid(*(_without_secret(operation.body, each) for each in problems.values())) from error
    if mistyped:
        raise invalid(*mistyped)
    return body


def _without_secret(model: type[Record], problem: Problem) -> Problem:
    """The problem without the value of a field that is a secret."""
    spec = field_by_wire(model).get(problem.param.partition(".")[0])
    return Problem(problem.param, problem.msg) if spec is not None and spec.facet.secret else problem


def _mistyped(model: type[Record], document: Mapping[str, Any], within: str) -> Iterator[Problem]:
    """Values of another type of JSON, such as a text for a number: a model reads them as each other."""
    for spec in fields_of(model):
        value = document.get(spec.wire)
        path = within + spec.wire
        if value is None:
            continue
        if spec.kind == "boolean" and not isinstance(value, bool):
            yield Problem(path, "must be true or false", _plain(value))
        elif spec.kind in ("integer", "number") and (isinstance(value, str) or value is True):
            yield Problem(path, "must be a number", value)
        elif spec.kind in ("date", "datetime") and not (isinstance(value, str) and _has_form(spec, value)):
            yield Problem(path, problem_of(spec.model, spec.wire, _MALFORMED), _plain(value))
        elif spec.kind in ("object", "objects") and (inner := spec.record) is not None:
            for place, each in enumerate(value if isinstance(value, list) else [value]):
                if isinstance(each, dict):
                    yield from _mistyped(inner, each, f"{path}.{place}." if isinstance(value, list) else f"{path}.")


def _plain(value: Any) -> Any:
    return value if isinstance(value, (str, int, float)) else None


def _overlong(model: type[Record], document: Mapping[str, Any], within: str) -> Iterator[Problem]:
    """Texts and lists that are longer than any that is stored."""
    specs = field_by_wire(model)
    for wire, value in document.items():
        spec = specs.get(wire)
        path = within + wire[:100]
        if sentence := too_long(spec, value):
            yield Problem(path, sentence)
        inner = spec.record if spec is not None else None
        for place, each in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(each, dict):
                at = f"{path}.{place}." if isinstance(value, list) else f"{path}."
                yield from _overlong(inner or Record, each, at)


def parse_form(content: bytes) -> dict[str, str]:
    """The fields of a form. Of a repeated field the first counts. Refusal 400000 for anything else."""
    try:
        pairs = parse_qsl(content.decode("utf-8"), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise Refusal(Code.VALIDATION, "the body is not a form") from error
    _check(dict(pairs), 0)
    return dict(reversed(pairs))


def parse_json(content: bytes) -> Any:
    """JSON that both databases can store. Refusal 400000 for anything else."""
    try:
        document = json.loads(content.decode("utf-8"), parse_constant=_no_constant)
    except RecursionError as error:
        raise Refusal(Code.VALIDATION, "the body is nested too deeply") from error
    except ValueError as error:
        raise Refusal(Code.VALIDATION, "the body is not JSON") from error
    _check(document, 0)
    return document


def storable(text: str) -> bool:
    """Whether both databases can store the text: no NUL, no half of a surrogate pair."""
    return _UNSTORABLE.search(text) is None


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _check(value: Any, depth: int) -> None:
    if depth > _DEEPEST:
        raise Refusal(Code.VALIDATION, "the body is nested too deeply")
    if isinstance(value, str) and not storable(value):
        raise Refusal(Code.VALIDATION, "the body has characters that cannot be stored")
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        raise Refusal(Code.VALIDATION, "the body has a number that is too large")
    if isinstance(value, dict):
        for name, inner in value.items():
            _check(name, depth + 1)
            _check(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            _check(inner, depth + 1)
