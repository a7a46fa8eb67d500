"""The HTTP application: one route for each operation, from the request to a Call and from its result to a response."""

from __future__ import annotations

import asyncio
import pkgutil
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from importlib import import_module
from urllib.parse import quote

from pydantic_core import to_json
from sqlalchemy.exc import SQLAlchemyError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Match, Mount, Route, Router
from starlette.types import Scope

from svc_tui.interface.access import decide
from svc_tui.interface.catalogue import AREAS, operations
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import CSV, AnyOperation, Nothing
from svc_tui.interface.records import Record
from svc_tui.interface.texts import file_name
from svc_tui.interface.typed_access import typed
from svc_tui.server.auditing import RefusedAttempts, note_actor, record_performed, request_origin
from svc_tui.server.demo import demo_activity, demo_routes
from svc_tui.server.events.component import events_over_component
from svc_tui.server.events.endpoint import events_over_websocket, no_websocket, websocket_routes
from svc_tui.server.events.retention import event_retention
from svc_tui.server.hooks import background_jobs, request_observers
from svc_tui.server.http.about import about_routes
from svc_tui.server.http.bodies import check_accept, check_type, discard_body, json_content, raw_content
from svc_tui.server.http.failures import FULL, Failure, failure_of
from svc_tui.server.http.health import Health, health_routes
from svc_tui.server.http.measures import Measures
from svc_tui.server.http.openapi import openapi_document
from svc_tui.server.http.pages import page_response, secret_response, with_cookies
from svc_tui.server.http.parsing import names_an_operation, read_body, read_path, read_query
from svc_tui.server.http.request_headers import TrustedProxies, headers_of
from svc_tui.server.http.request_log import RequestLog
from svc_tui.server.http.responses import SecurityHeaders, error_response, json_response, json_text_response
from svc_tui.server.http.uploads import Upload, UploadLimits, upload_content
from svc_tui.server.http.user_requests import ClientGone, NoResponse, UserRequests
from svc_tui.server.log_lines import current_request, log, note_caller
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import (
    AnyCall,
    Call,
    FileResult,
    Headers,
    ImageResult,
    ListResult,
    PageResult,
    RedirectResult,
    Rule,
    RuleResult,
    SecretResult,
    StreamResult,
    rules,
)
from svc_tui.server.security.callers import Authenticated, authenticate
from svc_tui.server.security.rate_limits import RateLimits
from svc_tui.server.service import Service, service_of
from svc_tui.server.settings import Settings
from svc_tui.server.store.audit import Origin, originating, start_with
from svc_tui.server.store.store import Store
from svc_tui.server.stored import StoredApiKey, StoredApplication, StoredUser, TokenClaims

_NO_BODY = Nothing()
_MODULE = re.compile(r"/api/svc/\w+/v1\.0(?=/)")


def build(settings: Settings, *, service: Service | None = None) -> Starlette:
    """The server as an ASGI application. At start-up its database is opened and upgraded."""
    load_rules()
    service = service or service_of(settings)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await service.database.upgrade()
        start_with(Origin(service.clock.now, job="service"))
        async with AsyncExitStack() as running:
            await running.enter_async_context(service.tokens.keys.running())
            await running.enter_async_context(service.event_delivery.running())
            events = (event_retention, events_over_component if settings.xmpp_component else events_over_websocket)
            for job in (*events, *background_jobs(), *((demo_activity,) if settings.demo else ())):
                await running.enter_async_context(job(service))
            yield
        await service.database.close()

    app = Starlette(
        routes=[
            *_by_module(
                [
                    *(_route(operation, rule, service) for operation, rule in rules()),
                    *about_routes(operation.path for operation, _ in rules()),
                ]
            ),
            _openapi_route(),
            *health_routes(service),
            *(no_websocket() if settings.xmpp_component else websocket_routes(service)),
            *(demo_routes(service) if settings.demo else ()),
        ],
        lifespan=lifespan,
        exception_handlers={HTTPException: _not_served},
        middleware=[
            Middleware(TrustedProxies, trusted=settings.trusted_proxies),
            Middleware(SecurityHeaders, secure=settings.public_url.startswith("https:")),
            Middleware(RequestLog, measures=service.part(Measures)),
        ],
    )
    app.router.redirect_slashes = False
    app.state.health, app.state.measures = service.part(Health), service.part(Measures)
    return app


def load_rules() -> None:
    """Import the files of all areas, which registers their rules and hooks; demo data only when it is needed."""
    for area in AREAS:
        package = f"svc_tui.server.{area}"
        for found in pkgutil.iter_modules(import_module(package).__path__):
            if found.name != "demo":
                import_module(f"{package}.{found.name}")


