"""The feature keys with their values, defaults and groups, and the records that are derived from them (2.8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import create_model

from svc_tui.interface.records import Record, field

ENABLED, DISABLED, SAME = "enabled", "disabled", "same_than_company"
FORCED = "forced"

_SWITCH = (ENABLED, DISABLED)
#: The third value applies only to the web application.
_FORCED = (*_SWITCH, FORCED)
_CALLS = (*_SWITCH, "internal", "national")


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature key. `values` are those of a company, empty for a number; `default` is that of a template."""

    key: str
    help: str
    group: str
    values: tuple[str, ...] = _SWITCH
    default: str | None = ENABLED

    @property
    def company_default(self) -> str | None:
        """The value of a company before a template is applied to it."""
        return DISABLED if self.key in _ALERTS else self.default

    @property
    def user_values(self) -> tuple[str, ...]:
        """The values of a user."""
        return (SAME, *self.values) if self.values else ()


_ALERTS = ("alertNotificationReception", "alertNotificationSending")

_MEETINGS = "Features: calls and meetings"
_MESSAGES = "Features: messages and files"
_TELEPHONY = "Features: telephony"
_PRESENCE = "Features: profile and presence"
_HELP = "Features: help and tools"

FEATURES: tuple[Feature, ...] = (
    Feature("useScreenSharingCustomisation", "Share the screen", _MEETINGS),
    Feature("useWebRTCVideoCustomisation", "Video calls; needs audio calls", _MEETINGS),
    Feature("useWebRTCAudioCustomisation", "Audio calls in the application", _MEETINGS),
    Feature(
        "useWebRTCOnlyIfMobileLoggedCustomisation",
        "Calls in the application only while the mobile is logged in",
        _MEETINGS,
    ),
    Feature("instantMessagesCustomisation", "Instant messages; needs file storage and sharing", _MESSAGES),
    Feature("userProfileCustomisation", "Change your own profile", _PRESENCE),
    Feature("userTitleNameCustomisation", "Change your own title, first and last name", _PRESENCE),
    Feature("fileStorageCustomisation", "Store files", _MESSAGES),
    Feature("fileSharingCustomisation", "Share files; needs file storage", _MESSAGES),
    Feature("phoneMeetingCustomisation", "Telephone conferences", _MEETINGS),
    Feature("useDialOutCustomisation", "Join telephone conferences by a call from the service", _MEETINGS),
    Feature("useChannelCustomisation", "Channels", _MESSAGES),
    Feature("useRoomCustomisation", "Bubbles (group conversations)", _MESSAGES),
    Feature("overridePresenceCustomisation", "Set your own presence", _PRESENCE),
    Feature("changeTelephonyCustomisation", "Change telephony settings", _TELEPHONY),
    Feature("changeSettingsCustomisation", "Change general settings", _PRESENCE),
    Feature("recordingConversationCustomisation", "Record conversations", _MEETINGS),
    Feature("useGifCustomisation", "Animated pictures in conversations", _MESSAGES),
    Feature("fileCopyCustomisation", "Copy files to your own storage; needs file storage", _MESSAGES),
    Feature("fileTransferCustomisation", "Copy a file from one conversation to another; needs copying", _MESSAGES),
    Feature("forbidFileOwnerChangeCustomisation", "Files keep their owner after the owner leaves a bubble", _MESSAGES),
    Feature("readReceiptsCustomisation", "Send read receipts for messages", _MESSAGES),
    Feature("useSpeakingTimeStatistics", "Speaking time statistics of meetings", _MEETINGS),
    Feature("eLearningCustomisation", "E-learning", _HELP),
    Feature("eLearningGamificationCustomisation", "E-learning badges", _HELP),
    Feature("meetingRecordingCustomisation", "Record meetings", _MEETINGS),
    Feature("useOtherPhoneMode", "Use another phone", _TELEPHONY),
    Feature("useComputerMode", "Use the computer as a phone", _TELEPHONY),
    Feature("useSoftPhoneMode", "Use the application as a softphone", _TELEPHONY, _FORCED),
    Feature("changeDNDFullScreen", "Do-not-disturb in full screen", _PRESENCE, _FORCED),
    Feature("autoAcceptExternalApp", "Accept calls of other applications automatically", _TELEPHONY, _FORCED),
    Feature("setDNDAppointment", "Do-not-disturb during appointments", _PRESENCE, _FORCED),
    Feature("ignoreVoipCallInDND", "Ignore VoIP calls in do-not-disturb", _TELEPHONY, _FORCED),
    Feature("useTeamsMode", "Mode for use beside the other meeting application", _MEETINGS),
    Feature("userAvatarCustomisation", "Change your own avatar", _PRESENCE),
    Feature("imPopupDuration", "How long a message popup is shown", _MESSAGES, (), None),
    Feature("canAccessWhatsNew", "See what is new", _HELP),
    Feature("canAccessFaqCustomisation", "Frequently asked questions", _HELP),
    Feature("canAccessHelpCenterCustomisation", "Help center", _HELP),
    Feature("canAccessStoreCustomisation", "Store", _HELP),
    Feature("canDownloadAppCustomisation", "Download the desktop application", _HELP),
    Feature("canUseTestConfigCustomisation", "Equipment test", _HELP),
    Feature("canUseSendReportCustomisation", "Send reports to support", _HELP),
    Feature("canUseTaskCustomisation", "Tasks", _HELP),
    Feature("canSetDNDinTeams", "Set do-not-disturb in the other meeting application", _PRESENCE),
    Feature("usePersonalAccessTokens", "Personal access tokens", _HELP),
    Feature("manageCustomizationFile", "Customisation file of the desktop application", _HELP),
    Feature("showFirstPhoneCalls", "Show phone calls first", _TELEPHONY),
    Feature("canUseTranscriptionCustomisation", "Transcription", _MEETINGS, default=DISABLED),
    Feature("hidePresenceDurationCustomisation", "Hide how long you have been away", _PRESENCE),
    Feature("canSynchCalendar", "Presence from the calendar", _PRESENCE),
    Feature("canCallParticipantPbxNumberCustomisation", "Call a participant's PBX number", _TELEPHONY, _CALLS),
    Feature("canSetInvisiblePresenceCustomisation", "Be invisible", _PRESENCE),
    Feature("receivedFileCustomisation", "Receive files", _MESSAGES),
    Feature("allowUsingFilesTooBigToVirusScan", "Use files that are too big for the virus scan", _MESSAGES),
    Feature("alertNotificationReception", "Receive alerts", _HELP),
    Feature("alertNotificationSending", "Send alerts", _HELP),
)

