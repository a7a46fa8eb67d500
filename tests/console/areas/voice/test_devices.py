"""The form of a device."""

from __future__ import annotations

from svc_tui.console.core.form import Form
from svc_tui.interface.access import Role
from svc_tui.interface.voice.devices import DeviceUpdate

SUPERADMIN = frozenset({Role.SUPERADMIN})


def test_a_mac_address_goes_out_in_the_one_notation_that_is_kept() -> None:
    form = Form(DeviceUpdate, SUPERADMIN, {"macAddress": "00:1b:2c:3d:4e:5f"})
    form.type("macAddress", "00-1B-2C-3D-4E")
    assert form.problem("macAddress").startswith("needs 12 hexadecimal digits")
    form.type("macAddress", "00-1B-2C-3D-4E-60")
    assert (form.problem("macAddress"), form.typed("macAddress")) == ("", "00-1B-2C-3D-4E-60")
    assert form.body() == {"macAddress": "00:1b:2c:3d:4e:60"}
    form.type("macAddress", "001b.2c3d.4e5f")
    assert form.body() == {}
