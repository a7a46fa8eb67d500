"""Users, API keys, OAuth tokens, second factor policies, client versions and your account (2.1, 2.4, 4.1, 5.7)."""

from __future__ import annotations

from typing import Any

from svc_tui.console.areas.authentication import oauth_tokens, passwords, second_factor, users
from svc_tui.console.core.actions import Action
from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Context, Display, Placement, RelatedList, Resource, managed
from svc_tui.console.views.report_list import report_resource
from svc_tui.console.widgets.formatting import choice, day, is_past
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.access import Caller, Subject
from svc_tui.interface.data import RecordData
from svc_tui.language import _
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.users.security import SECURITY

DETAIL = frozenset({"detail"})
ACCOUNT = "account"


def _key_state(record: RecordData) -> str:
    if not record.get("isActive"):
        return "inactive"
    return "expired" if is_past(record.get("expirationDate")) else "active"


def _ends(value: Any, record: RecordData) -> str:
    return day(value) if value else _("never")


def _key_subject(record: RecordData, caller: Caller) -> Subject:
    return Subject(owner_id=str(record.get("userId") or caller.user_id), company_id=caller.company_id)


API_KEYS = Resource(
    kind=KINDS["apikeys"],
    title="API keys",
    singular="API key",
    aliases=("keys", "key"),
    label_field="description",
    display=Display(
        columns=(
            Column(field="description", title="DESCRIPTION", width=20, flex=3, sort_field="description"),
            Column(
                field="isActive",
                title="STATE",
                width=8,
                of=_key_state,
                state={"active": ("active", "ok"), "expired": ("expired", "bad"), "inactive": ("inactive", "bad")},
                sort_field="isActive",
            ),
            Column(
                field="expirationDate", title="ENDS", width=11, format=_ends, sort_field="expirationDate", priority=1
            ),
            Column(field="loginEmail", title="OWNER", width=22, flex=1, sort_field="loginEmail", priority=2),
            Column(field="creationDate", title="CREATED", width=10, format=day, sort_field="creationDate", priority=3),
            Column(field="clientMetadata.ipAddress", title="ADDRESS", width=15, priority=4),
        ),
    ),
    query={"format": "full"},
    sort="creationDate",
    descending=True,
    create="create_api_key",
    update="update_api_key",
    delete="delete_api_key",
    placement=Placement(
        parents={"users": "userId"},
    ),
    subject=_key_subject,
)

MFA_SETTINGS = Resource(
    kind=KINDS["mfasettings"],
    title="Second factor policies",
    singular="policy",
    aliases=("mfa", "policies"),
    known_as=("MFA", "two-factor", "second factor"),
    label_field="mfaName",
    display=Display(
        columns=(
            Column(field="mfaName", title="NAME", width=18, flex=2),
            Column(field="mfaType", title="KIND", width=6),
            Column(field="mfaPolicy", title="REQUIRED", width=15, flex=1, format=choice),
            Column(
                field="enabledForAllCompanyUsers",
                title="FOR ALL",
                width=8,
                state={True: ("yes", "ok"), False: ("no", "dim")},
            ),
            Column(field="rememberDaysApplication", title="REMEMBER", width=9, align="right", priority=1),
            Column(field="mfaCanBeDisabled", title="OPTIONAL", width=8, priority=2),
        ),
    ),
    query={"format": "full"},
    create="create_company_mfa_setting",
    update="update_company_mfa_setting",
    delete="delete_company_mfa_setting",
    placement=Placement(
        path={"companyId": "companies"},
    ),
    subject=lambda record, caller: managed(str(record.get("companyId") or caller.company_id), caller),
)

CLIENT_VERSIONS = Resource(
    kind=KINDS["clientsversions"],
    title="Client versions",
    singular="minimum version",
    aliases=("versions", "clients"),
    display=Display(
        columns=(
            Column(field="name", title="APPLICATION", width=20, flex=2, sort_field="name"),
            Column(field="version", title="MINIMUM VERSION", width=16, sort_field="version"),
            Column(field="id", title="ID", width=24, flex=1, sort_field="id", priority=1),
        ),
    ),
    create="create_client_version",
    update="update_client_version",
    delete="delete_client_version",
    sort="id",
)


def _enabled(record: RecordData | None) -> bool:
    own = (record or {}).get("mfaSvcAuth")
    return isinstance(own, dict) and own.get("mfaStatus") == "enabled"


def _needs_factor(context: Context) -> str:
    return "" if _enabled(context.record) else _("no second factor is set up")


OWN_ACCOUNT = Resource(
    kind=Kind(ACCOUNT, "get_own_user", "get_own_user"),
    title="Your account",
    singular="account",
    aliases=("me", "whoami"),
    known_as=("my account", "profile picture", "my second factor"),
    placement=Placement(
        only="me",
    ),
    label_field="displayName",
    display=Display(
        columns=(),
    ),
    related=(RelatedList("K", "apikeys", "API keys"), RelatedList("O", oauth_tokens.KIND, "OAuth tokens")),
)


def _risky(row: RecordData) -> Place:
    """The record that changes what the security review found."""
    above = ("users", str(row["userId"])) if row.get("userId") else ()
    return Place((*above, str(row.get("kind")), str(row.get("recordId"))))


SECURITY_REPORT = report_resource(SECURITY, _risky, "finding", "findings")

RESOURCES = (users.USERS, API_KEYS, oauth_tokens.TOKENS, MFA_SETTINGS, CLIENT_VERSIONS, OWN_ACCOUNT)

ACTIONS: tuple[Action, ...] = (
    *oauth_tokens.ACTIONS,
    *users.ACTIONS,
    Action(
        name="account.password",
        keys=("P",),
        label="Change password",
        help="Change your own password",
        run=passwords.change_own_password,
        group="Account",
        views=DETAIL,
        resource=ACCOUNT,
        operation="change_own_password",
        footer=15,
    ),
    Action(
        name="account.enrol",
        keys=("m",),
        label="Set up second factor",
        help="Set up a second factor with an authenticator app",
        run=second_factor.enrol,
        group="Account",
        views=DETAIL,
        resource=ACCOUNT,
        operation="get_mfa",
        footer=20,
        possible=lambda c: _("a second factor is already set up") if _enabled(c.record) else "",
    ),
    Action(
        name="account.switch_off",
        keys=("x",),
        label="Disable second factor",
        help="Disable the second factor, where the company allows it",
        run=second_factor.switch_off,
        group="Account",
        views=DETAIL,
        resource=ACCOUNT,
        operation="disable_mfa",
        footer=40,
        possible=_needs_factor,
    ),
    Action(
        name="account.recovery",
        keys=("N",),
        label="Recovery code",
        help="Replace the recovery code of the second factor",
        run=second_factor.new_recovery_code,
        group="Account",
        views=DETAIL,
        resource=ACCOUNT,
        operation="reset_mfa_recovery_code",
        footer=30,
        possible=_needs_factor,
    ),
    Action(
        name="account.forget",
        keys=("T",),
        label="Revoke trust",
        help="Require the second factor again in all trusted applications",
        run=second_factor.forget_trusted,
        group="Account",
        views=DETAIL,
        resource=ACCOUNT,
        operation="delete_mfa_trusted_applications",
        possible=_needs_factor,
    ),
)