BY_KEY: dict[str, Feature] = {feature.key: feature for feature in FEATURES}

#: Default values of a template, also those of the public template Full.
TEMPLATE_DEFAULTS: dict[str, Any] = {feature.key: feature.default for feature in FEATURES}


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", key).lower()


def _record(name: str, text: str, *, company: bool, same: bool) -> type[Record]:
    fields: dict[str, Any] = {}
    for feature in FEATURES:
        values = ((SAME, *feature.values) if same else feature.values) if feature.values else ()
        kind: Any = Literal[values] | None if values else int | None
        limits: dict[str, Any] = {} if values else {"ge": 0, "unit": "s"}
        default = feature.company_default if company else feature.default
        fields[_snake(feature.key)] = (
            kind,
            field(default, wire=feature.key, help=feature.help, group=feature.group, **limits),
        )
    made: type[Record] = create_model(name, __base__=Record, __doc__=text, __module__=__name__, **fields)
    return made


if TYPE_CHECKING:

    class CompanyFeatures(Record):
        """The feature keys of a company."""

    class TemplateFeatures(Record):
        """The feature keys in a body of a template."""

    class ReadFeatures(Record):
        """The feature keys of any template; `Same as company` has values of users."""

else:
    CompanyFeatures = _record("CompanyFeatures", "The feature keys of a company.", company=True, same=False)
    TemplateFeatures = _record(
        "TemplateFeatures", "The feature keys in a body of a template.", company=False, same=False
    )
    ReadFeatures = _record("ReadFeatures", "The feature keys of a template.", company=False, same=True)
