"""Lists of the service that fields of voice records choose from."""

from __future__ import annotations

from svc_tui.console.core.value_sources import Source

#: What belongs to the CloudPBX of a place.
_OF_PBX = {"systemId": "cloudpbxs"}

SOURCES: dict[str, Source] = {
    "devicemodels": Source("list_cloudpbx_device_models", "id", "model", "vendor", path=_OF_PBX),
    "freenumbers": Source("list_free_internal_numbers", "number", "number", path=_OF_PBX),
    "extensions": Source("list_system_phone_numbers", "userId", "names", "shortNumber", "name", path=_OF_PBX),
    # No operation lists attendants: those that welcome services call are known.
    "attendants": Source("list_welcome_services", "voiceAutoAttendantId", "voiceAutoAttendantName", path=_OF_PBX),
}
