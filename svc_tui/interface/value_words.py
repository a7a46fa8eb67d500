"""Words for the values of choices that mean the same in every field, and the names of languages (ISO 639-1). A field
with other words declares them itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from svc_tui.language import _

WORDS: dict[str, str] = {
    # Switches of companies, templates and users
    "enabled": _("enabled"),
    "disabled": _("disabled"),
    "forced": _("forced"),
    "internal": _("internal"),
    "national": _("national"),
    "same_than_company": _("as the company"),
    "company_policy": _("as the company"),
    "authorized": _("allowed"),
    "not_authorized": _("not allowed"),
    "not_available": _("not available"),
    "not_activated": _("not activated"),
    "activated": _("activated"),
    "none": _("none"),
    "all": _("all"),
    "default": _("default"),
    "other": _("other"),
    # Types of templates
    "default_company": _("default of companies"),
    "default_user": _("default of users"),
    "private_default_company": _("private default of companies"),
    # Accounts of users
    "free": _("free of charge"),
    "basic": _("basic"),
    "advanced": _("advanced"),
    # States
    "new": _("new"),
    "active": _("active"),
    "alerting": _("alerting"),
    "hold": _("on hold"),
    "initializing": _("initializing"),
    "creating": _("creating"),
    "terminating": _("terminating"),
    "terminated": _("terminated"),
    "blocked": _("blocked"),
    "stopped": _("stopped"),
    "deleted": _("deleted"),
    "failed": _("failed"),
    "unknown": _("unknown"),
    "not_deployed": _("not deployed"),
    "in_deployment": _("deploying"),
    "deployed": _("deployed"),
    "OK": _("OK"),
    "success": _("success"),
    "failure": _("failure"),
    "pending": _("pending"),
    "done": _("done"),
    "refused": _("refused"),
    "Initializing": _("initializing"),
    "Creating": _("creating"),
    "Completed successfully": _("completed successfully"),
    "Completed with failure": _("completed with failure"),
    "Deleted": _("deleted"),
    # Changes
    "create": _("create"),
    "update": _("update"),
    "delete": _("delete"),
    "perform": _("perform"),
    "login": _("login"),
    "failed login": _("failed login"),
    "lock": _("lock"),
    "attempt": _("attempt"),
    "created": _("created"),
    # Applications
    "web": _("web"),
    "mobile": _("mobile"),
    "desktop": _("desktop"),
    "server": _("server"),
    "bot": _("bot"),
    "iot": _("IoT"),
    "admin": _("admin"),
    "business": _("business"),
    "payasyougo": _("pay as you go"),
    "svcstore": _("store"),
    "appconnect": _("app connect"),
    "dateOfCreation": _("date of creation"),
    "dateOfDeploymentRequest": _("date of the deployment request"),
    "dateOfDeployment": _("date of deployment"),
    # Companies
    "public": _("public"),
    "private": _("private"),
    "organization": _("organisation"),
    "closed": _("closed"),
    "isolated": _("isolated"),
    "freemium": _("freemium"),
    "premium": _("premium"),
    "high": _("high"),
    "medium": _("medium"),
    "low": _("low"),
    "small": _("small"),
    "full": _("full"),
    "square": _("square"),
    "circle": _("circle"),
    "released": _("released"),
    "latest": _("latest"),
    "simple": _("simple"),
    "complete": _("complete"),
    "referral": _("referral"),
    "resell": _("resale"),
    "conference": _("conference"),
    "services": _("services"),
    "voice": _("voice"),
    "voice_by_partner": _("voice by the partner"),
    "voice_by_svc": _("voice by the service"),
    "monthly": _("monthly"),
    "prepaid_1y": _("prepaid, 1 year"),
    "prepaid_3y": _("prepaid, 3 years"),
    "prepaid_5y": _("prepaid, 5 years"),
    "increase_only": _("increases only"),
    "self-employed": _("self-employed"),
    "1-10 employees": _("1-10 employees"),
    "11-50 employees": _("11-50 employees"),
    "51-200 employees": _("51-200 employees"),
    "201-500 employees": _("201-500 employees"),
    "501-1000 employees": _("501-1000 employees"),
    "1001-5000 employees": _("1001-5000 employees"),
    "5001-10,000 employees": _("5001-10,000 employees"),
    "10,001+ employees": _("10,001+ employees"),
    # Users and their second factor
    "landline": _("landline"),
    "fax": _("fax"),
    "home": _("home"),
    "work": _("work"),
    "DEFAULT": _("default"),
    "never": _("never"),
    "untrusted_only": _("untrusted applications only"),
    "always": _("always"),
    "totp": _("authenticator codes"),
    # Telephony
    "internal_only": _("internal calls only"),
    "external_only": _("external calls only"),
    "in": _("incoming"),
    "out": _("outgoing"),
    "fixed": _("fixed"),
    "variable": _("variable"),
    "new_call": _("new call"),
    "attended_transfer": _("attended transfer"),
    "blind_transfer": _("blind transfer"),
    "optional": _("optional"),
    "mono_line": _("single line"),
    "multi_lines": _("several lines"),
    "multi_lines_plus": _("several lines plus"),
    "desk_phone": _("desk phone"),
    "dect": _("DECT phone"),
    "generic": _("generic"),
    # Periods, orders and lists
    "hour": _("hour"),
    "day": _("day"),
    "month": _("month"),
    "1": _("ascending"),
    "-1": _("descending"),
    "personal": _("personal"),
    "company": _("company"),
}

#: Business models of offers, whose `none` is not the general one.
BUSINESS_MODELS = {
    "nb_users": _("per user"),
    "usage": _("by usage"),
    "flat_fee": _("flat fee"),
    "nb_services": _("per service"),
    "none": _("free"),
}


def capitalised(text: str) -> str:
    """A word as its own value."""
    return text[:1].upper() + text[1:]


def word(value: object) -> str:
    """The word for a value inside a sentence; the value itself where it has none."""
    text = str(value)
    return WORDS.get(text, text)


@cache
def words_of(choices: tuple[str, ...], own: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """The words for the choices of a field: its `own`, otherwise those that mean the same in every field."""
    return MappingProxyType({**{value: WORDS[value] for value in choices if value in WORDS}, **dict(own)})


#: A number that is no length of time.
UNLIMITED = {"-1": _("unlimited")}

LANGUAGE_NAMES: dict[str, str] = {
    "ar": _("Arabic"),
    "bg": _("Bulgarian"),
    "ca": _("Catalan"),
    "cs": _("Czech"),
    "da": _("Danish"),
    "de": _("German"),
    "el": _("Greek"),
    "en": _("English"),
    "es": _("Spanish"),
    "et": _("Estonian"),
    "fi": _("Finnish"),
    "fr": _("French"),
    "he": _("Hebrew"),
    "hr": _("Croatian"),
    "hu": _("Hungarian"),
    "it": _("Italian"),
    "ja": _("Japanese"),
    "ko": _("Korean"),
    "lt": _("Lithuanian"),
    "lv": _("Latvian"),
    "nl": _("Dutch"),
    "no": _("Norwegian"),
    "pl": _("Polish"),
    "pt": _("Portuguese"),
    "pt_br": _("Brazilian Portuguese"),
    "ro": _("Romanian"),
    "ru": _("Russian"),
    "sk": _("Slovak"),
    "sl": _("Slovenian"),
    "sv": _("Swedish"),
    "tr": _("Turkish"),
    "uk": _("Ukrainian"),
    "zh": _("Chinese"),
}
