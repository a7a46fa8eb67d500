"""The audit log: an extension of this server, which the specification does not have."""

from svc_tui.interface.audit.operations import *
from svc_tui.interface.audit.records import *
