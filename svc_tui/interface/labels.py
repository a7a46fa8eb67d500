"""Labels of fields: from one table, otherwise from the words of the wire name.

A declaration has a `label` of its own only where a field means something else than in other records.
"""

from __future__ import annotations

import re
from functools import cache

from svc_tui.language import _

#: Labels of wire names that do not explain themselves, or that are better without their last word.
LABELS = {
    "activateUnavailableOverflow": "Calls while offline",
    "allowUsingFilesTooBigToVirusScan": "Allow files too big to scan",
    "appId": "Application",
    "appName": "Application name",
    "billingProductRatePlanChargeId": "Billing rate plan charge ID",
    "billingProductRatePlanCharges": "Billing rate plan charges",
    "billingProductRatePlanId": "Billing rate plan ID",
    "billingProductRatePlanName": "Billing rate plan name",
    "billingProductRatePlans": "Billing rate plans",
    "bp1TCRDId": "First partner order system ID (CRD)",
    "bp2TCRDId": "Second partner order system ID (CRD)",
    "bpApplicantNumber": "Applicant number",
    "bpId": "Partner (BP)",
    "bpIds": "Partners (BP)",
    "bps": "Partners above",
    "bsSubscriptionId": "Business system subscription",
    "businessMax": "Business maximum",
    "callForkingToPstnNumber": "External number that rings too",
    "canUseTestConfigCustomisation": "Can use test configuration",
    "changeDNDFullScreen": "Do-not-disturb in full screen",
    "companyId": "Company",
    "companyIds": "Companies",
    "companyCalendarId": "Office hours",
    "companyCalendarName": "Name of the office hours",
    "companyNumberCanBeSelectedByUserAsCli": "Users can select the company number as CLI",
    "countRenewed": "Renewals",
    "effectiveDate": "Effective date",
    "env": "Deployment",
    "enterpriseMax": "Enterprise maximum",
    "errorCount": "Invalid rows",
    "exp": "Expiry time",
    "iat": "Issue time",
    "ignoreVoipCallInDND": "Ignore VoIP in do-not-disturb",
    "invoiceItems": "Invoice lines",
    "ipAddress": "IP address",
    "isAssignedAsSecondaryCloudPbxDDI": "Secondary DDI number",
    "isCloudPbxDDI": "DDI number of a CloudPBX",
    "isCloudPbxDefault": "Default of the CloudPBX",
    "jid_im": "Messaging address (JID)",
    "jid_password": "Messaging password (JID)",
    "jid_pbxagent": "PBX agent address (JID)",
    "jid_pbxagent_password": "PBX agent password (JID)",
    "jid_pbxpcg": "PBX gateway address (JID)",
    "jid_pbxpcg_password": "PBX gateway password (JID)",
    "jid_tel": "Telephony address (JID)",
    "lastDataCollectDate": "Last data collection",
    "ldapConfigId": "LDAP configuration",
    "loginEmail": "Login",
    "maxTokenRenew": "Maximum renewals",
    "mime": "MIME type",
    "monolineIncomingMode": "Single-line incoming mode",
    "nickName": "Nickname",
    "noReplyDelay": "Ringing time",
    "offerId": "Offer",
    "okCount": "Valid rows",
    "param": "Parameter",
    "phoneNumberId": "Subscriber",
    "prepaidDuration": "Prepaid term",
    "rawUserAgent": "Program",
    "regexpMatch": "Match pattern",
    "regexpReplace": "Replacement",
    "siteId": "Site",
    "siteIds": "Sites",
    "statusUpdatedDate": "Status change date",
    "subscriptionId": "Subscription",
    "syncOngoing": "Synchronisation in progress",
    "systemId": "CloudPBX",
    "telephonyBasicAttendantBargeIn": "Attendants can join calls",
    "uiLocales": "Page languages",
    "uid": "Login or external ID",
    "unavailableOverflow": "Calls while offline",
    "userCanManageItsCli": "Users can choose their CLI",
    "userId": "User",
    "visibleBy": "Visible to",
    "voiceAutoAttendantId": "Automatic attendant",
    "voiceAutoAttendantName": "Automatic attendant name",
    "voiceInstanceId": "Voice platform instance",
    "voiceNumber": "Number of the voicemail",
    "welcomeId": "Welcome",
    "welcomeName": "Name of the welcome",
    "welcomeServicesManualMode": "Manual modes with these hours",
}

