"""The content that prevents the deletion of a CloudPBX, or is deleted with it when forced (4.7)."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.interface.errors import Code
from svc_tui.language import _


@dataclass(frozen=True, slots=True)
class CloudPbxContent:
    """One kind of content of a CloudPBX. `param` names it in a refusal, whose value is the count.

    `kind` is the kind of its records.
    """

    param: str
    code: Code
    sentence: str
    kind: str


#: In the order of a refusal. The first kind that is present gives the refusal its code.
CONTENT: tuple[CloudPbxContent, ...] = (
    CloudPbxContent(
        "welcomeservices", Code.HAS_WELCOME_SERVICES, _("the CloudPBX has welcome services"), "welcomeservices"
    ),
    CloudPbxContent("ddis", Code.HAS_PUBLIC_NUMBERS, _("the CloudPBX has DDI numbers"), "ddis"),
    CloudPbxContent("subscribers", Code.HAS_EXTENSIONS, _("the CloudPBX has subscribers"), "subscribers"),
    CloudPbxContent("devices", Code.HAS_DEVICES, _("the CloudPBX has devices"), "sipdevices"),
)
