"""The request of `svc-tui call --dry-run`, which is not sent."""

from __future__ import annotations

import json

from svc_tui.client.brand import Brand
from svc_tui.client.profile import Profile
from svc_tui.client.requests import build
from svc_tui.commands import output
from svc_tui.commands.request import CallRequest
from svc_tui.language import _, number_text


def write(request: CallRequest, profile: Profile) -> None:
    """Write method and address, and the body if there is one, in the words of the deployment."""
    built = build(profile, Brand(profile), request.operation, request.path, request.query, request.body)
    output.write_line(f"{request.operation.method} {built.url}")
    if built.raw is not None:
        output.write_line(
            _("({content} bytes of {type})").format(content=number_text(len(built.content or b"")), type=built.raw.type)
        )
    elif built.content and request.operation.sends_form:
        output.write_line(built.content.decode())
    elif built.content:
        output.write_json(json.loads(built.content))