#: Words of wire names with another spelling in labels.
_SPELLINGS = {
    "api": "API",
    "auth": "OAuth",
    "bp": "BP",
    "bp1": "first partner",
    "bp2": "second partner",
    "bps": "BPs",
    "bs": "BS",
    "byot": "BYOT",
    "capex": "CAPEX",
    "cli": "CLI",
    "cloudpbx": "CloudPBX",
    "cpaas": "CPaaS",
    "crd": "CRD",
    "cs": "CS",
    "csm": "CSM",
    "csv": "CSV",
    "dc": "data centre",
    "ddi": "DDI",
    "ddis": "DDIs",
    "delta": "change of",
    "dmrr": "change of MRR",
    "dnd": "do-not-disturb",
    "dtcv": "change of TCV",
    "e164": "E.164",
    "ecs": "end customers",
    "elearning": "e-learning",
    "env": "environment",
    "faq": "FAQ",
    "filename": "file name",
    "filepath": "file path",
    "fullname": "full name",
    "gif": "GIF",
    "id": "ID",
    "ids": "IDs",
    "im": "message",
    "info": "information",
    "ip": "IP",
    "iso": "ISO",
    "ivr": "welcome service",
    "jid": "JID",
    "jwks": "JWKS",
    "kam": "KAM",
    "kpi": "Usage plan (KPI)",
    "ldap": "LDAP",
    "mac": "MAC",
    "mfa": "MFA",
    "mime": "MIME",
    "mrr": "MRR",
    "msg": "message",
    "o": "",
    "oauth": "OAuth",
    "officehours": "office hours",
    "openhours": "open hours",
    "ops": "operations",
    "otp": "OTP",
    "oxe": "OXE",
    "oxo": "OXO",
    "pbx": "PBX",
    "pbxagent": "PBX agent",
    "pbxpcg": "PBX PCG",
    "pstn": "public network",
    "qrcode": "QR code",
    "rtc": "RTC",
    "sap": "SAP",
    "se": "SE",
    "sip": "SIP",
    "sms": "SMS",
    "sso": "SSO",
    "stats": "statistics",
    "synch": "synchronise",
    "synchro": "synchronisation",
    "tcv": "TCV",
    "timezone": "time zone",
    "ui": "UI",
    "uid": "UID",
    "uri": "URI",
    "uris": "URIs",
    "url": "URL",
    "username": "user name",
    "voip": "VoIP",
    "webrtc": "WebRTC",
    "whats": "what's",
    "wpl": "WPL",
}

#: Parts of wire names whose capitals do not separate words.
_SEPARATED = {
    "OAuth": "Oauth",
    "bp1T": "bp1",
    "bp2T": "bp2",
    "CRDid": "CrdId",
    "ECs": "Ecs",
    "CRDId": "CrdId",
    "DDIs": "Ddis",
    "DNDin": "DndIn",
    "CCare": "CustomerCare",
    "WebRTC": "Webrtc",
    "WebRtc": "Webrtc",
    "CloudPbx": "Cloudpbx",
    "cloudPbx": "cloudpbx",
    "eLearning": "elearning",
    "eMail": "email",
    "voiceMail": "voicemail",
}

#: First words of wire names without their own meaning.
_EMPTY = frozenset({"is", "has", "nb"})

#: Number of words from which the last part of a name with dots is a label by itself.
_ENOUGH = 3


@cache
def label_of(wire: str) -> str:
    """The label of a wire name in the language of the process."""
    return _(english_label(wire))


def english_label(wire: str) -> str:
    """The label of a wire name in English: from the table, otherwise its words in sentence case.

    A name with dots has the label of its last part; a short one has its parent in front: `barringOptions.permissions`
    is `Barring permissions`. A last word `Customisation` is left out.
    """
    parent, _dot, last = wire.rpartition(".")
    if last in LABELS:
        return LABELS[last]
    for written, separated in _SEPARATED.items():
        last = last.replace(written, separated)
    words = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+|\d+", last)
    if len(words) > 1 and words[0] in _EMPTY:
        words = words[1:]
    if len(words) > 1 and words[-1] == "Customisation":
        words = words[:-1]
    spelled = [_SPELLINGS.get(word.lower(), word.lower()) for word in words]
    text = " ".join(word for word in spelled if word)
    if parent and len(words) < _ENOUGH:
        text = f"{english_label(parent).removesuffix(' options')} {text}"
    return text[:1].upper() + text[1:]
