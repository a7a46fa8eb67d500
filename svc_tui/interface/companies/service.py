"""Settings of the service itself: telephony, files, security, appearance, alerts (2.7)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from svc_tui.interface.companies.kinds import BP_ADMIN, BROADER_READERS, SUPERADMIN
from svc_tui.interface.fields import field
from svc_tui.interface.records import Record, TextList
from svc_tui.interface.value_words import UNLIMITED
from svc_tui.language import _

_PHONE, _RECORD, _LOGIN = "Telephony", _("Recording and voicemail"), _("Security and login")
_FILES, _APPEARANCE, _NOTIFICATIONS = _("Files and content"), "Appearance", "Notifications"
_GROUPS = _("Supervision groups")


def _minutes_or_false(value: object, read: ValidatorFunctionWrapHandler) -> object:
    """One sentence for what is neither, instead of one for each part of the union."""
    try:
        if value is not True:
            return read(value)
    except ValidationError:
        pass
    raise ValueError(_("must be a number of minutes or false"))


#: Minutes; false, the default, means no grace period.
Grace = Annotated[Annotated[int, Field(ge=0)] | Literal[False], WrapValidator(_minutes_or_false)]


class Theme(Record):
    """A theme for a light background and one for a dark background."""

    light: str | None = field(None, help="Theme for a light background")
    dark: str | None = field(None, help="Theme for a dark background")


class ServiceSettings(Record):
    """Telephony, content, login and appearance settings of the company's users."""

    is_centrex: bool | None = field(False, group=_PHONE, help="Whether the company's telephony is a centrex")
    company_call_number: str | None = field(None, group=_PHONE, help="Number that called parties see", personal=True)
    allow_cloud_pbx_device_access: bool | None = field(
        False,
        label="Web access to desk phones",
        setters=BP_ADMIN,
        group=_PHONE,
        help="Whether administrators can open the web pages of desk phones",
    )
    allow_device_firmware_selection: bool | None = field(
        False, label="Firmware selection", group=_PHONE, help="Whether the firmware of desk phones can be selected"
    )
    selected_device_firmware: Literal["released", "latest"] | None = field(
        None, label="Device firmware", group=_PHONE, help="Firmware of desk phones"
    )
    admin_has_the_right_to_enable_deskphone_failover: bool | None = field(
        False,
        label="Right to enable phone failover",
        group=_PHONE,
        help="Whether the administrator may enable failover of desk phones",
    )
    preferred_sip_load_balancer_id: str | None = field(
        None,
        label="Preferred SIP load balancer",
        readers=BROADER_READERS,
        setters=SUPERADMIN,
        group=_PHONE,
        help="Identifier of the load balancer for SIP calls",
    )
    delegated_call_push_disable: bool | None = field(
        False,
        label="Disable push for delegated calls",
        setters=SUPERADMIN,
        group=_PHONE,
        help="No push notifications for delegated calls",
    )
    mobile_permanent_connection_mode: bool | None = field(
        None,
        label="Permanent mobile connection",
        group=_PHONE,
        help="Mobile applications stay connected instead of being woken by push notifications",
    )
    end_of_conference_behavior_settings: list[dict[str, Any]] | None = field(
        None, label="End of conference behaviour", group=_PHONE, help="Actions at the end of a conference"
    )

    allow_cloud_pbx_recording: bool | None = field(
        False,
        setters=SUPERADMIN,
        deprecated="enable recording on the CloudPBX instead",
        group=_RECORD,
        help="Whether calls of the CloudPBX may be recorded",
    )
    cloud_pbx_recording_inbound_only: bool | None = field(
        True, label="Record incoming calls only", group=_RECORD, help="Outgoing calls are not recorded"
    )
    cloud_pbx_recording_retention: int | None = field(
        60, ge=60, le=365, label="Recording retention", unit="days", group=_RECORD, help="How long recordings are kept"
    )
    cloud_pbx_voicemail_to_email: Literal["none", "simple", "complete"] | None = field(
        "none",
        label="Voicemail to email",
        group=_RECORD,
        help="none: no email; simple: a notification; complete: the message itself",
    )

    allowed_provider_ids: TextList | None = field(
        None,
        label="Allowed identity providers",
        setters=BP_ADMIN,
        group=_LOGIN,
        help="Identity providers that users may log in with",
    )
    allowed_redirect_domains: TextList | None = field(
        None, group=_LOGIN, help="Domains that a browser may be redirected to"
    )
    allow_teams_to_desktop_sso: bool | None = field(
        True,
        label="Single sign-on from Teams",
        group=_LOGIN,
        help="One login for the meeting application and the desktop client",
    )

    enable_new_virus_scan_policy: bool | None = field(
        None, label="New virus scan policy", group=_FILES, help="Whether the new policy of the virus scan is used"
    )
    content_policy_life_time: int | None = field(
        None,
        ge=-1,
        label="Content lifetime",
        unit="minutes",
        choices=UNLIMITED,
        group=_FILES,
        help="Time until removal",
    )
    document_grace_period: Grace | None = field(
        False,
        unit="minutes",
        group=_FILES,
        help="Time in which removed documents can be restored",
        choices={"false": _("not restorable")},
    )

    avatar_shape: Literal["square", "circle"] | None = field(None, group=_APPEARANCE, help="Shape of avatars")
    selected_theme: str | Theme | None = field(
        None, label="Theme", group=_APPEARANCE, help="One theme, or one for light and one for dark backgrounds"
    )
    allow_users_select_theme: bool | None = field(
        True, label="Users can select a theme", group=_APPEARANCE, help="Whether users may select a theme"
    )
    allow_users_select_public_theme: bool | None = field(
        True, label="Users can select a public theme", group=_APPEARANCE, help="Whether public themes are offered too"
    )

    admin_service_notifications_level: Literal["high", "medium", "low"] | None = field(
        None,
        label="Level of service notifications",
        group=_NOTIFICATIONS,
        help="Level of the service notifications that administrators receive",
    )

    supervision_group_max_size: int | None = field(
        None, ge=0, label="Users per supervision group", group=_GROUPS, help="Largest number of supervised users"
    )
    supervision_group_max_number: int | None = field(
        None, ge=0, label="Groups per supervisor", group=_GROUPS, help="Largest number of groups"
    )
    supervision_group_max_users: int | None = field(
        None, ge=0, label="Supervisors per group", group=_GROUPS, help="Largest number of supervisors"
    )
