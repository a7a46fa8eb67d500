"""Section 2.7 and its completion, copied from the text: accepted values, refused values and roles of each setting.

Nothing here is read from the declaration: a mistake there must show.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

ROLES = (
    "superadmin",
    "support",
    "business_admin",
    "customer_success_admin",
    "sales_analytics",
    "bp_admin",
    "bp_finance",
    "organization_admin",
    "company_admin",
    "site_admin",
    "directory_admin",
    "app_admin",
    "app_superadmin",
    "app_support",
    "telephony_cpaas",
    "user",
)
#: How the caller's company is related to the one that is set: it is that one, its BP, the BP of its BP, of the same
#: organisation, or a stranger.
RELATIONS = ("own", "customer", "reseller_customer", "organisation", "stranger")

Who = dict[str, tuple[str, ...]]

ANY = RELATIONS
SUPERADMIN: Who = {"superadmin": ANY}
BUSINESS: Who = {"superadmin": ANY, "business_admin": ANY}
#: "superadmin or the bp_finance of the linked BP company"
LINKED_FINANCE: Who = {"superadmin": ANY, "bp_finance": ("customer",)}
_MANAGED = ("customer", "reseller_customer")
#: "superadmin, bp_admin/bp_finance for companies they manage, organization_admin for companies they manage". For
#: an organization_admin, the own company is included where it belongs to the organisation.
MANAGING: Who = {
    "superadmin": ANY,
    "bp_admin": _MANAGED,
    "bp_finance": _MANAGED,
    "organization_admin": ("organisation",),
}
#: "superadmin and bp_admin only", "set by a BP admin"
BP_ADMIN: Who = {"superadmin": ANY, "bp_admin": ("own", *_MANAGED)}
#: "set by VAD bp_admin or superadmin", of IR companies, which are linked to the VAD
VAD_ADMIN: Who = {"superadmin": ANY, "bp_admin": ("customer",)}
#: Without its own rule: "Superadmin updates any; an admin only its own" (4.4).
PLAIN: Who = {
    "superadmin": ANY,
    "bp_admin": ("own",),
    "bp_finance": ("own",),
    "organization_admin": ("own",),
    "company_admin": ("own",),
}
#: Chosen: what a company pays for is not decided by itself.
OFFER: Who = {
    "superadmin": ANY,
    "bp_admin": ("customer",),
    "bp_finance": ("customer",),
    "organization_admin": ("organisation",),
}


@dataclass(frozen=True)
class Setting:
    """One row. `company` is the kind of company for which it applies; `elsewhere` is one for which it does not."""

    accepted: tuple[Any, ...]
    refused: tuple[Any, ...]
    default: Any = None
    who: Who = field(default_factory=lambda: PLAIN)
    company: dict[str, Any] = field(default_factory=dict)
    elsewhere: dict[str, Any] | None = None


def _boolean(default: Any = None, who: Who = PLAIN, **more: Any) -> Setting:
    return Setting((True, False), ("maybe", 2, []), default, who, **more)


def _text(most: int | None = None, who: Who = PLAIN, **more: Any) -> Setting:
    if most is None:
        return Setting(("x", "y" * 300), (5, ["x"]), None, who, **more)
    return Setting(("", "x", "x" * most), ("x" * (most + 1), 5), None, who, **more)


def _one(*values: str, default: Any = None, who: Who = PLAIN, **more: Any) -> Setting:
    return Setting(values, ("other", values[0].swapcase() + "?", 1), default, who, **more)


_MAIL = Setting(
    ("a@b.example", "x" * 243 + "@abc.example", "Jane.Doe+x@Mail.Example.org"),
    ("ab", "no address", "a@b", "a b@c.example", "@c.example", "x" * 244 + "@abc.example", 5),
)
_MAILS = Setting(([], ["a@b.example"], ["a@b.example"] * 10), (["a@b.example"] * 11, ["no address"], [5], "a"))
_BP = {"isBP": True}
_IR = {"isBP": True, "bpType": "IR"}
_VAD = {"isBP": True, "bpType": "VAD"}
_DR = {"isBP": True, "bpType": "DR"}
_TEXTS = Setting((["a"], ["a", "b"], []), ([1], 5, {"a": 1}))
_LETTERS = tuple("ABCDEFGHIJKLMNOPQRSTU")

#: The table of 2.7, row by row.
TABLE: dict[str, Setting] = {
    "adminAllowedUpdateSubscriptionsOps": _one("all", "increase_only", "monthly", who=LINKED_FINANCE),
    "adminHasRightToUpdateSubscriptions": _boolean(who=LINKED_FINANCE),
    "adminCanSetCustomData": _boolean(who=MANAGING),
    "adminEmail": _MAIL,
    "adminHasTheRightToEnableDeskphoneFailover": _boolean(False),
    "adminServiceNotificationsLevel": _one("high", "medium", "low"),
    "alertNotificationReception": _one("enabled", "disabled", default="disabled"),
    "alertNotificationSending": _one("enabled", "disabled", default="disabled"),
    "allowCloudPbxRecording": _boolean(False, SUPERADMIN),
    "allowDeviceFirmwareSelection": _boolean(False),
    "allowPhoneNumbersVisibility": _boolean(False, company=_BP, elsewhere={"isBP": False}),
    "allowTeamsToDesktopSso": _boolean(True),
    "allowUsersSelectPublicTheme": _boolean(True),
    "allowUsersSelectTheme": _boolean(True),
    "allowedProviderIds": Setting(_TEXTS.accepted, _TEXTS.refused, None, BP_ADMIN),
    "allowedRedirectDomains": _TEXTS,
    "autoAcceptUserInvitations": _boolean(True),
    "autoAddToUserNetwork": _boolean(False),
    "avatarShape": _one("square", "circle"),
    "billingModel": _one("monthly", "prepaid_1y", "prepaid_3y", "prepaid_5y"),
    "bpApplicantNumber": _text(255, SUPERADMIN, company=_DR, elsewhere=_IR),
    "bpBusinessModel": _one("referral", "resell", who=SUPERADMIN),
    "bpBusinessType": Setting(
        (["voice_by_partner", "voice_by_svc", "conference", "default"], ["default"], []), (["other"], "x", 5)
    ),
    "bpCRDid": _text(255, SUPERADMIN),
    "bpHasRightForBYOT": _boolean(who=SUPERADMIN),
    "bpHasRightToConnect": _boolean(True, SUPERADMIN),
    "bpHasRightToSell": _boolean(who=SUPERADMIN, company={"bpCRDid": "C1"}, elsewhere={}),
    "bpId": Setting((), (5, ["x"]), None, SUPERADMIN),
    "bpIsContractAccepted": _boolean(False),
    "bpType": _one("IR", "VAD", "DR", who=SUPERADMIN, company=_BP, elsewhere={"isBP": False}),
    "businessSpecific": _one("HDS", who=BUSINESS),
    "catalogId": Setting((), (5, ["x"]), None, SUPERADMIN),
    "city": _text(255),
    "cloudPbxRecordingInboundOnly": _boolean(True),
    "cloudPbxRecordingRetention": Setting((60, 61, 365), (59, 366, "long", 60.5), 60),
    "cloudPbxVoicemailToEmail": _one("none", "simple", "complete", default="none"),
    "companyCallNumber": _text(),
    "companyContactId": Setting((), (5, ["x"])),
    "allowCloudPbxDeviceAccess": _boolean(False, BP_ADMIN),
    "contentPolicyLifeTime": Setting((-1, 0, 525_600), (-2, "never", 1.5)),
    "documentGracePeriod": Setting((False, 0, 1440), (True, -1, "long"), False),
    "country": Setting(("FRA", "USA", "DEU"), ("FR", "FRAN", "fra", "XXX", 5), "FRA"),
    "csEmailList": _MAILS,
    "csmEmailList": _MAILS,
    "currency": _one("USD", "EUR", "CNY", who=SUPERADMIN),
    "customData": Setting(
        ({}, {"a": "b"}, {f"k{n}": "" for n in range(10)}, {"k" * 64: "v" * 512}),
        ({f"k{n}": "" for n in range(11)}, {"k" * 65: "v"}, {"k": "v" * 513}, {"k": 5}, ["x"], "x"),
        None,
        MANAGING,
    ),
    "ddiReadOnly": _boolean(who=VAD_ADMIN, company=_IR, elsewhere=_DR),
    "defaultLicenseGroup": Setting((), (5, ["x"])),
    "defaultOptionsGroups": Setting(([],), ([1], 5)),
    "delegatedCallPushDisable": _boolean(False, SUPERADMIN),
    "description": _text(2000),
    "disableCCareAdminAccess": _boolean(),
    "disableCCareAdminAccessCustomers": _boolean(company=_BP, elsewhere={"isBP": False}),
    "disableCCareAdminAccessResellers": _boolean(company=_VAD, elsewhere=_IR),
    "economicActivityClassification": Setting(_LETTERS, ("V", "AB", "a", 5)),
    "enableNewVirusScanPolicy": _boolean(),
    "endOfConferenceBehaviorSettings": Setting(([], [{"a": 1}]), (["x"], {"a": 1}, 5)),
}

_SIZES = (
    "self-employed",
    "1-10 employees",
    "11-50 employees",
    "51-200 employees",
    "201-500 employees",
    "501-1000 employees",
    "1001-5000 employees",
    "5001-10,000 employees",
    "10,001+ employees",
)

#: What section 10 of the completion adds.
COMPLETION: dict[str, Setting] = {
    "name": Setting(("x", "x" * 255), ("", "x" * 256, 5)),
    "street": _text(255),
    "state": _text(company={"country": "CAN"}, elsewhere={"country": "FRA"}),
    "postalCode": _text(64),
    "visibility": _one("public", "private", "closed", "isolated", default="private"),
    "visibleBy": _TEXTS,
    "status": _one("initializing", "active", "alerting", "hold", "terminated", who=SUPERADMIN),
    "offerType": _one("freemium", "premium", default="freemium", who=OFFER),
    "supportEmail": _MAIL,
    "supportUrlFAQ": _text(),
    "slogan": _text(255),
    "size": Setting(_SIZES, ("11-50", "many", 5), "self-employed"),
    "website": _text(2000),
    "userSelfRegisterAllowedDomains": _TEXTS,
    "isBP": _boolean(False, SUPERADMIN),
    "isCentrex": _boolean(False),
    "externalReference": _text(64),
    "externalReference2": _text(64),
    "salesforceAccountId": _text(),
    "superadminComment": _text(who=SUPERADMIN),
    "preferredSipLoadBalancerId": _text(who=SUPERADMIN),
    "selectedTheme": Setting(("blue", {"light": "a", "dark": "b"}), (5, [1])),
    "selectedThemeCustomers": _text(),
    "selectedDeviceFirmware": _one("released", "latest"),
    "mobilePermanentConnectionMode": _boolean(),
    "businessData": Setting(({}, {"a": 1}), ("x", 5, ["a"])),
    "timezone": _text(),
    "supervisionGroupMaxSize": Setting((0, 10), ("many", -1, 1.5)),
    "supervisionGroupMaxNumber": Setting((0, 10), ("many", -1, 1.5)),
    "supervisionGroupMaxUsers": Setting((0, 10), ("many", -1, 1.5)),
    "sendPrepaidSubscriptionsNotification": _boolean(),
    "seEmailList": _MAILS,
    "kamEmailList": _MAILS,
}

SETTINGS = {**TABLE, **COMPLETION}

#: The keys of 2.8, as they stand in the text (the last one is named there twice).
KEYS = """
useScreenSharingCustomisation, useWebRTCVideoCustomisation, useWebRTCAudioCustomisation,
useWebRTCOnlyIfMobileLoggedCustomisation, instantMessagesCustomisation, userProfileCustomisation,
userTitleNameCustomisation, fileStorageCustomisation, fileSharingCustomisation, phoneMeetingCustomisation,
useDialOutCustomisation, useChannelCustomisation, useRoomCustomisation, overridePresenceCustomisation,
changeTelephonyCustomisation, changeSettingsCustomisation, recordingConversationCustomisation, useGifCustomisation,
fileCopyCustomisation, fileTransferCustomisation, forbidFileOwnerChangeCustomisation, readReceiptsCustomisation,
useSpeakingTimeStatistics, eLearningCustomisation, eLearningGamificationCustomisation, meetingRecordingCustomisation,
useOtherPhoneMode, useComputerMode, useSoftPhoneMode, changeDNDFullScreen, autoAcceptExternalApp, setDNDAppointment,
ignoreVoipCallInDND, useTeamsMode, userAvatarCustomisation, imPopupDuration, canAccessWhatsNew,
canAccessFaqCustomisation, canAccessHelpCenterCustomisation, canAccessStoreCustomisation,
canDownloadAppCustomisation, canUseTestConfigCustomisation, canUseSendReportCustomisation, canUseTaskCustomisation,
canSetDNDinTeams, usePersonalAccessTokens, manageCustomizationFile, showFirstPhoneCalls,
canUseTranscriptionCustomisation, hidePresenceDurationCustomisation, canSynchCalendar,
canCallParticipantPbxNumberCustomisation, canSetInvisiblePresenceCustomisation, receivedFileCustomisation,
allowUsingFilesTooBigToVirusScan, alertNotificationReception, alertNotificationSending, useDialOutCustomisation
"""
FEATURE_KEYS = frozenset(key.strip() for key in KEYS.split(","))
FORCED_KEYS = frozenset(
    {"useSoftPhoneMode", "changeDNDFullScreen", "autoAcceptExternalApp", "setDNDAppointment", "ignoreVoipCallInDND"}
)


def values_of(key: str) -> tuple[set[Any], set[Any]]:
    """The accepted and the refused values of a feature key in a company."""
    if key == "imPopupDuration":
        return {0, 5}, {"enabled", -1}
    taken = {"enabled", "disabled"}
    if key in FORCED_KEYS:
        taken.add("forced")
    if key == "canCallParticipantPbxNumberCustomisation":
        taken |= {"internal", "national"}
    return taken, {"forced", "internal", "national", "same_than_company", "other", "Enabled", 1} - taken
