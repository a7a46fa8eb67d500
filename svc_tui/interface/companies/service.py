"""Settings of the service itself: telephony, files, security, appearance, alerts (2.7)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from svc_tui.interface.companies.kinds import BP_ADMIN, SUPERADMIN
from svc_tui.interface.records import Needs, Record, TextList, field

_PHONE, _RECORD, _LOGIN = "Telephony", "Recording and voicemail", "Security and login"
_FILES, _LOOK, _TELL = "Files and content", "Appearance", "Notifications"
_GROUPS = "Supervision groups"


def _no_true(value: object) -> object:
    if value is True:
        raise ValueError("must be a number of minutes or false")
    return value


#: Minutes; false, the default, is none at all.
Grace = Annotated[Annotated[int, Field(ge=0)] | Literal[False], BeforeValidator(_no_true)]


class Theme(Record):
    """A theme for light and one for dark surroundings."""

    light: str | None = field(None, help="Theme on light ground")
    dark: str | None = field(None, help="Theme on dark ground")


class ServiceSettings(Record):
    """How the service works for the company's users."""

    is_centrex: bool | None = field(False, group=_PHONE, help="Whether its telephony is a centrex")
    company_call_number: str | None = field(
        None, needs=Needs("isCentrex", True), group=_PHONE, help="Number that callees see"
    )
    allow_cloud_pbx_device_access: bool | None = field(
        False, setters=BP_ADMIN, group=_PHONE, help="Whether administrators reach the pages of desk phones"
    )
    allow_device_firmware_selection: bool | None = field(
        False, group=_PHONE, help="Whether the firmware of desk phones can be chosen"
    )
    selected_device_firmware: Literal["released", "latest"] | None = field(
        None, group=_PHONE, help="Firmware of desk phones"
    )
    admin_has_the_right_to_enable_deskphone_failover: bool | None = field(
        False, group=_PHONE, help="Whether the administrator may switch failover of desk phones on"
    )
    preferred_sip_load_balancer_id: str | None = field(
        None, setters=SUPERADMIN, group=_PHONE, help="Load balancer of SIP calls"
    )
    delegated_call_push_disable: bool | None = field(
        False, setters=SUPERADMIN, group=_PHONE, help="No push of delegated calls"
    )
    mobile_permanent_connection_mode: bool | None = field(
        None, group=_PHONE, help="Mobile applications stay connected instead of being woken"
    )
    end_of_conference_behavior_settings: list[dict[str, Any]] | None = field(
        None, group=_PHONE, help="What happens at the end of a conference"
    )

    allow_cloud_pbx_recording: bool | None = field(
        False,
        setters=SUPERADMIN,
        deprecated="recording is switched on with the CloudPBX",
        group=_RECORD,
        help="Record calls of the CloudPBX",
    )
    cloud_pbx_recording_inbound_only: bool | None = field(True, group=_RECORD, help="Record incoming calls only")
    cloud_pbx_recording_retention: int | None = field(
        60, ge=60, le=365, unit="days", group=_RECORD, help="How long recordings are kept"
    )
    cloud_pbx_voicemail_to_email: Literal["none", "simple", "complete"] | None = field(
        "none", group=_RECORD, help="Voicemail by e-mail: not, that there is one, or the message itself"
    )

    allowed_provider_ids: TextList | None = field(
        None, setters=BP_ADMIN, group=_LOGIN, help="Identity providers that may be used"
    )
    allowed_redirect_domains: TextList | None = field(
        None, group=_LOGIN, help="Domains that a browser may be sent back to"
    )
    allow_teams_to_desktop_sso: bool | None = field(
        True, group=_LOGIN, help="One login for the meeting application and the desktop"
    )

    enable_new_virus_scan_policy: bool | None = field(None, group=_FILES, help="New policy of the virus scan")
    content_policy_life_time: int | None = field(
        None, ge=-1, unit="minutes", group=_FILES, help="After this time content is removed; -1 means never"
    )
    document_grace_period: Grace | None = field(
        False, unit="minutes", group=_FILES, help="How long removed documents can be brought back; false means not"
    )

    avatar_shape: Literal["square", "circle"] | None = field(None, group=_LOOK, help="Shape of avatars")
    selected_theme: str | Theme | None = field(None, group=_LOOK, help="Theme, or one for light and one for dark")
    allow_users_select_theme: bool | None = field(True, group=_LOOK, help="Users may choose a theme")
    allow_users_select_public_theme: bool | None = field(True, group=_LOOK, help="Users may choose a public theme")

    admin_service_notifications_level: Literal["high", "medium", "low"] | None = field(
        None, group=_TELL, help="Which notices of the service administrators get"
    )

    supervision_group_max_size: int | None = field(None, ge=0, group=_GROUPS, help="Supervised users in one group")
    supervision_group_max_number: int | None = field(None, ge=0, group=_GROUPS, help="Groups of a supervisor")
    supervision_group_max_users: int | None = field(None, ge=0, group=_GROUPS, help="Supervisors of a group")
