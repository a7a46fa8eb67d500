"""Cloud telephone exchanges: CloudPBX, subscribers, devices, numbers, recordings, welcomes (2.14 to 2.17, 4.7)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.voice.cloudpbx import *
    from svc_tui.interface.voice.cloudpbx_operations import *
    from svc_tui.interface.voice.ddis import *
    from svc_tui.interface.voice.devices import *
    from svc_tui.interface.voice.office_hours import *
    from svc_tui.interface.voice.recordings import *
    from svc_tui.interface.voice.subscriber_operations import *
    from svc_tui.interface.voice.subscribers import *
    from svc_tui.interface.voice.trunks import *
    from svc_tui.interface.voice.welcomes import *
else:
    __getattr__ = lazy_names(
        __name__,
        "cloudpbx",
        "cloudpbx_operations",
        "ddis",
        "devices",
        "office_hours",
        "recordings",
        "subscriber_operations",
        "subscribers",
        "trunks",
        "welcomes",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "provisioning"
