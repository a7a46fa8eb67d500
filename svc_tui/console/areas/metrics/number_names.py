"""What the numbers of statistics are called: their flat names in words."""

from __future__ import annotations

from svc_tui.console.terminal.text import safe_text
from svc_tui.language import _

_NAMES = {
    "profiles_business": _("profiles business"),
    "profiles_enterprise": _("profiles enterprise"),
    "systems_dailyConnected": _("systems daily connected"),
    "systems_oxe": _("systems oxe"),
    "systems_oxo": _("systems oxo"),
    "usages_activeUser": _("usages active user"),
    "usages_chat": _("usages chat"),
    "usages_conf": _("usages conf"),
    "usages_desk_osx": _("usages desk osx"),
    "usages_desk_win": _("usages desk win"),
    "usages_file": _("usages file"),
    "usages_groupchat": _("usages groupchat"),
    "usages_meeting": _("usages meeting"),
    "usages_mobile_android": _("usages mobile android"),
    "usages_mobile_ios": _("usages mobile ios"),
    "usages_node": _("usages node"),
    "usages_other": _("usages other"),
    "usages_web_win": _("usages web win"),
    "usages_webrtc": _("usages webrtc"),
    "usages_webrtc_missed": _("usages webrtc missed"),
    "users_activeUsers": _("users active users"),
    "users_dailyConnected": _("users daily connected"),
    "users_funnel": _("users funnel"),
    "users_monthlyConnected": _("users monthly connected"),
    "users_newUser": _("users new user"),
    "users_registered": _("users registered"),
    "users_total": _("users total"),
    "users_weeklyConnected": _("users weekly connected"),
}


def number_words(number: str) -> str:
    """A flat name in words: `users_dailyConnected` is `users daily connected`. The service may send others."""
    if number in _NAMES:
        return _NAMES[number]
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in number)
    return safe_text(words.replace("_", " ")).text
