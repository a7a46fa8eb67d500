"""The page on which a user decides whether an application gets their login (4.1).

Without it, the client of an attacker would get the login of any user who opens the attacker's address: by polling a
backchannel session, or in the redirect to the application. Redirects to the service's own clients, and to domains that
the company of the user lists, need no decision.
"""

from __future__ import annotations

from html import escape
from typing import Any, Literal

from svc_tui.interface.access import ANONYMOUS
from svc_tui.interface.authentication.single_sign_on import comparison_code
from svc_tui.interface.errors import Code
from svc_tui.interface.operations import PAGES, Credentials, Nothing, Operation
from svc_tui.interface.records import Record
from svc_tui.interface.typed_access import typed
from svc_tui.server.authentication.discovery import BASE
from svc_tui.server.authentication.oauth_flow import IMPOSTOR, application_facts
from svc_tui.server.authentication.tickets import ChallengeTicket, ConfirmationTicket, SessionTicket
from svc_tui.server.http.pages import DECISION, failure_page, form_page
from svc_tui.server.refusal import Refusal
from svc_tui.server.rules import AnyCall, Call, PageResult, RedirectResult, RuleResult, rule
from svc_tui.server.security import logins
from svc_tui.server.security.application_proof import check_open
from svc_tui.server.security.browsers import ended, is_same_browser, new_step
from svc_tui.server.security.own_clients import has_name_of_own_client
from svc_tui.server.security.single_sign_on import (
    BACKCHANNEL,
    CONFIRMATION,
    check_redirect,
    failed_login,
    failure_address,
    return_address,
    with_query,
    write_ticket,
)
from svc_tui.server.store.tables import Document
from svc_tui.server.stored import StoredApplication, StoredUser

_PATH = f"{BASE}/oidc-client/confirmation"
_EXPIRED = "This page has expired, or belongs to another browser. Start the login again."
_NO_SESSION = "the session that waited for this login has expired"
_DENIED = "the login was denied"


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
    "Allow or deny a login that an application has requested",
    bytes,
    ANONYMOUS,
    body=Confirmation,
    credentials=Credentials.BROWSER,
    gives=PAGES,
    sends_form=True,
)


async def ask_for_confirmation(
    call: Call[Any],
    application: StoredApplication,
    user: StoredUser,
    issued: ChallengeTicket,
    address: str,
    oidc: Document,
) -> PageResult:
    """The page that names the application and who gets the login. Refusal 401102 without a waiting session."""
    if issued.session and await call.store.tickets.read(BACKCHANNEL, issued.session, now=call.now) is None:
        raise Refusal(Code.UNAUTHORIZED, _NO_SESSION)
    if await has_name_of_own_client(application, call.store):
        return failure_page("Login failed", IMPOSTOR, 403)
    step = new_step(call)
    ticket = ConfirmationTicket(
        session=issued.session,
        address=address,
        user_id=user.id,
        app_id=application.id,
        oidc=oidc,
        browser=step.browser,
    )
    await write_ticket(call, CONFIRMATION, step.id, ticket.wire())
    html = await _page(call, step.id, application, user, issued, address)
    return PageResult(html, cookies=step.cookies, target=address)


async def _page(
    call: AnyCall, id: str, application: StoredApplication, user: StoredUser, issued: ChallengeTicket, address: str
) -> str:
    name = escape(application.name)
    if issued.session:
        asks = "Another device or program waits for this login and gets full access to your account."
        caution = "Allow it only if you started this login and your device shows the same code."
        facts = await application_facts(
            call.store,
            application,
            more={
                "Code": comparison_code(issued.session),
                "Requested by": issued.address or "unknown address",
                "Requested at": f"{issued.requested:%Y-%m-%d %H:%M} UTC" if issued.requested else "unknown time",
            },
        )
    else:
        asks = f"{name} asks for this login and gets full access to your account, with all your rights."
        caution = "Allow it only if you started this login and trust the owner."
        facts = await application_facts(call.store, application, address)
    return form_page(
        f"Log in to {application.name}?",
        _PATH,
        id,
        f"<p>You are logged in as {escape(user.login_email or '')}. {asks}</p>{facts}<p>{caution}</p>{DECISION}",
    )


@rule(sso_confirmation)
async def confirm(call: Call[Nothing, Confirmation]) -> RuleResult:
    id = call.body.request
    ticket = typed(ConfirmationTicket, await call.store.tickets.read(CONFIRMATION, id, now=call.now))
    if (
        ticket is None
        or not call.body.decision
        or not is_same_browser(call.headers, id, ticket.browser)
        or await call.store.tickets.take(CONFIRMATION, id, now=call.now) is None
    ):
        return failure_page("Login failed", _EXPIRED)
    application = await call.store.applications.get(ticket.app_id) or {}
    allowed = call.body.decision == "allow"
    decided = _in_session if ticket.session else _in_redirect
    result = await decided(call, ticket, application, allowed=allowed)
    return RedirectResult(result, ended(call.headers, id)) if isinstance(result, str) else result


async def _in_session(call: AnyCall, ticket: ConfirmationTicket, application: Document, *, allowed: bool) -> str:
    """The address afterwards, which has no token: the client that polls the session gets it."""
    result = SessionTicket(status="denied")
    if allowed:
        result = SessionTicket(status="done", user_id=ticket.user_id, app_id=ticket.app_id, oidc=ticket.oidc)
    tickets, settings = call.store.tickets, call.service.settings
    waits = await tickets.read(BACKCHANNEL, ticket.session, now=call.now) is not None
    waits = waits and await tickets.change(BACKCHANNEL, ticket.session, result.wire())
    if allowed and waits:
        return return_address(application, settings, backchannel=True)
    refusal = Refusal(Code.UNAUTHORIZED, _DENIED if waits else _NO_SESSION)
    return failure_address(application, settings, refusal, backchannel=True)


async def _in_redirect(
    call: AnyCall, ticket: ConfirmationTicket, application: Document, *, allowed: bool
) -> str | PageResult | RedirectResult:
    """The address that the user has seen on the page, with the token."""
    settings = call.service.settings
    try:
        if not allowed:
            raise Refusal(Code.UNAUTHORIZED, _DENIED)
        user = await call.store.users.get(ticket.user_id)
        if user is None or return_address(application, settings) != ticket.address:
            return failure_page("Login failed", _EXPIRED)
        check_open(application)
        await logins.check_login(user, call.store, call.service)
        await check_redirect(call.store, settings, str(user.get("companyId", "")), ticket.address)
        answer = await logins.complete_login(user, application, call.store, call.service, oidc=ticket.oidc)
    except Refusal as refusal:
        return failed_login(call, application, refusal)
    return with_query(ticket.address, tkn=answer["token"])
