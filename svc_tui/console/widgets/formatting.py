"""Values as text: dates, durations, lists, yes and no, secrets.

`written` is what a screen shows of a value; `core.nested_labels.value_text` is that with choices and codes in words.
What is copied or printed as a cell is `interface.texts.cell_text`, what is sent is `client.requests.parameter_text`,
and what a filter searches is `workspace.lists.matching.searched_text`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Any

from svc_tui.console.terminal.text import LONGEST_LINE, safe_text
from svc_tui.interface import value_words
from svc_tui.interface.texts import counted
from svc_tui.language import DAY, ENGLISH, MOMENT, _, current, day_text, form, local_moment, number_text, plural

NOTHING = "—"
#: Style of a state -> its sign, which shows it without colours.
SIGNS = {"ok": "●", "accent": "◌", "warn": "▲", "bad": "×", "dim": "○"}
HIDDEN = "••••••••"
#: The most values of a list or an object that are written: more do not fit into the longest line.
_MOST_PARTS = LONGEST_LINE // 2


#: Name of a field in an object -> its label, and the same for the fields below it.
Labels = Callable[[str], tuple[str, "Labels"]]


def own_names(name: str) -> tuple[str, Labels]:
    """Names that are data, or belong to the API: shown unchanged."""
    return name, own_names


def written(value: object, labels: Labels = own_names) -> str:
    """A value in one line, safe to draw. `labels` are those of the fields of an object."""
    if value is None or value == "" or value == []:
        return NOTHING
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, str):
        return safe_text(moment(value) or value).text
    if isinstance(value, (int, float)):
        return number_text(value, ".12g") if isinstance(value, float) else str(value)
    if isinstance(value, Mapping):
        labelled = [(*labels(str(name)), item) for name, item in islice(value.items(), _MOST_PARTS)]
        return shortened(
            " · ".join(f"{safe_text(label).text} {written(item, below)}" for label, below, item in labelled)
        )
    if isinstance(value, Sequence):
        items = value[:_MOST_PARTS]
        nested = any(isinstance(item, (Mapping, list)) for item in items)
        return shortened((" ; " if nested else ", ").join(written(item, labels) for item in items))
    return safe_text(str(value)).text


def choice(value: object, record: Mapping[str, Any] | None = None) -> str:
    """A value of a choice in words, for columns."""
    return NOTHING if value in (None, "") else value_words.word(value)


def signed(text: str, style: str) -> str:
    """A state with the sign of its style in front."""
    return f"{SIGNS[style]} {text}" if style in SIGNS else text


def share(part: float, whole: float, columns: int) -> str:
    """A bar for a part of a whole, such as assigned licences; what exceeds the whole fills it."""
    filled = round(min(part / whole, 1) * columns) if whole > 0 else 0
    if part > 0:
        filled = max(filled, 1)
    if 0 < part < whole:
        filled = min(filled, columns - 1)
    return "━" * filled + "·" * (columns - filled)


def plain_share(value: object, record: Mapping[str, Any] | None = None) -> str:
    """A part of 1 in per cent, such as `12 %`, for columns."""
    return f"{number_text(value * 100, ',.0f')} %" if isinstance(value, int | float) else NOTHING


def shortened(text: str) -> str:
    """A text, or the beginning of one that is longer than what is drawn."""
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…"


def moment(text: str) -> str:
    """An ISO 8601 time as `2026-11-20 09:30` in local time, or a day as `2026-11-20`; empty for another text."""
    if len(text) == 10 and text[4] == text[7] == "-":
        return day_text(text)
    local = local_moment(text)
    return local.strftime(form(MOMENT)) if local else ""


def day(value: object, record: Mapping[str, Any] | None = None) -> str:
    """A day, or the local day of a time, for narrow columns."""
    return day_text(str(value or "")) or NOTHING


def whole_day(value: object, record: Mapping[str, Any] | None = None) -> str:
    """A value that stands for a day, also with a time of UTC: the same day in every time zone."""
    return day_text(str(value or "")[:10]) or NOTHING


#: Seconds of the units of an age, the largest first.
_SECONDS = {"year": 365.25 * 86400, "month": 30.44 * 86400, "day": 86400, "hour": 3600, "minute": 60}


def age(value: object, record: Mapping[str, Any] | None = None, now: datetime | None = None) -> str:
    """How long a time is ago, in words: `just now`, `5 minutes ago`, `3 days ago`; one to come as a day."""
    try:
        when = datetime.fromisoformat(str(value).replace("Z", "+00:00"))
    except ValueError:
        return str(value) if value else NOTHING
    now = now or datetime.now(UTC)
    seconds = (now - (when if when.tzinfo else when.replace(tzinfo=UTC))).total_seconds()
    if seconds < 0:
        return day(value)
    found = next((unit for unit, size in _SECONDS.items() if seconds >= size), "")
    number = int(seconds // _SECONDS[found]) if found else 0
    words = {
        "year": plural(number, "{number} year ago", "{number} years ago"),
        "month": plural(number, "{number} month ago", "{number} months ago"),
        "day": plural(number, "{number} day ago", "{number} days ago"),
        "hour": plural(number, "{number} hour ago", "{number} hours ago"),
        "minute": plural(number, "{number} minute ago", "{number} minutes ago"),
    }
    return words[found].format(number=number) if found else _("just now")


def until(value: object, today: date) -> str:
    """How long it is to a day, such as `today`, `tomorrow`, `in 25 days`; empty for a past one or another text."""
    try:
        days = (date.fromisoformat(str(value)[:10]) - today).days
    except ValueError:
        return ""
    if days < 0:
        return ""
    near = (_("today"), _("tomorrow"))
    return near[days] if days < len(near) else _("in {number} days").format(number=number_text(days))


def is_past(value: object, now: datetime | None = None) -> bool:
    """Whether an ISO 8601 time is past, or the end of a day, in UTC if it has no zone; False for another text."""
    text = str(value)
    try:
        when = datetime.fromisoformat(text.replace("Z", "+00:00"))
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        return when + timedelta(days=len(text) == len("2026-11-20")) < (now or datetime.now(UTC))
    except (ValueError, OverflowError):
        return False


def read_at(fetched: datetime | None, now: datetime | None = None) -> str:
    """When something was read, `read at 14:32` or `read on 2026-11-20`; empty within the first minute.

    A time stays true while nothing happens; an age would be sent to the terminal again and again.
    """
    now = now or datetime.now(UTC)
    if fetched is None or now - fetched < timedelta(minutes=1):
        return ""
    local = fetched.astimezone()
    return (
        _("read at {time}").format(time=f"{local:%H:%M}")
        if local.date() == now.astimezone().date()
        else _("read on {day}").format(day=local.strftime(form(DAY)))
    )


def from_cache(fetched: datetime | None) -> str:
    """That something is shown from the cache, and when it was read."""
    return ", ".join(filter(None, (_("from cache"), read_at(fetched))))


def duration(seconds: float) -> str:
    """A duration in its largest unit: `40 s`, `4 min`, `3 h`, `2 d`."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def minutes_in_words(minutes: int) -> str:
    """A number of minutes as `1 day 4 h`, `2 h 30 min`."""
    days, rest = divmod(minutes, 24 * 60)
    hours, left = divmod(rest, 60)
    parts = (
        counted(days, "day") * bool(days),
        f"{hours} h" * bool(hours),
        _("{left} min").format(left=left) * bool(left),
    )
    return " ".join(part for part in parts if part)


def title_in_sentence(title: str) -> str:
    """A title inside a sentence: `applications`; `API keys` and `CloudPBXs` keep their capitals, and so do
    all nouns of other languages."""
    return english_title_in_sentence(title) if current() == ENGLISH else title


def english_title_in_sentence(title: str) -> str:
    """An English title inside a sentence."""
    own = any(letter.isupper() for letter in title.partition(" ")[0][1:])
    return title if own else title[:1].lower() + title[1:]


def dotted(record: Mapping[str, Any], path: str) -> Any:
    """A value by its wire name, or by names with dots into nested objects."""
    if path in record:
        return record[path]
    value: Any = record
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
