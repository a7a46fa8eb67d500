"""The feature keys with their values, defaults and groups, and the rules of consistency between them (2.8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from svc_tui.interface.labels import label_of
from svc_tui.language import _

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


_ALERTS = ("alertNotificationReception", "alertNotificationSending")

_MEETINGS = _("Features: calls and meetings")
_MESSAGES = _("Features: messages and files")
_TELEPHONY = _("Features: telephony")
_PRESENCE = _("Features: profile and presence")
_HELP = _("Features: help and tools")

FEATURES: tuple[Feature, ...] = (
    Feature("useScreenSharingCustomisation", _("Share the screen"), _MEETINGS),
    Feature("useWebRTCVideoCustomisation", _("Video calls; needs audio calls"), _MEETINGS),
    Feature("useWebRTCAudioCustomisation", _("Audio calls in the application"), _MEETINGS),
    Feature(
        "useWebRTCOnlyIfMobileLoggedCustomisation",
        _("Calls in the application only while the mobile is logged in"),
        _MEETINGS,
    ),
    Feature("instantMessagesCustomisation", _("Instant messages; needs file storage and sharing"), _MESSAGES),
    Feature("userProfileCustomisation", _("Change your own profile"), _PRESENCE),
    Feature("userTitleNameCustomisation", _("Change your own title, first and last name"), _PRESENCE),
    Feature("fileStorageCustomisation", _("Store files"), _MESSAGES),
    Feature("fileSharingCustomisation", _("Share files; needs file storage"), _MESSAGES),
    Feature("phoneMeetingCustomisation", _("Telephone conferences"), _MEETINGS),
    Feature("useDialOutCustomisation", _("Join telephone conferences by a call from the service"), _MEETINGS),
    Feature("useChannelCustomisation", _("Channels"), _MESSAGES),
    Feature("useRoomCustomisation", _("Bubbles (group conversations)"), _MESSAGES),
    Feature("overridePresenceCustomisation", _("Set your own presence"), _PRESENCE),
    Feature("changeTelephonyCustomisation", _("Change telephony settings"), _TELEPHONY),
    Feature("changeSettingsCustomisation", _("Change general settings"), _PRESENCE),
    Feature("recordingConversationCustomisation", _("Record conversations"), _MEETINGS),
    Feature("useGifCustomisation", _("Animated pictures in conversations"), _MESSAGES),
    Feature("fileCopyCustomisation", _("Copy files to your own storage; needs file storage"), _MESSAGES),
    Feature("fileTransferCustomisation", _("Copy a file from one conversation to another; needs copying"), _MESSAGES),
    Feature(
        "forbidFileOwnerChangeCustomisation", _("Files keep their owner after the owner leaves a bubble"), _MESSAGES
    ),
    Feature("readReceiptsCustomisation", _("Send read receipts for messages"), _MESSAGES),
    Feature("useSpeakingTimeStatistics", _("Speaking time statistics of meetings"), _MEETINGS),
    Feature("eLearningCustomisation", "E-learning", _HELP),
    Feature("eLearningGamificationCustomisation", _("E-learning badges"), _HELP),
    Feature("meetingRecordingCustomisation", _("Record meetings"), _MEETINGS),
    Feature("useOtherPhoneMode", _("Use another phone"), _TELEPHONY),
    Feature("useComputerMode", _("Use the computer as a phone"), _TELEPHONY),
    Feature("useSoftPhoneMode", _("Use the application as a softphone"), _TELEPHONY, _FORCED),
    Feature("changeDNDFullScreen", _("Do-not-disturb in full screen"), _PRESENCE, _FORCED),
    Feature("autoAcceptExternalApp", _("Accept calls of other applications automatically"), _TELEPHONY, _FORCED),
    Feature("setDNDAppointment", _("Do-not-disturb during appointments"), _PRESENCE, _FORCED),
    Feature("ignoreVoipCallInDND", _("Ignore VoIP calls in do-not-disturb"), _TELEPHONY, _FORCED),
    Feature("useTeamsMode", _("Mode for use beside the other meeting application"), _MEETINGS),
    Feature("userAvatarCustomisation", _("Change your own avatar"), _PRESENCE),
    Feature("imPopupDuration", _("How long a message popup is shown"), _MESSAGES, (), None),
    Feature("canAccessWhatsNew", _("See what is new"), _HELP),
    Feature("canAccessFaqCustomisation", _("Frequently asked questions"), _HELP),
    Feature("canAccessHelpCenterCustomisation", _("Help center"), _HELP),
    Feature("canAccessStoreCustomisation", _("Store"), _HELP),
    Feature("canDownloadAppCustomisation", _("Download the desktop application"), _HELP),
    Feature("canUseTestConfigCustomisation", _("Equipment test"), _HELP),
    Feature("canUseSendReportCustomisation", _("Send reports to support"), _HELP),
    Feature("canUseTaskCustomisation", _("Tasks"), _HELP),
    Feature("canSetDNDinTeams", _("Set do-not-disturb in the other meeting application"), _PRESENCE),
    Feature("usePersonalAccessTokens", _("Personal access tokens"), _HELP),
    Feature("manageCustomizationFile", _("Customisation file of the desktop application"), _HELP),
    Feature("showFirstPhoneCalls", _("Show phone calls first"), _TELEPHONY),
    Feature("canUseTranscriptionCustomisation", _("Transcription"), _MEETINGS, default=DISABLED),
    Feature("hidePresenceDurationCustomisation", _("Hide how long you have been away"), _PRESENCE),
    Feature("canSynchCalendar", _("Presence from the calendar"), _PRESENCE),
    Feature("canCallParticipantPbxNumberCustomisation", _("Call a participant's PBX number"), _TELEPHONY, _CALLS),
    Feature("canSetInvisiblePresenceCustomisation", _("Be invisible"), _PRESENCE),
    Feature("receivedFileCustomisation", _("Receive files"), _MESSAGES),
    Feature("allowUsingFilesTooBigToVirusScan", _("Use files that are too big for the virus scan"), _MESSAGES),
    Feature("alertNotificationReception", _("Receive alerts"), _HELP),
    Feature("alertNotificationSending", _("Send alerts"), _HELP),
)

BY_KEY: dict[str, Feature] = {feature.key: feature for feature in FEATURES}

#: Default values of a template, also those of the public template Full.
TEMPLATE_DEFAULTS: dict[str, Any] = {feature.key: feature.default for feature in FEATURES}


@dataclass(frozen=True, slots=True)
class FeatureRule:
    """`key` cannot be enabled while `needs` is disabled."""

    key: str
    needs: str


@dataclass(frozen=True, slots=True)
class FeatureContradiction:
    """A broken rule, with a message."""

    key: str
    needs: str
    sentence: str


RULES: tuple[FeatureRule, ...] = (
    FeatureRule("fileSharingCustomisation", "fileStorageCustomisation"),
    FeatureRule("fileCopyCustomisation", "fileStorageCustomisation"),
    FeatureRule("instantMessagesCustomisation", "fileStorageCustomisation"),
    FeatureRule("fileTransferCustomisation", "fileCopyCustomisation"),
    FeatureRule("useWebRTCVideoCustomisation", "useWebRTCAudioCustomisation"),
    FeatureRule("instantMessagesCustomisation", "fileSharingCustomisation"),
)


def with_defaults(values: Mapping[str, Any]) -> dict[str, Any]:
    """All feature keys of a template, with defaults for missing values."""
    return {**TEMPLATE_DEFAULTS, **{key: value for key, value in values.items() if key in BY_KEY}}


def contradictions(values: Mapping[str, Any]) -> list[FeatureContradiction]:
    """The rules that these values break. Missing values count as their defaults."""
    found = with_defaults(values)
    return [
        FeatureContradiction(
            rule.key,
            rule.needs,
            _("{key} cannot be enabled while {needs} is disabled").format(
                key=label_of(rule.key), needs=label_of(rule.needs)
            ),
        )
        for rule in RULES
        if found[rule.key] == ENABLED and found[rule.needs] == DISABLED
    ]


def repaired(values: Mapping[str, Any], changed_key: str) -> dict[str, Any]:
    """The values after a change of one key, with the changes that keep them consistent.

    Disabling a key disables the keys that need it, and enabling a key enables the keys that it needs. Other keys are
    neither changed nor added.
    """
    found = dict(values)
    todo = [changed_key]
    while todo:
        key = todo.pop()
        value = found.get(key, TEMPLATE_DEFAULTS.get(key))
        for rule in RULES:
            if value == DISABLED and rule.needs == key and with_defaults(found)[rule.key] == ENABLED:
                found[rule.key] = DISABLED
                todo.append(rule.key)
            elif value == ENABLED and rule.key == key and with_defaults(found)[rule.needs] == DISABLED:
                found[rule.needs] = ENABLED
                todo.append(rule.needs)
    return found
