"""The feature keys: their values, defaults and headings, and the records made from this one table (2.8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import create_model

from svc_tui.interface.records import Record, field

ENABLED, DISABLED, SAME = "enabled", "disabled", "same_than_company"
FORCED = "forced"

_SWITCH = (ENABLED, DISABLED)
#: The third value counts on the web application only.
_FORCED = (*_SWITCH, FORCED)
_CALLS = (*_SWITCH, "internal", "national")


@dataclass(frozen=True, slots=True)
class Feature:
    """One key. `values` are what a company may hold; of a number there are none. `default` is a template's."""

    key: str
    help: str
    group: str
    values: tuple[str, ...] = _SWITCH
    default: str | None = ENABLED

    @property
    def company_default(self) -> str | None:
        """What a company holds as long as nothing was applied to it."""
        return DISABLED if self.key in _ALERTS else self.default

    @property
    def user_values(self) -> tuple[str, ...]:
        """What a user may hold."""
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
    Feature("useWebRTCOnlyIfMobileLoggedCustomisation", "Such calls only while the mobile is logged in", _MEETINGS),
    Feature("instantMessagesCustomisation", "Instant messages; needs file storage and sharing", _MESSAGES),
    Feature("userProfileCustomisation", "Change your own profile", _PRESENCE),
    Feature("userTitleNameCustomisation", "Change your own title, first and last name", _PRESENCE),
    Feature("fileStorageCustomisation", "Store files", _MESSAGES),
    Feature("fileSharingCustomisation", "Share files; needs file storage", _MESSAGES),
    Feature("phoneMeetingCustomisation", "Telephone conferences", _MEETINGS),
    Feature("useDialOutCustomisation", "Be called by a telephone conference", _MEETINGS),
    Feature("useChannelCustomisation", "Channels", _MESSAGES),
    Feature("useRoomCustomisation", "Bubbles (rooms)", _MESSAGES),
    Feature("overridePresenceCustomisation", "Set your own presence", _PRESENCE),
    Feature("changeTelephonyCustomisation", "Change telephony settings", _TELEPHONY),
    Feature("changeSettingsCustomisation", "Change general settings", _PRESENCE),
    Feature("recordingConversationCustomisation", "Record conversations", _MEETINGS),
    Feature("useGifCustomisation", "Animated pictures in conversations", _MESSAGES),
    Feature("fileCopyCustomisation", "Copy files to your own storage; needs file storage", _MESSAGES),
    Feature("fileTransferCustomisation", "Copy a file from one conversation to another; needs copying", _MESSAGES),
    Feature("forbidFileOwnerChangeCustomisation", "Files keep their owner when the owner leaves a bubble", _MESSAGES),
    Feature("readReceiptsCustomisation", "Show others that their messages were read", _MESSAGES),
    Feature("useSpeakingTimeStatistics", "Speaking time in meetings", _MEETINGS),
    Feature("eLearningCustomisation", "E-learning", _HELP),
    Feature("eLearningGamificationCustomisation", "Badges of the e-learning", _HELP),
    Feature("meetingRecordingCustomisation", "Record meetings", _MEETINGS),
    Feature("useOtherPhoneMode", "Use another phone", _TELEPHONY),
    Feature("useComputerMode", "Use the computer as a phone", _TELEPHONY),
    Feature("useSoftPhoneMode", "Use the application as a softphone", _TELEPHONY, _FORCED),
    Feature("changeDNDFullScreen", "Change do-not-disturb during full screen", _PRESENCE, _FORCED),
    Feature("autoAcceptExternalApp", "Accept calls of other applications by themselves", _TELEPHONY, _FORCED),
    Feature("setDNDAppointment", "Do-not-disturb during appointments", _PRESENCE, _FORCED),
    Feature("ignoreVoipCallInDND", "No calls over the network during do-not-disturb", _TELEPHONY, _FORCED),
    Feature("useTeamsMode", "The mode beside the other meeting application", _MEETINGS),
    Feature("userAvatarCustomisation", "Change your own avatar", _PRESENCE),
    Feature("imPopupDuration", "How long a message stays on the screen", _MESSAGES, (), None),
    Feature("canAccessWhatsNew", "See what is new", _HELP),
    Feature("canAccessFaqCustomisation", "Frequently asked questions", _HELP),
    Feature("canAccessHelpCenterCustomisation", "Help center", _HELP),
    Feature("canAccessStoreCustomisation", "Store", _HELP),
    Feature("canDownloadAppCustomisation", "Download the desktop application", _HELP),
    Feature("canUseTestConfigCustomisation", "Test of the equipment", _HELP),
    Feature("canUseSendReportCustomisation", "Send reports to the support", _HELP),
    Feature("canUseTaskCustomisation", "Tasks", _HELP),
    Feature("canSetDNDinTeams", "Set do-not-disturb in the other meeting application", _PRESENCE),
    Feature("usePersonalAccessTokens", "Personal access tokens", _HELP),
    Feature("manageCustomizationFile", "Customisation file of the desktop application", _HELP),
    Feature("showFirstPhoneCalls", "Phone calls come first", _TELEPHONY),
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

#: What a template, and with it the public template Full, holds where nothing is said.
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
        """The feature keys as a template is given them."""

    class ReadFeatures(Record):
        """The feature keys as they are read of any template; `Same as company` holds the users' value."""

else:
    CompanyFeatures = _record("CompanyFeatures", "The feature keys of a company.", company=True, same=False)
    TemplateFeatures = _record(
        "TemplateFeatures", "The feature keys as a template is given them.", company=False, same=False
    )
    ReadFeatures = _record("ReadFeatures", "The feature keys as they are read of a template.", company=False, same=True)
