"""SIP devices of a CloudPBX: creation, update, deletion, expansion modules and registrations (2.15, 4.7), and the
device models of this service. They are invented: no public list of models exists.
"""

from __future__ import annotations

from svc_tui.interface.errors import Code
from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.operations import Nothing
from svc_tui.interface.problems import Problem
from svc_tui.interface.typed_access import all_typed, document_of, typed
from svc_tui.interface.voice import cloudpbx_operations
from svc_tui.interface.voice import devices as declared
from svc_tui.interface.voice.devices import (
    Device,
    DeviceBody,
    DeviceQuery,
    DeviceType,
    DeviceUpdate,
    ExpansionModule,
    Registration,
)
from svc_tui.interface.voice.expansion_modules import module_problems
from svc_tui.server.refusal import Refusal, invalid
from svc_tui.server.request_values import checked_id, merged, non_null_values, update_of
from svc_tui.server.rules import AnyCall, Call, RuleResult, page_of, rule
from svc_tui.server.store.conditions import AtLeast, Condition, In, Is, Not
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.access import locked_pbx, reached_pbx, record_of_pbx
from svc_tui.server.voice.deletion import refuse_while_used
from svc_tui.server.voice.stored import StoredCloudPbx, StoredDevice, StoredDeviceModel, StoredRegistration

#: The family whose devices have a MAC address, and need it.
_DESK_PHONE = "desk_phone"


@rule(declared.list_sip_devices)
async def list_sip_devices(call: Call[DeviceQuery]) -> RuleResult:
    pbx = await reached_pbx(call)
    where: list[Condition] = [Is("systemId", pbx.id)]
    if call.query.assigned is not None:
        free = Is("phoneNumberId", None)
        where.append(Not(free) if call.query.assigned else free)
    if call.query.phone_number_id:
        named = call.query.phone_number_id.split()
        where.append(In("phoneNumberId", [checked_id("phoneNumberId", each) for each in named]))
    return await page_of(call, call.store.devices, Device, call.query, *where)


@rule(declared.get_sip_device)
async def get_sip_device(call: Call) -> RuleResult:
    return answer_of(await device_of(call, await reached_pbx(call)))


@rule(declared.create_sip_device)
async def create_sip_device(call: Call[Nothing, DeviceBody]) -> RuleResult:
    pbx = await locked_pbx(call)
    model = BY_ID.get(call.body.device_type_id)
    if model is None:
        raise invalid(Problem("deviceTypeId", "is not a known device model", call.body.device_type_id))
    values = {wire: value for wire, value in non_null_values(call.body).items() if wire != "deviceTypeId"}
    device = typed(StoredDevice, {"id": call.service.ids.record(), **values})
    device.mac_address = _address(model, device.mac_address)
    device.device_type = typed(DeviceType, device_type(document_of(model)))
    device.company_id, device.current_device = pbx.company_id, False
    device.system_id = pbx.id
    await _check_unused(call, device)
    await call.store.devices.add(document_of(device))
    return answer_of(device)


@rule(declared.update_sip_device)
async def update_sip_device(call: Call[Nothing, DeviceUpdate]) -> RuleResult:
    pbx = await locked_pbx(call)
    device = await device_of(call, pbx)
    values = update_of(call.body)
    if "mac_address" in call.body.model_fields_set:
        values |= {"macAddress": _address(_model_of(device), call.body.mac_address)}
    changed = typed(StoredDevice, merged(document_of(device), values))
    if changed.mac_address != device.mac_address:
        await _check_unused(call, changed)
        # This is another piece of hardware: the registrations were those of the one before.
        await call.store.registrations.remove_all(Is("deviceId", device.id))
    await call.store.devices.put(document_of(changed))
    return answer_of(changed)


@rule(declared.delete_sip_device)
async def delete_sip_device(call: Call) -> RuleResult:
    pbx = await locked_pbx(call)
    device = await device_of(call, pbx)
    await refuse_while_used(call.store, "sipdevices", document_of(device), Code.DEVICE_ASSIGNED)
    await call.store.registrations.remove_all(Is("deviceId", device.id))
    await call.store.devices.remove(device.id)
    return {"status": f"Device {device.id} successfully deleted", "data": []}


