"""The generated resources: every operation is a method, with its parameters as arguments and its result unwrapped."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from docs.making import resources as making
from svc_tui.client import api
from svc_tui.client.session import Session
from svc_tui.interface import catalogue
from svc_tui.interface.addresses import parameters_of
from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import fields_of
from tests.client.support import FakeClock, at_once, jwt

METHODS = [
    (resource, method, operation) for resource, methods in making.resources().items() for method, operation in methods
]


class Answers:
    """A service that notes requests and gives the same answer to each."""

    def __init__(self, body: Any, status: int = 200, **headers: str) -> None:
        self.body, self.status, self.headers = body, status, headers
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        return httpx.Response(self.status, json=self.body, headers=self.headers)

    @property
    def sent(self) -> Any:
        """The body of the last request."""
        return json.loads(self.requests[-1].content)

    def client(self) -> api.Client:
        profile = api.Profile("test", "https://svc.test", app_id="app", app_secret="s3cret-of-app")
        session = Session(profile, clock=FakeClock())
        session.accept({"token": jwt(), "loggedInUser": {"id": "u1"}})
        return api.Client(profile, session, transport=httpx.MockTransport(self), sleep=at_once)


def test_the_module_is_current() -> None:
    assert making.FILE.read_text("utf-8") == making.text(), "run `python -m docs.making.resources`"


def test_every_operation_is_one_method() -> None:
    offered = [operation.id for _resource, _method, operation in METHODS]
    assert len({*offered}) == len(offered)
    assert len({(resource, method) for resource, method, _operation in METHODS}) == len(METHODS)
    left = {operation.id: operation for operation in catalogue.operations() if operation.id not in offered}
    assert {name for name, operation in left.items() if not making.for_a_browser(operation)} == {*making.OF_THE_SESSION}
    assert all(
        operation.credentials == "browser" for name, operation in left.items() if name not in making.OF_THE_SESSION
    )


@pytest.mark.parametrize(("resource", "method", "operation"), METHODS, ids=lambda value: getattr(value, "id", None))
async def test_a_method_has_the_parameters_of_its_operation_and_calls_it(resource, method, operation) -> None:
    service = Answers({"data": []})
    called = getattr(getattr(service.client(), resource), method)
    parameters = inspect.signature(called).parameters
    ids = [name for name, each in parameters.items() if each.annotation == "str" and each.kind == 1]
    keywords = {name for name, each in parameters.items() if each.kind == inspect.Parameter.KEYWORD_ONLY}
    specs = [*fields_of(operation.query), *fields_of(operation.body)]
    assert len(ids) == len(parameters_of(operation.path))
    assert keywords == {spec.name for spec in specs}
    assert {name for name in keywords if parameters[name].default is inspect.Parameter.empty} == {
        spec.name for spec in specs if spec.required
    }
    assert called.__doc__.startswith(operation.summary[:40])
    assert all(f"    {name}: " in called.__doc__ for name in keywords)
    sent: list[Any] = []

    async def send(operation: Any, **values: Any) -> None:
        sent.append((operation.id, dict(values["path"])))
        raise api.NotFound("", status=404)

    client = service.client()
    client.send = send  # type: ignore[method-assign]
    if not any(spec.required for spec in specs):
        content = (b"rows",) if operation.takes else ()
        with pytest.raises(api.NotFound):
            made = getattr(getattr(client, resource), method)(*(f"id {name}" for name in ids), *content)
            await (made.all() if isinstance(made, api.Listing) else made)
        assert sent == [
            (operation.id, {wire: f"id {name}" for wire, name in zip(parameters_of(operation.path), ids, strict=True)})
        ]


async def test_a_record_is_unwrapped_and_keeps_unknown_fields() -> None:
    service = Answers({"data": {"id": "1", "name": "CRM", "ofTomorrow": 7}})
    application = await service.client().applications.get("1", format="small")
    assert (application.id, application.name, application.model_extra) == ("1", "CRM", {"ofTomorrow": 7})
    assert service.requests[0].url.path.endswith("/applications/1")
    assert service.requests[0].url.params["format"] == "small"


async def test_only_keywords_that_are_given_are_sent_and_none_empties_a_field() -> None:
    service = Answers({"data": {"id": "1"}})
    await service.client().applications.update("1", description=None, name="CRM")
    assert service.sent == {"description": None, "name": "CRM"}
    await service.client().applications.update("1", name="CRM", origin=api.NOT_GIVEN)
    assert service.sent == {"name": "CRM"}


async def test_what_has_no_record_is_none_and_a_list_without_pages_is_a_list() -> None:
    assert await Answers({"status": "ok"}).client().applications.delete("1") is None
    licences = await Answers({"data": [{"subscriptionId": "1"}]}).client().licences.unassign("u1", "1")
    assert [licence.subscription_id for licence in licences] == ["1"]
    listing = Answers({"data": [{"id": "1"}, {"id": "2"}]}).client().subscriptions.list("c1")
    assert [subscription.id async for subscription in listing] == ["1", "2"]
    assert [page.total async for page in listing.pages()] == [2]


async def test_a_listing_is_read_again_by_each_loop_and_one_record_at_a_time() -> None:
    service = Answers({"data": [{"id": "1"}, {"id": "2"}], "total": 2, "limit": 100, "offset": 0})
    listing = service.client().applications.list(state="active")
    assert service.requests == []
    assert (await anext(listing)).id == "1"
    assert (await anext(listing)).id == "2"
    with pytest.raises(StopAsyncIteration):
        await anext(listing)
    assert [each.id async for each in listing] == ["1", "2"]
    assert [each.id for each in await listing.all()] == ["1", "2"]
    assert {request.url.params["state"] for request in service.requests} == {"active"}


async def test_a_list_of_values_is_sent_with_commas_where_the_interface_has_them() -> None:
    service = Answers({"data": [], "total": 0, "limit": 100, "offset": 0})
    await service.client().users.list(roles=["company_admin", "user"]).all()
    assert service.requests[-1].url.params["roles"] == "company_admin,user"
    await service.client().applications.list(types=["web", "bot"], state="active").all()
    assert {**service.requests[-1].url.params}.items() >= {"types": "web,bot", "state": "active"}.items()


async def test_subscribers_are_sent_with_spaces_as_the_interface_has_them() -> None:
    service = Answers({"data": [], "total": 0, "limit": 100, "offset": 0})
    await service.client().sip_devices.list("5f" * 12, phone_number_id=["a1", "b2"]).all()
    assert service.requests[-1].url.params["phoneNumberId"] == "a1 b2"


async def test_files_are_sent_from_bytes_and_paths(tmp_path: Path) -> None:
    report = {"data": {"okCount": 1}}
    file = tmp_path / "contacts.csv"
    file.write_text("firstName\nAda\n")
    for content in (file, file.read_bytes(), api.Content("text/csv", file.read_bytes())):
        service = Answers(report)
        await service.client().directory.check_csv(content)
        assert service.requests[0].content == file.read_bytes()
        assert service.requests[0].headers["content-type"] == "text/csv"
    service = Answers({"status": "ok"})
    await service.client().images.upload_company_avatar("c1", b"\x89PNG\r\n\x1a\n and so on")
    assert service.requests[0].headers["content-type"] == "image/png"


async def test_a_misspelt_keyword_and_a_wrong_value_send_nothing() -> None:
    service = Answers({"data": {"id": "1"}})
    client = service.client()
    with pytest.raises(TypeError, match="descripton"):
        await client.applications.update("1", descripton="x")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="name"):
        await client.applications.create(type="web", activity="J")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="text for appId, not NoneType"):
        await client.applications.get(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="appId"):
        await client.applications.get("")
    with pytest.raises(api.ValidationFailed) as refused:
        await client.applications.create(name="", type="car", activity="J")  # type: ignore[arg-type]
    assert [problem.param for problem in refused.value.problems] == ["name", "type"]
    assert refused.value.code == Code.VALIDATION and "name: must not be empty" in refused.value.sentence
    with pytest.raises(api.ValidationFailed, match="limit"):
        client.applications.list(limit=0)
    for types in ("car", ["web", "car"], "web,car"):
        with pytest.raises(api.ValidationFailed, match="types: must be one of web, mobile") as refused:
            client.applications.list(types=types)  # type: ignore[arg-type]
        assert [problem.value for problem in refused.value.problems] == ["car"]
    assert service.requests == []


async def test_a_refused_secret_is_in_no_error() -> None:
    with pytest.raises(api.ValidationFailed) as refused:
        await Answers({}).client().users.change_own_password("u1", old_password="Hidden-1", new_password="hidden")
    assert "idden" not in repr(vars(refused.value)) and "idden" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, Code.VALIDATION, api.ValidationFailed),
        (403, Code.ROLE_MISSING, api.Forbidden),
        (404, Code.NOT_FOUND, api.NotFound),
        (409, Code.ALREADY_EXISTS, api.Conflict),
        (413, Code.TOO_LARGE, api.Refused),
    ],
)
async def test_an_error_has_the_class_of_its_status_with_its_code_and_request(status, code, kind) -> None:
    body = {"errorCode": status, "errorDetailsCode": code, "errorDetails": "no"}
    with pytest.raises(api.Refused) as refused:
        await Answers(body, status, **{"x-svc-request-id": "r-1"}).client().applications.stop("1")
    assert type(refused.value) is kind
    assert (refused.value.status, refused.value.code, refused.value.request_id) == (status, code, "r-1")


async def test_a_limit_of_requests_has_the_wait() -> None:
    body = {"errorCode": 429, "errorDetailsCode": Code.TOO_MANY_REQUESTS}
    with pytest.raises(api.RateLimited) as refused:
        await Answers(body, 429, **{"retry-after": "90"}).client().applications.stop("1")
    assert refused.value.retry_after == 90