def _route(operation: AnyOperation, rule: Rule, service: Service) -> Route:
    async def endpoint(request: Request) -> Response:
        current_request().operation = operation.id
        if names_an_operation(operation, request.path_params):
            if operation.sends_body_unchanged:
                await discard_body(request)
            return await _not_served(request, HTTPException(404))
        return await _answer(operation, rule, service, request)

    route = Route(operation.path, endpoint, methods=[operation.method], name=operation.id)
    # Starlette adds HEAD to GET; here a GET can change something.
    route.methods = {operation.method}
    return route


def _by_module(routes: Iterable[Route]) -> Iterator[BaseRoute]:
    """The routes of a module (`/api/svc/MODULE/v1.0`) behind one test of what their addresses begin with, so that a
    request is not compared with each of more than 200 addresses."""
    modules: dict[str, list[BaseRoute]] = {}
    for route in routes:
        module = _MODULE.match(route.path)
        if module is None:
            yield route
            continue
        inner = Route(route.path[module.end() :], route.endpoint, name=route.name)
        inner.methods = route.methods
        modules.setdefault(module[0], []).append(inner)
    for path, inside in modules.items():
        yield Mount(path, app=Router(inside, redirect_slashes=False))


def _openapi_route() -> Route:
    """The OpenAPI document of the operations that have a rule, written when it is first asked for."""

    @cache
    def document() -> bytes:
        declared = operations()
        return to_json(openapi_document(operation for operation, _ in rules() if operation in declared))

    async def endpoint(_request: Request) -> Response:
        # Half a second of work, which must not hold up other requests.
        return json_text_response(await asyncio.to_thread(document))

    return Route("/openapi.json", endpoint)


async def _answer(operation: AnyOperation, rule: Rule, service: Service, request: Request) -> Response:
    try:
        answer = await _perform(operation, rule, service, request)
    except Refusal as refusal:
        if operation.sends_body_unchanged:
            await discard_body(request)
        return json_response(refusal.body(), refusal.code.status, refusal.headers)
    except ClientGone:
        return NoResponse()
    except ClientDisconnect:
        return error_response(400, "the request ended before its body was complete")
    except (SQLAlchemyError, OSError) as error:
        failure = failure_of(error)
        if failure is None:
            raise
        if operation.sends_body_unchanged:
            await discard_body(request)
        return _failed(failure, service)
    if isinstance(answer, ListResult):
        return json_text_response(answer.content)
    if isinstance(answer, dict | list):
        return json_response(answer)
    if isinstance(answer, RedirectResult):
        return _redirect(answer)
    if isinstance(answer, PageResult):
        return with_cookies(page_response(answer), answer.cookies)
    if isinstance(answer, SecretResult):
        return secret_response(answer)
    if isinstance(answer, ImageResult):
        return _picture(answer)
    if isinstance(answer, FileResult):
        return _download(answer)
    if isinstance(answer, StreamResult):
        return StreamingResponse(answer.pieces, media_type="application/json; charset=utf-8")
    return json_response(answer)


def _failed(failure: Failure, service: Service) -> Response:
    if failure.status == 409:
        return json_response(Refusal(Code.ALREADY_EXISTS).body(), 409)
    log.error("%s", failure.line)
    if failure.sentence == FULL:
        service.part(Health).full = True
    return error_response(failure.status, failure.sentence)


def _redirect(answer: RedirectResult) -> Response:
    response = Response(status_code=302, headers={"location": answer.location, "cache-control": "no-store"})
    return with_cookies(response, answer.cookies)


def _picture(picture: ImageResult) -> Response:
    """An image, or 304 when the client has it already. No browser may interpret its bytes as anything else."""
    headers = {
        "etag": picture.mark,
        "cache-control": picture.cache,
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'",
    }
    if picture.content is None:
        return Response(status_code=304, headers=headers)
    return Response(picture.content, headers=headers, media_type=picture.media_type)


def _download(file: FileResult) -> Response:
    """A file to save. No browser may show it as anything else, or cache it."""
    name = file_name(file.filename)
    plain = re.sub(r"[^A-Za-z0-9._~-]", "_", name)
    headers = {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
    }
    if file.size is not None:
        headers["content-length"] = str(file.size)
    return StreamingResponse(file.pieces, headers=headers, media_type=file.media_type)


async def _perform(operation: AnyOperation, rule: Rule, service: Service, request: Request) -> object:
    headers = headers_of(request, service.settings)
    with originating(request_origin(operation, headers, service)) as origin:
        try:
            return await _performed(operation, rule, service, request, headers)
        except Refusal as refusal:
            service.part(RefusedAttempts).note(operation, origin, refusal.code)
            raise


