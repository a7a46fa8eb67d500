"""SIP devices of a CloudPBX: made, changed and deleted, with their expansion modules and registrations (2.15, 4.7)."""

from __future__ import annotations

from typing import Any

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import devices as declared
from svc_tui.interface.voice.devices import (
    Device,
    DeviceBody,
    DeviceQuery,
    DeviceUpdate,
    ExpansionModule,
)
from svc_tui.interface.voice.modules import module_problems
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import AtLeast, Condition, In, Is, Not
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.models import BY_ID, device_type
from svc_tui.server.voice.seen import belonging, locked_pbx, reached_pbx
from svc_tui.server.voice.values import changes, given, merged

#: The family whose devices have a MAC address, and need it.
_DESK_PHONE = "desk_phone"


@rule(declared.list_sip_devices)
async def list_sip_devices(call: Call[DeviceQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    where: list[Condition] = [Is("systemId", pbx["id"])]
    if call.query.assigned is not None:
        free = Is("phoneNumberId", None)
        where.append(Not(free) if call.query.assigned else free)
    if call.query.phone_number_id:
        where.append(In("phoneNumberId", call.query.phone_number_id.split()))
    return await page_of(call.store.devices, Device, call.query, *where)


@rule(declared.get_sip_device)
async def get_sip_device(call: Call) -> RuleResult:
    return {"data": await device_of(call, await reached_pbx(call))}


@rule(declared.create_sip_device)
async def create_sip_device(call: Call[Nothing, DeviceBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    values = {wire: value for wire, value in given(call.body).items() if value is not None}
    model = BY_ID.get(values.pop("deviceTypeId"))
    if model is None:
        raise invalid(Problem("deviceTypeId", "is no model that devices can be of", call.body.device_type_id))
    values |= _address(model, values.get("macAddress"))
    device = {
        "id": call.service.ids.record(),
        **values,
        "deviceType": device_type(model),
        "companyId": pbx["companyId"],
        "systemId": pbx["id"],
    }
    await _check_unused(call, device)
    return {"data": await call.store.devices.add(device)}


@rule(declared.update_sip_device)
async def update_sip_device(call: Call[Nothing, DeviceUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    device = await device_of(call, pbx)
    values = changes(call.body)
    if "macAddress" in values:
        values |= _address(_model_of(device), values["macAddress"])
    changed = merged(device, values)
    if changed.get("macAddress") != device.get("macAddress"):
        await _check_unused(call, changed)
        # Another piece of hardware: what was online was the one before.
        await call.store.registrations.remove_all(Is("deviceId", device["id"]))
    return {"data": await call.store.devices.put(changed)}


@rule(declared.delete_sip_device)
async def delete_sip_device(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    device = await device_of(call, pbx)
    if device.get("phoneNumberId"):
        raise Refusal(Code.DEVICE_ASSIGNED)
    await call.store.registrations.remove_all(Is("deviceId", device["id"]))
    await call.store.devices.remove(device["id"])
    return {"status": f"Device {device['id']} successfully deleted", "data": []}


@rule(declared.list_sip_device_registrations)
async def list_sip_device_registrations(call: Call) -> RuleResult:
    device = await device_of(call, await reached_pbx(call))
    return await online(call, Is("deviceId", device["id"]))


@rule(declared.add_sip_device_expansion_module)
async def add_sip_device_expansion_module(call: Call[Nothing, ExpansionModule]) -> RuleResult:
    pbx = await locked_pbx(call)
    device = await device_of(call, pbx)
    module = {wire: value for wire, value in given(call.body).items() if value is not None}
    if found := module_problems(_model_of(device), module):
        raise invalid(*found)
    modules = [*(device.get("expansionModules") or ()), module]
    return {"data": await call.store.devices.put({**device, "expansionModules": modules})}


async def device_of(call: Call[Any, Any], pbx: Document) -> Document:
    """The device of the path. Refusal 404000."""
    return await belonging(call.store.devices, pbx, call.path["deviceId"], "Device")


async def online(call: Call[Any, Any], *where: Condition) -> Document:
    """The registrations that are not over, the longest lasting first."""
    found = (await call.store.registrations.find(*where, AtLeast("expirationDate", call.stamp))).documents
    return {"data": sorted(found, key=lambda each: str(each["expirationDate"]), reverse=True)}


def _model_of(device: Document) -> Document:
    """The model of a device; one that is not known any more is no desk phone and takes no modules."""
    kind = device.get("deviceType") or {}
    return BY_ID.get(str(kind.get("id")), {"model": kind.get("model")})


def _address(model: Document, text: str | None) -> Document:
    """The MAC address as it is kept, where devices of the model have one. Refusal 400000."""
    if model.get("family") == _DESK_PHONE:
        if not text:
            raise invalid(Problem("macAddress", f"is required: {model['model']} is a desk phone", text))
        return {"macAddress": text}
    if text and model.get("family"):
        raise invalid(Problem("macAddress", f"is for desk phones: {model['model']} has none", text))
    return {"macAddress": text or None}


async def _check_unused(call: Call[Any, Any], device: Document) -> None:
    """Refuse a MAC address that another device has: 409560 here, 409563 where it is one of another CloudPBX."""
    if not device.get("macAddress"):
        device.pop("macAddress", None)
        return
    await call.store.lock(f"mac:{device['macAddress']}")
    other = await call.store.devices.one(Is("macAddress", device["macAddress"]), Not(Is("id", device["id"])))
    if other is not None:
        raise Refusal(Code.MAC_USED if other["systemId"] == device["systemId"] else Code.DEVICE_ELSEWHERE)
