"""The page on which a user decides whether the client that polls a backchannel session gets the login (4.1).

Without it, the client of an attacker would get the login of any user who opens the attacker's address.
"""

from __future__ import annotations

from html import escape
from typing import Any, Literal

from svc_tui.interface.access import ANONYMOUS
from svc_tui.interface.authentication.single_sign_on import comparison_code
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import PAGES, Credentials, Nothing, Operation
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import document_of, typed
from svc_tui.server.authentication.discovery import BASE
from svc_tui.server.authentication.tickets import ChallengeTicket, ConfirmationTicket, LoginTicket, SessionTicket
from svc_tui.server.pages import DECISION, failure_page, form_page
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, Call, PageResult, RedirectResult, RuleResult, rule
from svc_tui.server.security.browsers import is_same_browser, new_step
from svc_tui.server.security.single_sign_on import (
    BACKCHANNEL,
    CONFIRMATION,
    failure_address,
    return_address,
    write_ticket,
)
from svc_tui.server.stored import StoredApplication, StoredUser

_PATH = f"{BASE}/oidc-client/confirmation"
_EXPIRED = "This page has expired, or belongs to another browser. Start the login again."
_NO_SESSION = "the session that waited for this login has expired"


class Confirmation(Record):
    """The answer on the page."""

    decision: Literal["allow", "deny", ""] = ""
    request: str = ""


#: Only for the page, not part of the interface.
sso_confirmation = Operation(
    "sso_confirmation",
    "4.1",
    "POST",
    _PATH,
    "Allow or deny a login that another device has requested",
    bytes,
    ANONYMOUS,
    body=Confirmation,
    credentials=Credentials.BROWSER,
    gives=PAGES,
    sends_form=True,
)


async def ask_for_confirmation(
    call: Call[Any], application: StoredApplication, user: StoredUser, issued: ChallengeTicket, login: LoginTicket
) -> PageResult:
    """The page that names the application and who requested the login. Refusal 401102 without a waiting session."""
    if await call.store.tickets.read(BACKCHANNEL, issued.session, now=call.now) is None:
        raise Refusal(Code.UNAUTHORIZED, _NO_SESSION)
    step = new_step(call)
    ticket = ConfirmationTicket(
        session=issued.session,
        user_id=user.id,
        app_id=application.id,
        oidc={"companyId": login.company_id},
        browser=step.browser,
    )
    await write_ticket(call, CONFIRMATION, step.id, ticket.wire())
    target = return_address(document_of(application), call.service.settings, backchannel=True)
    return PageResult(_page(step.id, application, user, issued), cookies=step.cookies, target=target)


def _page(id: str, application: StoredApplication, user: StoredUser, issued: ChallengeTicket) -> str:
    facts = {
        "Application": application.name,
        "Code": comparison_code(issued.session),
        "Requested by": issued.address or "unknown address",
        "Requested at": f"{issued.requested:%Y-%m-%d %H:%M} UTC" if issued.requested else "unknown time",
    }
    listed = "".join(f"<dt>{name}</dt><dd>{escape(value)}</dd>" for name, value in facts.items())
    return form_page(
        f"Log in to {application.name}?",
        _PATH,
        id,
        f"<p>You are logged in as {escape(user.login_email or '')}. "
        "Another device or program waits for this login and gets full access to your account.</p>"
        f"<dl>{listed}</dl>"
        "<p>Allow it only if you started this login and your device shows the same code.</p>"
        f"{DECISION}",
    )


@rule(sso_confirmation)
async def confirm(call: Call[Nothing, Confirmation]) -> RuleResult:
    ticket = typed(ConfirmationTicket, await call.store.tickets.read(CONFIRMATION, call.body.request, now=call.now))
    if (
        ticket is None
        or not call.body.decision
        or not is_same_browser(call.headers, call.body.request, ticket.browser)
        or await call.store.tickets.take(CONFIRMATION, call.body.request, now=call.now) is None
    ):
        return failure_page("Login failed", _EXPIRED)
    result = SessionTicket(status="denied")
    if call.body.decision == "allow":
        result = SessionTicket(status="done", user_id=ticket.user_id, app_id=ticket.app_id, oidc=ticket.oidc)
    tickets = call.store.tickets
    waits = await tickets.read(BACKCHANNEL, ticket.session, now=call.now) is not None
    waits = waits and await tickets.change(BACKCHANNEL, ticket.session, result.wire())
    return _back(call, await call.store.applications.get(ticket.app_id) or {}, result.status, waits=waits)


def _back(call: AnyCall, application: dict[str, Any], status: str, *, waits: bool) -> RedirectResult:
    """To the application. The address has no token: the client that polls the session gets it."""
    settings = call.service.settings
    if status == "done" and waits:
        return RedirectResult(return_address(application, settings, backchannel=True))
    refusal = Refusal(Code.UNAUTHORIZED, "the login was denied" if waits else _NO_SESSION)
    return RedirectResult(failure_address(application, settings, refusal, backchannel=True))
