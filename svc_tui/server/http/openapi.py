"""The OpenAPI document, generated from the catalogue alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import models_json_schema

from svc_tui import __version__
from svc_tui.interface.addresses import readable
from svc_tui.interface.authentication import proof
from svc_tui.interface.authentication.oauth import OAuthError
from svc_tui.interface.catalogue import area_of
from svc_tui.interface.envelopes import ErrorBody
from svc_tui.interface.errors import MESSAGES, Code
from svc_tui.interface.field_specs import fields_of
from svc_tui.interface.operations import FORM, PAGES, AnyOperation, Credentials
from svc_tui.interface.problems import LONGEST_TEXT, longest_of, most_of
from svc_tui.interface.records import Record
from svc_tui.server.http.parsing import id_pattern

_REF = "#/components/schemas/{model}"
_BEARER: dict[str, list[str]] = {"bearer": []}
_API_KEY: dict[str, list[str]] = {"apiKey": [], "challenge": [], "appAuth": []}
_SECURITY: dict[Credentials, list[dict[str, list[str]]]] = {
    Credentials.NONE: [],
    Credentials.BROWSER: [],
    Credentials.CALLER: [_BEARER, _API_KEY],
    Credentials.LIMITED: [_BEARER, _API_KEY],
    Credentials.TOKEN: [_BEARER],
    Credentials.API_KEY: [_API_KEY],
    Credentials.LOGIN: [{"login": [], "appAuth": []}],
    Credentials.BACKCHANNEL: [_BEARER],
    Credentials.APPLICATION: [{"login": []}],
}

#: Errors of the token endpoint: those of its protocol, and those of every operation.
_TOKEN_ERRORS = ("OAuthError", "ErrorBody")
#: A body that is not JSON, such as an image.
_BYTES: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}


def openapi_document(served: Iterable[AnyOperation]) -> dict[str, Any]:
    """OpenAPI 3.1 for these operations."""
    served = list(served)
    schemas = _schemas(served)
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    for operation in served:
        paths[documented_path(operation)][operation.method.lower()] = _operation(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "svc", "version": __version__},
        "paths": dict(paths),
        "components": {"schemas": schemas, "securitySchemes": _security_schemes()},
    }


def documented_path(operation: AnyOperation) -> str:
    """The path in the document: OpenAPI has no parameters of several segments."""
    return readable(operation.path)


def _operation(operation: AnyOperation, schemas: dict[str, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [area_of(operation.id)],
        "parameters": [*_path_parameters(operation), *_query_parameters(operation.query)],
        "responses": _responses(operation),
        "security": _SECURITY[operation.credentials],
    }
    if operation.sends_body:
        type_ = FORM if operation.sends_form else "application/json"
        name = operation.body.__name__
        sent = f"{name}Sent"
        content = {type_: {"schema": {"$ref": _REF.format(model=sent if sent in schemas else name)}}}
        described["requestBody"] = {"required": True, "content": content}
    if operation.sends_body_unchanged:
        described["requestBody"] = {"required": True, "content": dict.fromkeys(operation.takes, _BYTES)}
    if operation.deprecated:
        described["deprecated"] = True
    return described


def _path_parameters(operation: AnyOperation) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "pattern": f"^{id_pattern(name).pattern}$"},
        }
        for name in operation.parameters
    ]


def _query_parameters(model: type[Record]) -> list[dict[str, Any]]:
    schema = model.model_json_schema(by_alias=True)
    required = schema.get("required", [])
    found = []
    for name, described in schema.get("properties", {}).items():
        parts = described.get("anyOf")
        if parts is not None:
            # A missing parameter is null in the records here and absent on the wire.
            kept = [part for part in parts if part.get("type") != "null"]
            described = {**described, **kept[0]}
            described.pop("anyOf")
            described.pop("default", None) if described.get("default") is None else None
        _limit(described, LONGEST_TEXT)
        help = described.pop("description", "")
        found.append(
            {"name": name, "in": "query", "required": name in required, "description": help, "schema": described}
        )
    return found


def _responses(operation: AnyOperation) -> dict[str, Any]:
    error: dict[str, Any] = {"application/json": {"schema": {"$ref": _REF.format(model="ErrorBody")}}}
    if operation.gives == PAGES:
        error.update(dict.fromkeys(PAGES, _BYTES))
    if operation.credentials is Credentials.APPLICATION:
        error["application/json"] = {"schema": {"anyOf": [{"$ref": _REF.format(model=m)} for m in _TOKEN_ERRORS]}}
    codes: dict[int, list[str]] = {400: [], 413: [], 431: [], 500: [], 503: []}
    if operation.credentials is not Credentials.NONE:
        codes.update({401: [], 403: []})
    for code in operation.refuses:
        codes.setdefault(code.status, []).append(str(int(code)))
    if operation.rate:
        codes.setdefault(429, [str(int(Code.TOO_MANY_REQUESTS))])
    if operation.parameters:
        codes.setdefault(404, [])
    responses: dict[str, Any] = {"200": _success(operation)}
    if any(type_.startswith("image/") for type_ in operation.gives):
        responses["304"] = {"description": "Not modified"}
    if operation.credentials is Credentials.BROWSER:
        pages = {"200": responses["200"]} if operation.gives == PAGES else {}
        responses = {**pages, "302": {"description": "Redirect to the next page"}}
    for status in sorted(codes):
        said = f"{MESSAGES[status]}. errorDetailsCode {', '.join(codes[status])}" if codes[status] else MESSAGES[status]
        responses[str(status)] = {"description": said, "content": error}
    return responses


def _success(operation: AnyOperation) -> dict[str, Any]:
    if operation.gives:
        return {"description": "Success", "content": dict.fromkeys(operation.gives, _BYTES)}
    result = operation.result
    schema: dict[str, Any]
    listed = _listed(result)
    if listed is not None:
        schema = {"type": "array", "items": {"$ref": _REF.format(model=_name(listed))}}
    elif isinstance(result, type) and issubclass(result, BaseModel):
        schema = {"$ref": _REF.format(model=_name(result))}
    else:
        schema = TypeAdapter(result).json_schema()
    return {"description": "Success", "content": {"application/json": {"schema": schema}}}


def _listed(result: Any) -> type[BaseModel] | None:
    """The record of a response that is a bare list."""
    return get_args(result)[0] if get_origin(result) is list else None


def _name(model: type[BaseModel]) -> str:
    return model.__name__.translate(str.maketrans("[], ", "____"))


def _schemas(served: list[AnyOperation]) -> dict[str, Any]:
    inputs: set[type[BaseModel]] = {each.body for each in served if each.sends_body}
    results = [_listed(each.result) or each.result for each in served]
    outputs: set[type[BaseModel]] = {each for each in results if isinstance(each, type) and issubclass(each, BaseModel)}
    outputs |= {ErrorBody, OAuthError}
    schemas, sent = _described(outputs, "serialization"), _described(inputs, "validation")
    for model in inputs:
        _limit_record(sent, model, set())
    # Stored texts can be longer than those that are sent: a record that is both has two schemas.
    both = schemas.keys() & sent.keys()
    references = {_REF.format(model=name): _REF.format(model=f"{name}Sent") for name in both}
    return schemas | {f"{name}Sent" if name in both else name: _renamed(sent[name], references) for name in sent}


def _described(models: set[type[BaseModel]], mode: Literal["serialization", "validation"]) -> dict[str, Any]:
    _, whole = models_json_schema(
        [(model, mode) for model in sorted(models, key=_name)], by_alias=True, ref_template=_REF
    )
    found: dict[str, Any] = whole.get("$defs", {})
    return found


def _renamed(described: Any, references: dict[str, str]) -> Any:
    """The schema with other references."""
    if isinstance(described, dict):
        return {name: _renamed(each, references) for name, each in described.items()}
    if isinstance(described, list):
        return [_renamed(each, references) for each in described]
    return references.get(described, described) if isinstance(described, str) else described


def _limit_record(schemas: dict[str, Any], model: type[BaseModel], seen: set[type[BaseModel]]) -> None:
    """Say the longest texts and lists of the fields of a record that is sent, and of the records in it."""
    seen.add(model)
    properties = schemas.get(_name(model), {}).get("properties", {})
    for spec in fields_of(model):
        if spec.wire in properties:
            _limit(properties[spec.wire], longest_of(spec), most_of(spec))
        inner = spec.record
        if inner is not None and inner not in seen:
            _limit_record(schemas, inner, seen)


def _limit(described: dict[str, Any], longest: int, most: int | None = None) -> None:
    """Say the longest text, and the most items, of a field where its declaration does not."""
    if described.get("type") == "string" and not described.keys() & {"enum", "const", "format", "maxLength"}:
        described["maxLength"] = longest
    if described.get("type") == "array" and most is not None:
        described.setdefault("maxItems", most)
    inner = described.get("items")
    for part in (*described.get("anyOf", ()), *([inner] if isinstance(inner, dict) else ())):
        _limit(part, longest, most)


def _security_schemes() -> dict[str, Any]:
    def header(name: str, said: str) -> dict[str, str]:
        return {"type": "apiKey", "in": "header", "name": name, "description": said}

    return {
        "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
        "login": {"type": "http", "scheme": "basic", "description": "base64(login:password)"},
        "apiKey": header(proof.API_KEY, "The API key"),
        "challenge": header(proof.CHALLENGE, "Random text, used once"),
        "appAuth": header(proof.APP_AUTH, "Basic base64(appId:sha256hex(appSecret + challenge or password))"),
    }
