"""Application records: settings, read formats, and the filters of the list (2.6, 4.5)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator

from svc_tui.interface.access import Role, access
from svc_tui.interface.addresses import redirect_problem
from svc_tui.interface.companies.kinds import ACTIVITIES
from svc_tui.interface.envelopes import ListQuery
from svc_tui.interface.fields import Needs, field
from svc_tui.interface.records import Holds, Record, TextList
from svc_tui.interface.subscriptions.records import Subscription, SubscriptionStatus
from svc_tui.language import _

#: Roles that only look at applications read them without their secrets.
SECRET_READERS = access(
    any=(Role.SUPERADMIN, Role.APP_SUPERADMIN), own_company=(Role.APP_ADMIN,), own=(Role.APP_ADMIN,)
)

Activity = Literal[
    "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U"
]
Type = Literal["web", "mobile", "desktop", "server", "bot", "iot", "admin"]
Kpi = Literal["business", "payasyougo", "svcstore", "appconnect"]
#: `internal` is read-only: only the service's own applications have it.
ReadKpi = Literal["business", "payasyougo", "svcstore", "appconnect", "internal"]
ApplicationState = Literal["new", "active", "blocked", "deleted", "stopped"]
Env = Literal["not_deployed", "in_deployment", "deployed"]

#: What users trust in a built-in client, which only a superadmin changes: its name and where browsers are redirected.
TRUSTED = (
    "name",
    "ssoAuthenticationRedirectUrl",
    "backchannelAuthenticationRedirectUrl",
    "ssoLogoutRedirectUrl",
    "oauthRedirectUris",
)
SUPER = (Role.SUPERADMIN, Role.APP_SUPERADMIN)
_EMBED = Needs("isAllowedToEmbed", True)


def _address(value: str) -> str:
    """An address for browsers; custom schemes of mobile applications are allowed."""
    if problem := redirect_problem(value):
        raise ValueError(problem)
    return value


def _addresses(values: list[str]) -> list[str]:
    """Redirect addresses of OAuth 2.0, absolute and without a fragment (RFC 6749)."""
    for value in values:
        problem = redirect_problem(value) or (_("must not have a fragment (#)") if "#" in value else "")
        if problem:
            raise ValueError(_("has an address that {problem}").format(problem=problem))
    return values


Url = Annotated[str, AfterValidator(_address)]
UrlList = Annotated[TextList, AfterValidator(_addresses)]


class ApplicationSettings(Record):
    """The fields shared by creation and update (2.6); all are optional."""

    description: str | None = field(
        None, help="Purpose of the application", group="Identity", multiline=True, personal=True
    )
    origin: str | None = field(None, max_length=255, help="Where the application comes from", group="Identity")
    owner_id: str | None = field(
        None,
        label="Owner",
        setters=SUPER,
        refers="users",
        group="Owner",
        help="User with the role app_admin; by default the creator",
    )
    kpi: Kpi | None = field(None, setters=SUPER, help="How usage is counted", group="Business")
    allow_sending_sms: bool | None = field(
        None, setters=SUPER, help="Whether the application may send SMS", group="Business"
    )
    is_svc_client_default: bool | None = field(
        False,
        label="Built-in client",
        setters=(Role.SUPERADMIN,),
        help="A client of the service itself: logins need no confirmation, and its name is reserved",
        group="Business",
    )
    app_superadmin_comment: str | None = field(
        None,
        max_length=1024,
        label="Platform comment",
        setters=SUPER,
        help="Note by the platform's administrators",
        group="Administration",
        multiline=True,
        personal=True,
    )
    app_superadmin_status: str | None = field(
        None,
        max_length=64,
        label="Platform status",
        setters=SUPER,
        help="Status set by the platform's administrators",
        group="Administration",
    )
    sso_authentication_redirect_url: Url | None = field(
        None,
        label="SSO login redirect URL",
        help="Browser address after an SSO login; by default a web client's address",
        group="Single sign-on",
    )
    backchannel_authentication_redirect_url: Url | None = field(
        None,
        label="Backchannel login redirect URL",
        help="Browser address after a backchannel login; by default the SSO login redirect URL",
        group="Single sign-on",
    )
    sso_logout_redirect_url: Url | None = field(
        None,
        help="Browser address after an OIDC logout; by default the SSO login redirect URL",
        group="Single sign-on",
    )
    oauth_redirect_uris: UrlList | None = field(
        None, max_length=20, help="Tokens are sent only to these addresses; required for OAuth 2.0", group="OAuth 2.0"
    )
    enable_oauth_implicit_grant: bool | None = field(
        False,
        wire="enableOAuthImplicitGrant",
        label="OAuth implicit grant",
        help="Whether the implicit grant is allowed",
        group="OAuth 2.0",
    )
    enable_oauth_refresh_token_rotation: bool | None = field(
        True,
        wire="enableOAuthRefreshTokenRotation",
        label="Rotate OAuth refresh tokens",
        help="Each refresh returns a new refresh token and revokes the old one",
        group="OAuth 2.0",
    )
    enable_oauth_allow_several_refresh_tokens: bool | None = field(
        True,
        wire="enableOAuthAllowSeveralRefreshTokens",
        label="Several OAuth refresh tokens",
        help="If disabled, a new login revokes the user's earlier tokens",
        group="OAuth 2.0",
    )
    disable_oauth_consent_screen: bool | None = field(
        False,
        wire="disableOAuthConsentScreen",
        label="Skip OAuth consent screen",
        setters=SUPER,
        help="Users are not asked for consent",
        group="OAuth 2.0",
    )
    terms_of_service_url: TextList | None = field(
        None, label="Terms of service URLs", help="Links on the consent screen", group="OAuth 2.0"
    )
    privacy_policies_url: TextList | None = field(
        None, label="Privacy policy URLs", help="Links on the consent screen", group="OAuth 2.0"
    )
    is_allowed_to_embed: bool | None = field(
        False, label="Embedding allowed", setters=SUPER, help="Whether web pages may embed it", group="Embedding"
    )
    referrers: TextList | None = field(
        None, label="Embedding pages", needs=_EMBED, help="Pages that may embed the application", group="Embedding"
    )
    referrals: TextList | None = field(
        None, label="Linked pages", needs=_EMBED, help="Pages that the application may link to", group="Embedding"
    )


_NAME: dict[str, Any] = {"min_length": 1, "max_length": 255, "help": _("Unique per owner"), "group": _("Identity")}
_TYPE: dict[str, Any] = {"help": _("Platform on which it runs"), "group": _("Identity")}
_ACTIVITY: dict[str, Any] = {"help": _("Classification of the business"), "group": _("Identity"), "choices": ACTIVITIES}


class ApplicationCreation(ApplicationSettings):
    """Body of the creation."""

    name: str = field(..., **_NAME)
    type: Type = field(..., **_TYPE)
    activity: Activity = field(..., **_ACTIVITY)
    app_secret: str | None = field(
        None,
        min_length=1,
        setters=(Role.APP_SUPERADMIN,),
        label="Secret",
        secret=True,
        group="Owner",
        help="Generated by default",
    )


class ApplicationUpdate(ApplicationSettings):
    """Body of the update: the fields that change."""

    name: str | None = field(None, **_NAME)
    type: Type | None = field(None, **_TYPE)
    activity: Activity | None = field(None, **_ACTIVITY)
    refresh_app_secret: bool | None = field(
        None,
        by_action=True,
        label="New secret",
        help="Generates a new secret; the old one stops working",
        group="Owner",
    )
    deploy_reason: str | None = field(
        None,
        min_length=1,
        max_length=255,
        label="Deployment reason",
        setters=SUPER,
        needs=Needs("env", "deployed"),
        help="Reason for the deployment",
        group="Deployment",
    )


class Application(ApplicationSettings):
    """An application, as read."""

    SMALL: ClassVar = ("id", "name", "state", "type", "ownerId")
    MEDIUM: ClassVar = ("id", "name", "state", "type", "origin", "dateOfCreation", "env", "activity", "ownerId")
    ALWAYS: ClassVar = SMALL
    WHERE_APPLICABLE: ClassVar = ()

    id: str | None = field(None, help="Identifier", group="Identity")
    kpi: ReadKpi | None = field(None, help="How usage is counted", group="Business")  # type: ignore[assignment]
    name: str | None = field(None, **_NAME)
    type: Type | None = field(None, **_TYPE)
    activity: Activity | None = field(None, **_ACTIVITY)
    state: ApplicationState | None = field(None, help="State in the lifecycle", group="Identity")
    env: Env | None = field(None, group="Deployment")
    app_secret: str | None = field(
        None,
        label="Secret",
        secret=True,
        readers=SECRET_READERS,
        help="With the ID, the application's credentials",
        group="Owner",
    )
    date_of_creation: datetime | None = field(None, label="Creation date", group="Deployment")
    date_of_last_token_when_renew: datetime | None = field(None, label="Last token renewal", group="Deployment")
    date_of_deployment_request: datetime | None = field(None, label="Deployment request date", group="Deployment")
    date_of_deployment: datetime | None = field(None, label="Deployment date", group="Deployment")
    deploy_reason: str | None = field(None, label="Deployment reason", group="Deployment", personal=True)
    deployed_by_user_id: str | None = field(None, label="Deployed by", refers="users", group="Deployment")
    is_no_id_application: bool | None = field(None, label="Application without ID", group="Business")
    profile_id: str | None = field(None, group="Business")
    platform: str | None = field(None, group="Business")
    subscriptions: list[Annotated[dict[str, Any], Holds(Subscription)]] | None = field(
        None, help="Subscriptions that pay for the application", group="Business"
    )
    push_notification_settings: dict[str, Any] | list[Any] | None = field(None, group="Business")


#: The dates that a range of the list can apply to.
_DATES = ("dateOfCreation", "dateOfDeploymentRequest", "dateOfDeployment")


class ApplicationQuery(ListQuery):
    """Filters of the application list (4.5); several values are comma-separated."""

    name: str | None = field(None, help="Part of the name")
    env: Env | None = field(None)
    state: str | None = field(
        None,
        several=ApplicationState,
        help="new, active, blocked, deleted, stopped; deleted applications are hidden by default",
    )
    types: str | None = field(
        None, filters=("type",), several=Type, help="web, mobile, desktop, server, bot, iot, admin"
    )
    activities: str | None = field(None, filters=("activity",), several=Activity, help="A..U")
    owner_id: str | None = field(None, label="Owner", help="Applications of this owner", refers="users")
    subscription_status: str | None = field(
        None,
        filters=("subscriptions",),
        several=SubscriptionStatus,
        help="creating, active, alerting, hold, terminating, terminated, failed, unknown",
    )
    from_date: date | None = field(None, filters=_DATES, help="On this day or later")
    to_date: date | None = field(None, filters=_DATES, help="On this day or earlier")
    date_type: Literal["dateOfCreation", "dateOfDeploymentRequest", "dateOfDeployment"] = field(
        "dateOfCreation", help="Date that the range applies to"
    )
    kpi: Literal["internal", "business", "payasyougo"] | None = field(None, help="How usage is counted")
    sort_field: str | None = field("name", help="Field to sort by")


__all__ = [
    "Activity",
    "Application",
    "ApplicationCreation",
    "ApplicationQuery",
    "ApplicationSettings",
    "ApplicationUpdate",
    "Env",
    "Kpi",
    "ReadKpi",
    "ApplicationState",
    "Type",
]