@rule(declared.list_sip_device_registrations)
async def list_sip_device_registrations(call: Call) -> RuleResult:
    device = await device_of(call, await reached_pbx(call))
    return await current_registrations(call, Is("deviceId", device.id))


@rule(declared.add_sip_device_expansion_module)
async def add_sip_device_expansion_module(call: Call[Nothing, ExpansionModule]) -> RuleResult:
    pbx = await locked_pbx(call)
    device = await device_of(call, pbx)
    module = non_null_values(call.body)
    if found := module_problems(document_of(_model_of(device)), module):
        raise invalid(*found)
    device.expansion_modules = [*(device.expansion_modules or ()), typed(ExpansionModule, module)]
    await call.store.devices.put(document_of(device))
    return answer_of(device)


async def device_of(call: AnyCall, pbx: StoredCloudPbx) -> StoredDevice:
    """The device of the path. Refusal 404000."""
    return await record_of_pbx(StoredDevice, call.store.devices, pbx, call.path["deviceId"], "Device")


def answer_of(device: StoredDevice) -> Document:
    """The response with one device."""
    return {"data": Device.answered(document_of(device), "full")}


async def current_registrations(call: AnyCall, *where: Condition) -> Document:
    """The registrations that have not expired, the longest lasting first."""
    found = (await call.store.registrations.find(*where, AtLeast("expirationDate", call.stamp))).documents
    lasting = sorted(all_typed(StoredRegistration, found), key=lambda each: each.expiration_date, reverse=True)
    return {"data": [Registration.answered(document_of(each), "full") for each in lasting]}


def _model_of(device: StoredDevice) -> StoredDeviceModel:
    """The model of a device. A model that is no longer known is no desk phone and takes no modules."""
    kind = device.device_type
    unknown = typed(StoredDeviceModel, {"model": kind and kind.model})
    return BY_ID.get((kind and kind.id) or "", unknown)


def _address(model: StoredDeviceModel, text: str | None) -> str | None:
    """The MAC address to store, where devices of the model have one. Refusal 400000."""
    if model.family == _DESK_PHONE:
        if not text:
            raise invalid(Problem("macAddress", f"is required: {model.model} is a desk phone", text))
        return text
    if text and model.family:
        raise invalid(Problem("macAddress", f"is for desk phones only: {model.model} has none", text))
    return text or None


async def _check_unused(call: AnyCall, device: StoredDevice) -> None:
    """Refuse a MAC address that another device has: 409560 in this CloudPBX, 409563 in another one."""
    if not device.mac_address:
        del device.mac_address
        return
    await call.store.lock(f"mac:{device.mac_address}")
    by_address = (Is("macAddress", device.mac_address), Not(Is("id", device.id)))
    other = typed(StoredDevice, await call.store.devices.one(*by_address))
    if other is not None:
        raise Refusal(Code.MAC_USED if other.system_id == device.system_id else Code.DEVICE_ELSEWHERE)


_VENDOR, _OTHER = "Meadow", "Brightline"


def _model(id: str, vendor: str, model: str, family: str, *modules: str) -> Document:
    return {"id": id, "vendor": vendor, "model": model, "family": family, "expansionModules": list(modules)}


DEVICE_MODELS: tuple[Document, ...] = (
    _model("d1" * 12, _VENDOR, "M110 desk", "desk_phone"),
    _model("d2" * 12, _VENDOR, "M320 desk", "desk_phone", "EM_20"),
    _model("d3" * 12, _VENDOR, "M550 desk", "desk_phone", "EM_20", "EM_200"),
    _model("d4" * 12, _OTHER, "B40 desk", "desk_phone"),
    _model("d5" * 12, _OTHER, "B80 desk", "desk_phone", "EM_200"),
    _model("d6" * 12, _OTHER, "Roam DECT", "dect"),
    _model("d7" * 12, "Any", "Generic SIP", "generic"),
)
BY_ID = {model.id: model for model in all_typed(StoredDeviceModel, DEVICE_MODELS)}


def device_type(model: Document) -> Document:
    """The model as its devices name it."""
    return {wire: model[wire] for wire in field_by_wire(DeviceType) if wire in model}


@rule(cloudpbx_operations.list_cloudpbx_device_models)
async def list_device_models(call: Call) -> RuleResult:
    await reached_pbx(call)
    return {"data": list(DEVICE_MODELS)}