async def _performed(
    operation: AnyOperation, rule: Rule, service: Service, request: Request, headers: Headers
) -> object:
    if operation.takes == CSV:
        return await _perform_upload(operation, rule, service, request, headers)
    if operation.sends_body_unchanged:
        # A caller without the right is refused before the image is read; no connection is held while it arrives.
        async with service.database.unit() as store:
            identity = await _admitted(operation, headers, store, service)
        read_path(operation, request.path_params)
        async with service.part(UploadLimits).upload_of(identity.caller):
            content = await raw_content(request, operation, service.settings)
        async with service.database.unit() as store:
            answer = await _ruled(rule, _call(operation, request, headers, store, service, identity, content=content))
    else:
        content = await json_content(request, service.settings)
        if operation.rate:
            query = request.scope["query_string"]
            await service.part(RateLimits).check(operation, headers, request.path_params, query, content)
        async with service.database.unit() as store:
            identity = await _admitted(operation, headers, store, service)
            if content:
                check_type(operation, headers.content_type)
            body = read_body(operation, content)
            call = _call(operation, request, headers, store, service, identity, body=body)
            async with service.part(UserRequests).turn_of(identity.caller, request):
                answer = await _ruled(rule, call)
    return answer


async def _perform_upload(
    operation: AnyOperation, rule: Rule, service: Service, request: Request, headers: Headers
) -> object:
    """As with an image, but the body is written to a file."""
    async with service.database.unit() as store:
        identity = await _admitted(operation, headers, store, service)
    async with service.part(UploadLimits).upload_of(identity.caller):
        upload = await upload_content(request, operation, service.settings)
        try:
            async with service.database.unit() as store:
                call = _call(operation, request, headers, store, service, identity, upload=upload)
                answer = await _ruled(rule, call)
        finally:
            upload.close()
    return answer


async def _ruled(rule: Rule, call: AnyCall) -> RuleResult:
    """What the caller reads of the result of a rule, whose changes are in the audit log."""
    call.readers.check_query(call.query)
    answer: RuleResult = await call.readers.of(await rule(call))
    record_performed(call)
    return answer


async def _admitted(operation: AnyOperation, headers: Headers, store: Store, service: Service) -> Authenticated:
    """The authenticated caller. Refusal without any role for this operation."""
    identity = await authenticate(operation, headers, store, service)
    application = str(identity.application.get("id") or "")
    note_caller(identity.caller.user_id if identity.caller else "", application)
    for observe in request_observers():
        observe(service, application, operation)
    note_actor(operation, identity.caller, identity.user, identity.application)
    decision = decide(operation.who, identity.caller)
    if not decision:
        raise Refusal(Code.ROLE_MISSING, decision.reason)
    check_accept(operation, headers.accept)
    return identity


def _call(
    operation: AnyOperation,
    request: Request,
    headers: Headers,
    store: Store,
    service: Service,
    identity: Authenticated,
    *,
    body: Record = _NO_BODY,
    content: bytes = b"",
    upload: Upload | None = None,
) -> AnyCall:
    return Call(
        operation=operation,
        query=read_query(operation.query, request.scope["query_string"]),
        body=body,
        path=read_path(operation, request.path_params),
        headers=headers,
        store=store,
        service=service,
        caller=identity.caller,
        user=typed(StoredUser, identity.user),
        application=typed(StoredApplication, identity.application),
        claims=typed(TokenClaims, identity.claims),
        api_key=typed(StoredApiKey, identity.api_key),
        content=content,
        upload=upload,
    )


async def _not_served(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentences = {404: "There is no operation at this address.", 405: "This address does not support this method."}
    response = error_response(status, sentences.get(status, ""))
    if status == 405:
        response.headers["allow"] = ", ".join(sorted(_methods_at(request)))
    return response


def _methods_at(request: Request) -> set[str]:
    """The methods of all operations at the address of the request."""
    # A module that was asked has left itself in the scope.
    scope = {**request.scope, "root_path": ""}
    return _methods_of(request.app.routes, scope)


def _methods_of(routes: Iterable[BaseRoute], scope: Scope) -> set[str]:
    found: set[str] = set()
    for route in routes:
        match, inside = route.matches(scope)
        if match != Match.NONE and isinstance(route, Mount):
            found |= _methods_of(route.routes, {**scope, **inside})
        elif match != Match.NONE and isinstance(route, Route) and route.methods:
            found |= route.methods
    return found
