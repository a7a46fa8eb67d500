"""What stands in the way of deleting a CloudPBX, and goes with it when it is forced (4.7)."""

from __future__ import annotations

from dataclasses import dataclass

from svc_tui.interface.errors import Code


@dataclass(frozen=True, slots=True)
class Content:
    """Something that a CloudPBX can have. `param` names it in a refusal, whose value is how many there are.

    `kind` is the kind of record to look at.
    """

    param: str
    code: Code
    sentence: str
    kind: str


#: In the order in which they are told; the first that is there gives the refusal its code.
CONTENT: tuple[Content, ...] = (
    Content("welcomeservices", Code.HAS_WELCOME_SERVICES, "the CloudPBX has welcome services", "welcomeservices"),
    Content("ddis", Code.HAS_PUBLIC_NUMBERS, "the CloudPBX has DDI numbers", "ddis"),
    Content("subscribers", Code.HAS_EXTENSIONS, "the CloudPBX has subscribers", "subscribers"),
    Content("devices", Code.HAS_DEVICES, "the CloudPBX has devices", "sipdevices"),
)
