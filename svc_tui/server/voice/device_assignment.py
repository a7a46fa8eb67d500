"""Devices of a subscriber: assignment, lists, removal, and current registrations (4.7)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, copied, document_of, typed
from svc_tui.interface.voice import subscriber_operations as declared
from svc_tui.interface.voice.devices import Device
from svc_tui.interface.voice.subscriber_operations import DeviceAssignment, SubscriberDeviceQuery
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.request_values import checked_id
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, Is
from svc_tui.server.store.store import Store
from svc_tui.server.voice.access import locked_pbx, reached_pbx, record_of_pbx, subscriber_of
from svc_tui.server.voice.devices import answer_of, current_registrations, device_of
from svc_tui.server.voice.stored import StoredCloudPbx, StoredDevice, StoredSubscriber


@rule(declared.assign_device_to_subscriber)
async def assign_device_to_subscriber(call: Call[Nothing, DeviceAssignment]) -> RuleResult:
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    device = await _requested_device(call, pbx)
    if device.phone_number_id:
        raise Refusal(Code.DEVICE_TAKEN, _assigned_already(device))
    assigned = copied(device)
    assigned.phone_number_id = subscriber.id
    assigned.user_id = subscriber.user_id
    assigned.short_number = subscriber.short_number
    assigned.user_display_name = subscriber.names
    assigned.current_device = not await call.store.devices.count(_of(subscriber))
    await call.store.devices.put(document_of(assigned))
    return answer_of(assigned)


@rule(declared.list_subscriber_devices)
async def list_subscriber_devices(call: Call[SubscriberDeviceQuery]) -> RuleResult:
    subscriber = await subscriber_of(call, await reached_pbx(call))
    return await page_of(call, call.store.devices, Device, call.query, _of(subscriber))


@rule(declared.get_subscriber_device)
async def get_subscriber_device(call: Call) -> RuleResult:
    return answer_of(await _assigned_device(call, await reached_pbx(call)))


@rule(declared.unassign_device_from_subscriber)
async def unassign_device_from_subscriber(call: Call) -> RuleResult:
    device = await _assigned_device(call, await locked_pbx(call))
    of_subscriber = Is("phoneNumberId", device.phone_number_id)
    await release(call.store, device)
    remaining = all_typed(StoredDevice, (await call.store.devices.find(of_subscriber)).documents)
    if device.current_device and remaining:
        remaining[0].current_device = True
        await call.store.devices.put(document_of(remaining[0]))
    status = f"Device {device.id} successfully unassigned from subscriber {device.phone_number_id}"
    return {"status": status, "data": []}


@rule(declared.list_subscriber_registrations)
async def list_subscriber_registrations(call: Call) -> RuleResult:
    return await current_registrations(call, _of(await subscriber_of(call, await reached_pbx(call))))


async def release(store: Store, device: StoredDevice) -> None:
    """Unassign a device from its subscriber. It is offline afterwards."""
    await store.registrations.remove_all(Is("deviceId", device.id))
    free = copied(device)
    free.current_device = False
    del free.phone_number_id, free.user_id, free.short_number, free.user_display_name
    await store.devices.put(document_of(free))


async def release_all(store: Store, subscriber: StoredSubscriber) -> None:
    """Unassign all devices from a subscriber, and end the registrations with the subscriber's number."""
    for device in all_typed(StoredDevice, (await store.devices.find(_of(subscriber))).documents):
        await release(store, device)
    await store.registrations.remove_all(_of(subscriber))


def _of(subscriber: StoredSubscriber) -> Condition:
    return Is("phoneNumberId", subscriber.id)


async def _assigned_device(call: Call, pbx: StoredCloudPbx) -> StoredDevice:
    """The device of the path, which is assigned to the subscriber of the path. Refusal 404000."""
    subscriber = await subscriber_of(call, pbx)
    device = await device_of(call, pbx)
    if device.phone_number_id != subscriber.id:
        raise not_found("Device", device.id)
    return device


async def _requested_device(call: Call[Nothing, DeviceAssignment], pbx: StoredCloudPbx) -> StoredDevice:
    """The device of the body: by its id, or by MAC address and model."""
    body = call.body
    if body.device_id:
        device_id = checked_id("deviceId", body.device_id)
        return await record_of_pbx(StoredDevice, call.store.devices, pbx, device_id, "Device")
    if not body.mac_address:
        raise invalid(Problem("deviceId", "or macAddress with deviceTypeId is required"))
    if not body.device_type_id:
        raise invalid(Problem("deviceTypeId", "is required with macAddress"))
    by_address = (Is("macAddress", body.mac_address), Is("systemId", pbx.id))
    device = typed(StoredDevice, await call.store.devices.one(*by_address))
    if device is None or device.device_type is None or device.device_type.id != body.device_type_id:
        raise Refusal(Code.NOT_FOUND, f"Device with MAC address {body.mac_address} and this model not found")
    return device


def _assigned_already(device: StoredDevice) -> str:
    holder = device.user_display_name or device.short_number or "another subscriber"
    return f"The device is already assigned to {holder}."
