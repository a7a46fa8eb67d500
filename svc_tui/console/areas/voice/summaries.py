"""Objects of voice records in words: office hours, overflows, further numbers, modules and options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from svc_tui.console.core.nested_labels import by_words, value_text
from svc_tui.console.core.summaries import Parts
from svc_tui.console.widgets.formatting import NOTHING, moment, written
from svc_tui.interface import catalogue, field_specs, labels, value_words
from svc_tui.interface.voice import access, week
from svc_tui.interface.voice.expansion_modules import MODULE_KEYS
from svc_tui.language import _


def _hours(value: Mapping[str, Any]) -> Parts:
    """Day by day."""

    return week.hours_by_day(value)


def overflow(value: object) -> str:
    """Where calls go, in few words."""
    if not isinstance(value, Mapping):
        return NOTHING
    match value.get("type"):
        case "closed_hours":
            return _("as when closed")
        case "office_hours":
            return _("as when open")
        case "number":
            return str(value.get("number") or NOTHING)
    name = str(value.get("userDisplayName") or value.get("name") or value.get("destinationId") or NOTHING)
    return _("voicemail of {name}").format(name=name) if value.get("toVoicemail") else name


def by_hand(value: Mapping[str, Any]) -> str:
    """The manual mode and its bounds: `closed by hand until 2026-11-23 09:00`."""
    mode = {"open": _("open by hand"), "closed": _("closed by hand")}.get(str(value.get("mode")))
    if mode is None:
        return _("by the hours")
    bounds = [mode]
    if start := value.get("startDate"):
        bounds.append(_("from {date}").format(date=moment(str(start)) or start))
    if end := value.get("endDate"):
        bounds.append(_("until {date}").format(date=moment(str(end)) or end))
    return " ".join(bounds)


def _numbers(value: object) -> Parts:
    """Further numbers in their order."""
    entries = value if isinstance(value, list) else []
    numbers = [each.get("numberE164") or each.get("phoneNumberId") for each in entries if isinstance(each, Mapping)]
    return {"": ", ".join(str(number) for number in numbers)} if numbers else {}


def _modules(value: object) -> Parts:
    """Expansion modules, with what their keys do."""

    found: Parts = {}
    for number, module in enumerate(value if isinstance(value, list) else (), start=1):
        keys = [" ".join(str(part) for part in _key(each) if part) for each in module.get("keys") or ()]
        of = MODULE_KEYS.get(module["type"], "?")
        found[f"{number}. {module['type']}"] = _("{keys} of {of} keys{value}{more}").format(
            keys=len(keys), of=of, value=": " * bool(keys), more=", ".join(keys)
        )
    return found


def _key(key: Mapping[str, Any]) -> tuple[Any, ...]:
    return key.get("position"), key.get("label"), key.get("number")


def model_of(value: object) -> str:
    """Vendor and model of a device."""
    kind = value if isinstance(value, Mapping) else {}
    return " ".join(str(kind[name]) for name in ("vendor", "model") if kind.get(name)) or NOTHING


def _options(value: object) -> Parts:
    """Options of a subscriber or a CloudPBX, each in a line."""

    options = value if isinstance(value, Mapping) else {}
    return {labels.label_of(str(name)): written(_in_words(option), by_words) for name, option in options.items()}


def _in_words(option: object) -> object:
    """An option, or those in an object, in words."""
    if isinstance(option, Mapping):
        return {name: _in_words(each) for name, each in option.items()}
    if not isinstance(option, str):
        return option
    known = {**access.OWN_PERMISSIONS, **access.OWN_RESTRICTIONS, **access.CLI_POLICIES}
    return known.get(option) or value_words.word(option)


def _declared(operation_id: str, field: str, value: object) -> Parts:
    """Each field of the object in a field under its declared label."""
    specs = field_specs.field_by_wire(catalogue.record_at(operation_id, field))
    values = value if isinstance(value, Mapping) else {}
    return {
        specs[name].label if name in specs else labels.label_of(str(name)): value_text(each, specs.get(name))
        for name, each in values.items()
    }


#: Options that lie in an object.
_OPTIONS = (
    "barringOptions",
    "bargeOptions",
    "callForwardOptions",
    "cliOptions",
    "emergencyOptions",
)
#: Field -> its parts in words, each under what it is called; a value that is one thing has one part without a name.
SUMMARIES: Mapping[str, Callable[[Any], Parts]] = {
    "officehours": _hours,
    "openHoursOverflow": lambda value: {"": overflow(value)},
    "closedHoursOverflow": lambda value: {"": overflow(value)},
    "manualMode": lambda value: {"": by_hand(value)},
    "welcomeServicesManualMode": lambda value: {str(each.get("name")): by_hand(each) for each in value},
    "secondaryDDIs": _numbers,
    "deviceType": lambda value: {"": model_of(value)},
    "expansionModules": _modules,
    **dict.fromkeys(_OPTIONS, _options),
    "overflowToVoicemail": partial(_declared, "get_subscriber", "overflowToVoicemail"),
    "overflowSubscribersToVoicemail": partial(_declared, "get_cloudpbx", "cloudpbx.overflowSubscribersToVoicemail"),
}
