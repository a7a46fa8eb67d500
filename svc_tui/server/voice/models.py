"""The device models of this service. They are invented: no public list of models exists."""

from __future__ import annotations

from svc_tui.interface.field_specs import field_by_wire
from svc_tui.interface.typed_access import all_typed
from svc_tui.interface.voice import cloudpbx_operations as declared
from svc_tui.interface.voice.devices import DeviceType
from svc_tui.server.rules import Call, RuleResult, rule
from svc_tui.server.store.tables import Document
from svc_tui.server.voice.access import reached_pbx
from svc_tui.server.voice.stored import StoredDeviceModel

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


@rule(declared.list_cloudpbx_device_models)
async def list_device_models(call: Call) -> RuleResult:
    await reached_pbx(call)
    return {"data": list(DEVICE_MODELS)}
