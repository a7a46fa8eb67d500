"""The names of languages by their two-letter codes (ISO 639-1), and of variants that the service has."""

from __future__ import annotations

from svc_tui.language import _

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
