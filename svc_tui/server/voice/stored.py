"""Records of voice in the store: fields that every record has, and fields of the server alone."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.fields import field
from svc_tui.interface.voice.barring import ProhibitedNumbers
from svc_tui.interface.voice.cloudpbx import CloudPbx, CloudPbxSettings
from svc_tui.interface.voice.ddis import DdiNumber
from svc_tui.interface.voice.devices import Device, DeviceModel, Registration
from svc_tui.interface.voice.office_hours import OfficeHours, Welcome
from svc_tui.interface.voice.recordings import Recording
from svc_tui.interface.voice.subscribers import PstnDeviceOptions, SipHeaders, Subscriber
from svc_tui.interface.voice.trunks import ExternalTrunk
from svc_tui.interface.voice.welcomes import OverflowShown, WelcomeService


class StoredCloudPbx(CloudPbx):
    id: str = field(...)
    company_id: str = field(...)
    cloudpbx: CloudPbxSettings = field(...)


class StoredProhibitedNumbers(ProhibitedNumbers):
    id: str = field(...)


class StoredSubscriber(Subscriber):
    id: str = field(...)
    system_id: str = field(...)
    user_id: str = field(...)
    short_number: str = field(...)
    pstn_device_options: PstnDeviceOptions | None = field(None)
    sip_headers: SipHeaders | None = field(None)


class StoredDdi(DdiNumber):
    id: str = field(...)
    system_id: str = field(...)
    number_e164: str = field(..., wire="numberE164")
    group_id: str | None = field(None)
    voice_auto_attendant_id: str | None = field(None)


class StoredDevice(Device):
    id: str = field(...)
    system_id: str = field(...)


class StoredDeviceModel(DeviceModel):
    id: str = field(...)


class StoredRegistration(Registration):
    expiration_date: datetime = field(...)


class StoredRecording(Recording):
    id: str = field(...)
    system_id: str = field(...)


class StoredTrunk(ExternalTrunk):
    id: str = field(...)


class StoredOverflow(OverflowShown):
    type: str = field(...)


class StoredWelcomeService(WelcomeService):
    id: str = field(...)
    system_id: str = field(...)
    name: str = field(...)
    open_hours_overflow: StoredOverflow | None = field(None)
    closed_hours_overflow: StoredOverflow | None = field(None)


class StoredOfficeHours(OfficeHours):
    id: str = field(...)
    system_id: str = field(...)
    name: str = field(...)


class StoredWelcome(Welcome):
    id: str = field(...)
    system_id: str = field(...)
    name: str = field(...)
