"""What the numbers of statistics are called."""

from __future__ import annotations

from svc_tui.console.terminal.text import safe_text
from svc_tui.language import _

_NAMES = {
    "profiles_business": _("Business licences"),
    "profiles_enterprise": _("Enterprise licences"),
    "systems_dailyConnected": _("systems connected today"),
    "systems_oxe": _("OXE systems"),
    "systems_oxo": _("OXO systems"),
    "usages_activeUser": _("active users"),
    "usages_chat": _("chats"),
    "usages_conf": _("conferences"),
    "usages_desk_osx": _("uses on macOS"),
    "usages_desk_win": _("uses on Windows"),
    "usages_file": _("files shared"),
    "usages_groupchat": _("group chats"),
    "usages_meeting": _("meetings"),
    "usages_mobile_android": _("uses on Android"),
    "usages_mobile_ios": _("uses on iOS"),
    "usages_node": _("uses by Node programs"),
    "usages_other": _("other uses"),
    "usages_web_win": _("uses in browsers"),
    "usages_webrtc": _("calls"),
    "usages_webrtc_missed": _("missed calls"),
    "users_activeUsers": _("active users in all"),
    "users_dailyConnected": _("users connected today"),
    "users_funnel": _("users by progress"),
    "users_monthlyConnected": _("users connected this month"),
    "users_newUser": _("new users"),
    "users_registered": _("registered users"),
    "users_total": _("users in all"),
    "users_weeklyConnected": _("users connected this week"),
}

#: The clients whose uses are counted, by flat name.
CLIENT_NAMES = {
    "usages_desk_win": "Windows",
    "usages_desk_osx": "macOS",
    "usages_web_win": _("Browser"),
    "usages_mobile_android": "Android",
    "usages_mobile_ios": "iOS",
    "usages_node": _("Node programs"),
    "usages_other": _("Others"),
}
#: The same for the users by what they do.
USER_NAMES = {
    "users_total": _("All users"),
    "users_registered": _("Registered"),
    "users_monthlyConnected": _("Connected this month"),
    "users_weeklyConnected": _("Connected this week"),
    "users_dailyConnected": _("Connected today"),
    "users_newUser": _("New"),
    "users_funnel": _("Not yet registered"),
}


def number_words(number: str) -> str:
    """A flat name in words: `users_dailyConnected` is `users daily connected`. The service may send others."""
    if number in _NAMES:
        return _NAMES[number]
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in number)
    return safe_text(words.replace("_", " ")).text
