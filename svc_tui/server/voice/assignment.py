"""Devices of subscribers: given to them, looked at and taken back, and where they are online (4.7)."""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.voice import subscriber_operations as declared
from svc_tui.interface.voice.devices import Device
from svc_tui.interface.voice.subscriber_operations import DeviceAssignment, SubscriberDeviceQuery
from svc_tui.server.refusal import Refusal, invalid, not_found
from svc_tui.server.rules import Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import Condition, Is
from svc_tui.server.store.store import Store
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.devices import device_of, online
from svc_tui.server.voice.seen import belonging, locked_pbx, reached_pbx, subscriber_of

#: What a device has of its subscriber.
_OF_SUBSCRIBER = ("phoneNumberId", "userId", "shortNumber", "userDisplayName", "currentDevice")


@rule(declared.assign_device_to_subscriber)
async def assign_device_to_subscriber(call: Call[Nothing, DeviceAssignment]) -> RuleResult:
    pbx = await locked_pbx(call)
    subscriber = await subscriber_of(call, pbx)
    device = await _named(call, pbx)
    if device.get("phoneNumberId"):
        raise Refusal(Code.DEVICE_TAKEN, _taken(device))
    held = {
        "phoneNumberId": subscriber["id"],
        "userId": subscriber.get("userId"),
        "shortNumber": subscriber.get("shortNumber"),
        "userDisplayName": subscriber.get("names"),
        "currentDevice": not await call.store.devices.count(_of(subscriber)),
    }
    return {"data": await call.store.devices.put({**device, **held})}


@rule(declared.list_subscriber_devices)
async def list_subscriber_devices(call: Call[SubscriberDeviceQuery]) -> RuleResult:
    subscriber = await subscriber_of(call, await reached_pbx(call))
    return await page_of(call.store.devices, Device, call.query, _of(subscriber))


@rule(declared.get_subscriber_device)
async def get_subscriber_device(call: Call) -> RuleResult:
    return {"data": await _held(call, await reached_pbx(call))}


@rule(declared.unassign_device_from_subscriber)
async def unassign_device_from_subscriber(call: Call) -> RuleResult:
    device = await _held(call, await locked_pbx(call))
    await release(call.store, device)
    remaining = (await call.store.devices.find(Is("phoneNumberId", device["phoneNumberId"]))).documents
    if device.get("currentDevice") and remaining:
        await call.store.devices.put({**remaining[0], "currentDevice": True})
    status = f"Device {device['id']} successfully unassigned from subscriber {device['phoneNumberId']}"
    return {"status": status, "data": []}


@rule(declared.list_subscriber_registrations)
async def list_subscriber_registrations(call: Call) -> RuleResult:
    return await online(call, _of(await subscriber_of(call, await reached_pbx(call))))


async def release(store: Store, device: Document) -> None:
    """Take a device from its subscriber: it is free, and offline."""
    await store.registrations.remove_all(Is("deviceId", device["id"]))
    await store.devices.put({wire: value for wire, value in device.items() if wire not in _OF_SUBSCRIBER})


async def release_all(store: Store, subscriber: Document) -> None:
    """Take all devices from a subscriber; nobody is online with his number any more."""
    for device in (await store.devices.find(_of(subscriber))).documents:
        await release(store, device)
    await store.registrations.remove_all(_of(subscriber))


def _of(subscriber: Document) -> Condition:
    return Is("phoneNumberId", subscriber["id"])


async def _held(call: Call, pbx: Document) -> Document:
    """The device of the path, which the subscriber of the path has. Refusal 404000."""
    subscriber = await subscriber_of(call, pbx)
    device = await device_of(call, pbx)
    if device.get("phoneNumberId") != subscriber["id"]:
        raise not_found("Device", device["id"])
    return device


async def _named(call: Call[Nothing, DeviceAssignment], pbx: Document) -> Document:
    """The device that the body names: by its id, or by MAC address and model."""
    body = call.body
    if body.device_id:
        return await belonging(call.store.devices, pbx, body.device_id, "Device")
    if not body.mac_address:
        raise invalid(Problem("deviceId", "or macAddress with deviceTypeId is required"))
    if not body.device_type_id:
        raise invalid(Problem("deviceTypeId", "is required with macAddress"))
    device = await call.store.devices.one(Is("macAddress", body.mac_address), Is("systemId", pbx["id"]))
    if device is None or device["deviceType"]["id"] != body.device_type_id:
        raise Refusal(Code.NOT_FOUND, f"Device with MAC address {body.mac_address} and this model not found")
    return device


def _taken(device: Document) -> str:
    who = device.get("userDisplayName") or device.get("shortNumber") or "another subscriber"
    return f"the device is used by {who} already"
