"""What the types of records that are read promise is in the answers of a service with demo data, in each format."""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import get_args

import pytest

from docs.making import resources as making
from svc_tui.client import api
from svc_tui.interface.addresses import parameters_of
from svc_tui.interface.field_specs import ReadFormat, field_by_wire, fields_of
from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.records import Record, names_of
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, LOGISTICS, NORTHWIND, PARTNER, PASSWORD
from svc_tui.server.demo.repeatable import id_of
from tests.support.process import serving_demo

#: The records whose IDs a parameter of a path takes.
RECORDS_OF = {
    "apiKeyId": ("ApiKey",),
    "appId": ("Application",),
    "auditId": ("AuditRecord",),
    "clientId": ("ClientVersion",),
    "companyId": ("Company",),
    "deviceId": ("Device",),
    "entryId": ("DirectoryEntry",),
    "externalTrunkId": ("ExternalTrunk",),
    "ivrId": ("WelcomeService",),
    "mfaId": ("MfaSetting",),
    "offerId": ("Offer",),
    "officeHoursId": ("OfficeHours",),
    "phoneNumberId": ("Subscriber", "DdiNumber"),
    "recordId": ("Recording",),
    "siteId": ("Site",),
    "subscriptionId": ("Subscription",),
    "systemId": ("CloudPbx",),
    "templateId": ("Template",),
    "tokenId": ("OAuthToken",),
    "userId": ("User",),
    "welcomeId": ("Welcome",),
}
#: A quotation is of an offer that has to be named.
NOT_READ = {"Quotation"}
#: Who reads, and of how many records of a kind those that are below them or have their ID.
READERS = {"superadmin": 2, "demo": 1, "company_admin": 1}
#: The companies that are asked first, which have what the lists below them need.
COMPANIES = (PARTNER, LOGISTICS, NORTHWIND)


def calls() -> list[tuple[str, str, AnyOperation]]:
    """The methods that give records and change nothing, as an update without a field does."""
    methods = [(resource, *each) for resource, made in making.resources().items() for each in made]
    return [
        (resource, method, operation)
        for resource, method, operation in methods
        if (record := making.record_read(operation)) is not None
        and (making.always_read(record) or record.SMALL)
        and (operation.reads or method == "update")
        and not any(spec.required for spec in [*fields_of(operation.query), *fields_of(operation.body)])
    ]


class Crawl:
    """Everything that a user reads, and what is not as its type promises."""

    def __init__(self) -> None:
        self.ids: dict[str, list[str]] = defaultdict(list, Company=[id_of("company", key) for key in COMPANIES])
        self.read: set[tuple[str, str]] = set()
        self.wrong: set[str] = set()

    async def run(self, client: api.Client, most: int) -> None:
        """Lists first: of those without a parameter, then with what these gave."""
        ordered = sorted(calls(), key=lambda each: (not each[1].startswith("list"), len(parameters_of(each[2].path))))
        for resource, method, operation in ordered:
            choices = [
                [id for record in RECORDS_OF[name] for id in self.ids[record][:most]]
                for name in parameters_of(operation.path)
            ]
            formats = get_args(ReadFormat) if making.read_by_format(operation) else ("",)
            for path, format in itertools.product(itertools.product(*choices), formats):
                query = {"format": format} if format else {}
                try:
                    made = getattr(getattr(client, resource), method)(*path, **query)
                    # Of a list, its first page; an empty one has none.
                    page = await anext(made.pages(), None) if isinstance(made, api.Listing) else None
                    answer = page.data if page else [] if isinstance(made, api.Listing) else await made
                except api.Refused:
                    # Not of this company, not for this role, or without it.
                    continue
                for record in answer if isinstance(answer, list) else [answer]:
                    self.check(f"{resource}.{method}", record, format or "full")

    def check(self, method: str, record: Record, format: ReadFormat) -> None:
        name = type(record).__name__
        id = getattr(record, "id", None) or getattr(record, "mfa_id", None)
        if id and id not in self.ids[name]:
            self.ids[name].append(id)
        self.read.add((name, format))
        for spec in making.always_read(type(record), format):
            if getattr(record, spec.name) is None:
                self.wrong.add(f"{method} in the format {format}: {name}.{spec.name} is empty")
        wires = names_of(type(record), format)
        if wires is not None:
            fields = [field_by_wire(type(record))[wire] for wire in wires]
            # Not all users read all of them.
            given = {spec.name for spec in fields if spec.facet.readers is None}
            for field in (given - record.model_fields_set) | (record.model_fields_set - {spec.name for spec in fields}):
                self.wrong.add(f"{method} in the format {format}: {name}.{field} is missing or too many")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory):
    with serving_demo(tmp_path_factory.mktemp("formats")) as server:
        yield server.url


async def test_every_answer_has_what_the_type_of_its_format_promises(service: str) -> None:
    crawl = Crawl()
    for name, most in READERS.items():
        async with api.connect(api.Profile("test", service, app_id=APP_ID, app_secret=APP_SECRET)) as client:
            user = (await client.login(f"{name}@demo.example", PASSWORD)).logged_in_user
            crawl.ids["Company"].sort(key=lambda id: id != user.company_id)
            await crawl.run(client, most)
    assert crawl.wrong == set()
    promised = {
        (record.__name__, format)
        for _resource, _method, operation in calls()
        if (record := making.record_read(operation))
        for format in (get_args(ReadFormat) if making.read_by_format(operation) else ("full",))
    }
    assert {name for name, _format in promised - crawl.read} == NOT_READ
