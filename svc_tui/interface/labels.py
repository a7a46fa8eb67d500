"""How a field is called by people: from its wire name by rule, where its declaration says nothing else."""

from __future__ import annotations

import re
from functools import cache

#: Words that are not written in small letters, or not as they stand in a name.
_WRITTEN = {
    "aa": "AA",
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
    "dc": "DC",
    "ddi": "DDI",
    "ddis": "DDIs",
    "delta": "change of",
    "dmrr": "change of MRR",
    "dnd": "DND",
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
    "id": "id",
    "im": "IM",
    "info": "information",
    "ip": "IP",
    "iso": "ISO",
    "ivr": "IVR",
    "jid": "JID",
    "jwks": "JWKS",
    "kam": "KAM",
    "kpi": "KPI",
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
    "pstn": "PSTN",
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

#: Where the capitals of a name do not part its words.
_SPELLED = {
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

#: What a name begins with without saying anything: yes and no, and numbers, say it themselves.
_EMPTY = frozenset({"is", "has", "nb"})

#: From so many words on the last of names with dots says enough.
_TELLING = 3


@cache
def label_of(wire: str) -> str:
    """A wire name as a label: words apart, first one capital, abbreviations as they are written.

    One with dots is called by its last name; a short one says what it belongs to: `barringOptions.permissions` is
    `Barring permissions`.
    """
    above, _, wire = wire.rpartition(".")
    for written, meant in _SPELLED.items():
        wire = wire.replace(written, meant)
    words = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z0-9]+|[A-Z]+|\d+", wire)
    if len(words) > 1 and words[0] in _EMPTY:
        words = words[1:]
    said = [_WRITTEN.get(word.lower(), word.lower()) for word in words if word]
    text = " ".join(word for word in said if word)
    if above and len(words) < _TELLING:
        text = f"{label_of(above).removesuffix(' options')} {text}"
    if text.startswith("id "):
        text = "ID" + text[2:]
    return text[:1].upper() + text[1:]
