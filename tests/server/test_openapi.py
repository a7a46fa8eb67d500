"""The OpenAPI document, and what it promises held against the real application with made-up requests."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies
from schemathesis.checks import CHECKS, load_all_checks

from svc_tui.interface.catalogue import operations
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import AnyOperation, Credentials
from svc_tui.server.application import build
from svc_tui.server.openapi import documented_path
from svc_tui.server.service import service_of
from svc_tui.server.settings import Settings
from tests.support.clock import SetClock
from tests.support.world import COMPANY, World

#: Requests for each operation.
EXAMPLES = 8
#: Records that the made-up requests meet now and then.
ROOT = "0" * 24
KNOWN = {"userId": ROOT, "companyId": COMPANY, "appId": "b0" * 12, "clientId": "b1" * 12}
OPERATIONS = operations()
load_all_checks()
NAMES = "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The document that a service with a superadmin publishes; requests go to the service in this process."""
    folder: Path = tmp_path_factory.mktemp("openapi")
    clock = SetClock()
    service = service_of(Settings(data_dir=folder, cheap_hashes=True), clock=clock)
    app = build(service.settings, service=service)

    async def fill() -> str:
        await service.database.upgrade()
        await service.tokens.keys.refresh()
        world = World(app, service, clock, None)  # type: ignore[arg-type]
        await world.company()
        await world.application()
        await world.application(KNOWN["appId"])
        await world.application(KNOWN["clientId"])
        root = await world.user("root@example.com", roles=("superadmin", "app_superadmin", "app_admin"), id=ROOT)
        await service.database.close()
        return world.token(root)

    token = asyncio.run(fill())
    loaded = schemathesis.openapi.from_asgi("/openapi.json", app)
    loaded.config.update(headers={"authorization": f"Bearer {token}"})
    return loaded


@pytest.mark.parametrize("operation", OPERATIONS, ids=[operation.id for operation in OPERATIONS])
def test_no_request_breaks_the_service_and_every_answer_is_as_documented(schema: Any, operation: AnyOperation) -> None:
    described = schema[documented_path(operation)][operation.method]
    # A service without SAML answers 503000, as documented.
    names = [name for name in NAMES if name != "not_a_server_error" or Code.NO_SAML not in operation.refuses]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=described.as_strategy(), known=strategies.booleans())
    def holds(case: schemathesis.Case, known: bool) -> None:
        if known:
            case.path_parameters = {name: KNOWN.get(name, ROOT) for name in operation.parameters}
        answer = case.call_and_validate(checks=[CHECKS.get_one(name) for name in names])
        assert answer.status_code != 500

    holds()


def test_every_operation_of_the_catalogue_is_served_and_documented(schema: Any) -> None:
    documented = {
        (method.upper(), path): described
        for path, methods in schema.raw_schema["paths"].items()
        for method, described in methods.items()
    }
    declared = {(operation.method, documented_path(operation)): operation for operation in OPERATIONS}
    assert set(documented) == set(declared)
    for key, described in documented.items():
        assert described["operationId"] == declared[key].id
        assert "400" in described["responses"]
        if declared[key].credentials not in (Credentials.NONE, Credentials.BROWSER):
            assert {"401", "403"} <= set(described["responses"])


def test_the_document_has_no_internal_pages_and_fields(schema: Any) -> None:
    assert "keyHash" not in str(schema.raw_schema)
    assert "passwordHash" not in str(schema.raw_schema)
    assert "/api/svc/authentication/v1.0/oidc-client/callback" not in schema.raw_schema["paths"]
