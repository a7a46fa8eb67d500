"""Made-up requests to a service in this process, and whether each answer is as its OpenAPI document says."""

from __future__ import annotations

import asyncio
import collections
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings, strategies
from schemathesis.checks import CHECKS, load_all_checks

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import AnyOperation
from svc_tui.server.http.openapi import documented_path

load_all_checks()
_ADDRESS = "http://svc.test"
NAMES = "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"


def repeatable(examples: int) -> settings:
    """The same examples in each run, with no limit of time."""
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@dataclass
class Generated:
    """Sends what schemathesis makes up, as the holder of a token or without one.

    `known` are identifiers for the parameters of paths, which half of the requests name.
    """

    runner: asyncio.Runner
    http: httpx.AsyncClient
    token: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    statuses: collections.Counter[int] = field(default_factory=collections.Counter)
    #: The operations that answered with a server error, each with its status.
    server_errors: collections.Counter[str] = field(default_factory=collections.Counter)

    def __post_init__(self) -> None:
        document = self.runner.run(self.http.get("/openapi.json")).json()
        self.schema: Any = schemathesis.openapi.from_dict(document)

    def check(self, operation: AnyOperation, examples: int) -> None:
        """Send this many requests. AssertionError or a failure of schemathesis with the first wrong answer."""
        described = self.schema[documented_path(operation)][operation.method]
        checks = {name: CHECKS.get_one(name) for name in NAMES}

        @repeatable(examples)
        @given(case=described.as_strategy(), known=strategies.booleans())
        def holds(case: schemathesis.Case, known: bool) -> None:
            if known:
                case.path_parameters = {name: self.known.get(name, "0" * 24) for name in operation.parameters}
            answer = self._send(case)
            self.statuses[answer.status_code] += 1
            # A service without SAML answers 503000, as documented; every other server error is a fault.
            documented = Code.NO_SAML in operation.refuses and f"{Code.NO_SAML}" in answer.text
            looked_at = [check for name, check in checks.items() if not (documented and name == "not_a_server_error")]
            if answer.status_code >= 500:
                self.server_errors[f"{operation.id} {answer.status_code}"] += 1
            case.validate_response(answer, checks=looked_at)

        holds()

    def _send(self, case: schemathesis.Case) -> httpx.Response:
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        sent = requests.Request(**case.as_transport_kwargs(base_url=_ADDRESS, headers=headers)).prepare()
        body = sent.body.encode() if isinstance(sent.body, str) else sent.body or b""
        return self.runner.run(
            self.http.request(str(sent.method), str(sent.url), headers=dict(sent.headers), content=body)
        )
