"""The path of a call as it is read: whose number it is, what was online last, what stays when the service stops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from svc_tui.cache.store import Cache
from svc_tui.interface.voice.call_steps import Called
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.voice.calls import CallReader, find_owner, last_seen, registrations

NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)
PBX = {"id": "pbx", "name": "Head office", "status": "created", "country": "PRT", "cloudpbx": {}}
ANSWERS: dict[str, Any] = {
    "get_cloudpbx": PBX,
    "get_subscriber": {"id": "p", "shortNumber": "2005", "names": "Una Byrne", "status": "activated"},
    "list_subscriber_devices": [{"id": "d", "description": "Desk"}],
    "list_subscriber_registrations": [{"deviceId": "d", "expirationDate": "2026-11-27T13:00:00.000Z"}],
    "get_subscriber_pstn_device_options": {"policy": "none"},
    "get_subscriber_overflow": {"activate": False, "unavailableOverflow": "disabled"},
    "list_system_phone_numbers": [{"id": "q", "shortNumber": "20051"}, {"id": "p", "shortNumber": "2005"}],
    "list_ddi_numbers": [{"id": "n", "numberE164": "+351210992005", "country": "PRT"}],
}


class Service:
    """Answers with these records until it stops."""

    frugal = False

    def __init__(self, cache: Cache) -> None:
        self.cache, self.stopped, self.answers = cache, False, dict(ANSWERS)

    def now(self) -> float:
        return NOW.timestamp()

    def obstacle(self) -> None:
        return None

    async def read(self, operation_id: str, path: Mapping[str, str], query: Mapping[str, object]) -> Any:
        if self.stopped:
            raise ReadError("The service does not respond.", offline=True)
        data = self.answers[operation_id]
        return (
            {"data": data, "total": len(data), "limit": 100, "offset": 0} if isinstance(data, list) else {"data": data}
        )


@pytest.fixture
def service() -> Iterator[Service]:
    cache = Cache(None)
    yield Service(cache)
    cache.close()


async def test_a_number_is_found_as_an_extension_or_a_ddi_number_in_any_notation(service: Any) -> None:
    assert await find_owner(service, "pbx", "2005", "PRT") == {"subscribers": "p"}
    for typed in ("210992005", "+351210992005", "00351210992005"):
        assert await find_owner(service, "pbx", typed, "PRT") == {"ddis": "n"}
    assert await find_owner(service, "pbx", "213456700", "PRT") == {}
    assert await find_owner(service, "pbx", "*1", "PRT") == {}


async def test_what_was_online_is_remembered_with_its_time(service: Any) -> None:
    path = {"systemId": "pbx", "phoneNumberId": "p"}
    assert len(await registrations(service, "list_subscriber_registrations", path, NOW)) == 1
    assert await last_seen(service.cache, ["d", "p", "other"]) == {"d": NOW, "p": NOW}
    service.answers["list_subscriber_registrations"] = []
    reader = CallReader(service, Called(system_id="pbx", subscriber_id="p"))
    await reader.load(lambda: None, lambda: None)
    assert reader.path().verdict == "Does not ring: No device is online. The call ends."
    assert any("last seen online by this console" in step.sentence for step in reader.path().steps)


async def test_the_path_stays_when_the_service_stops(service: Any) -> None:
    reader = CallReader(service, Called(system_id="pbx", subscriber_id="p"))
    await reader.load(lambda: None, lambda: None)
    assert reader.path().verdict == "Rings: Desk"
    service.stopped = True
    await reader.load(lambda: None, lambda: None, again=True)
    assert reader.offline
    assert reader.path().verdict == "Rings: Desk"
    late = CallReader(service, Called(system_id="pbx", subscriber_id="p"))
    await late.load(lambda: None, lambda: None)
    assert late.path().effect == "unknown"
    assert "The service does not respond." in late.path().steps[0].sentence
