"""What the columns of a file are, chosen one by one or together, and remembered for files with the same headings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from svc_tui.console.core.choice import Choice
from svc_tui.console.core.resource import Context
from svc_tui.console.dialogs.picker import Picker
from svc_tui.interface.directory.csv.columns import all_columns, suggested_columns
from svc_tui.interface.directory.csv.mapping import all_targets, target_of
from svc_tui.interface.directory.csv.programs import generic_target, heading_of, recognised
from svc_tui.language import _

_ALL, _LEAVE, _LINE, _DONE, _OUT = "all", "leave", "line", "done", "out"
#: Where the preferences have the mappings.
_STORED = "directory_mappings"


def stored_choices(context: Context, names: Sequence[str]) -> dict[str, str]:
    """The choices that were stored for these headings. Empty when there are none."""
    found = context.workspace.preferences.of(_STORED).query.get(_key(names))
    known = found.items() if isinstance(found, Mapping) else ()
    return {
        str(name): str(target)
        for name, target in known
        if target == "" or target in all_targets() or target in all_columns()
    }


def store_choices(context: Context, names: Sequence[str], choices: Mapping[str, str]) -> None:
    """Store the choices for files with these headings."""
    context.workspace.preferences.of(_STORED).query[_key(names)] = dict(choices)
    context.workspace.preferences.save()


def _key(names: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def targets(names: Sequence[str], choices: Mapping[str, str]) -> list[str | None]:
    """The target of each column: empty for those that are left out, None for unknown ones."""
    known = recognised(names)
    found: list[str | None] = []
    for place, name in enumerate(names):
        if name in choices:
            found.append(choices[name])
        elif known is not None:
            found.append(known.sources[place].target)
        else:
            found.append(name if name in all_columns() and name not in names[:place] else None)
    return found


def are_known(names: Sequence[str], choices: Mapping[str, str]) -> bool:
    """Whether it is known of each column what it is."""
    return None not in targets(names, choices)


async def ask_columns(context: Context, names: Sequence[str], choices: Mapping[str, str]) -> dict[str, str] | None:
    """Ask what the columns are: heading -> target. Esc keeps the choices so far. None to edit the line instead."""
    found = dict(choices)
    while True:
        now = targets(names, found)
        suggested = _suggestions(names, now)
        if found != choices and None not in now and not recognised(names):
            return found
        chosen = await context.stage.ask(Picker(_("Names of the columns"), _columns(names, now, suggested)))
        if chosen in (None, _DONE):
            return found
        if chosen == _LINE:
            return None
        if chosen == _ALL:
            found |= {names[place]: target for place, target in suggested.items() if target}
        elif chosen == _LEAVE:
            found |= {names[place]: "" for place, target in enumerate(now) if target is None}
        else:
            place = int(str(chosen))
            target = await _ask_target(context, names, now, place, suggested.get(place, ""))
            if target is not None:
                found[names[place]] = "" if target == _OUT else target


def _suggestions(names: Sequence[str], now: Sequence[str | None]) -> dict[int, str]:
    """Position of each unknown column -> the column to use. Empty where none is similar."""
    current = [name if target is None else target or "-" for name, target in zip(names, now, strict=True)]
    near = suggested_columns(current)
    return {
        place: near.get(place) or generic_target(heading_of(names[place]))[0]
        for place, target in enumerate(now)
        if target is None
    }


def _columns(names: Sequence[str], now: Sequence[str | None], suggested: Mapping[int, str]) -> list[Choice]:
    """The choices: all suggestions, all unknown columns, one column, or the line itself."""
    found = []
    if count := sum(bool(target) for target in suggested.values()):
        all_suggested = _("Apply all {suggested} suggestions").format(suggested=count)
        found.append(Choice(_ALL, all_suggested if count > 1 else _("Apply the suggestion")))
    if suggested:
        all_unknown = _("Leave out all {count} unknown columns").format(count=len(suggested))
        found.append(Choice(_LEAVE, all_unknown if len(suggested) > 1 else _("Leave out the unknown column")))
    else:
        found.append(Choice(_DONE, _("Use these columns")))
    places = [*suggested, *(place for place in range(len(names)) if place not in suggested)]
    found += [
        Choice(str(place), _called(names, place), _hint(names[place], now[place], suggested.get(place, "")))
        for place in places
    ]
    return [*found, Choice(_LINE, _("Edit the line"))]


def _hint(name: str, target: str | None, suggestion: str) -> str:
    if target is None:
        return _("did you mean {name}?").format(name=suggestion) if suggestion else _("unknown")
    if not target:
        return _("left out")
    return _("unchanged") if target == name else f"→ {target}"


def _called(names: Sequence[str], place: int) -> str:
    return names[place] or _("column {place}").format(place=place + 1)


async def _ask_target(
    context: Context, names: Sequence[str], now: Sequence[str | None], place: int, suggested: str
) -> str | None:
    """Ask for what a column is; the suggested target comes first."""
    taken = {target_of(target)[0]: name for name, target in zip(names, now, strict=True) if target}

    def hint(target: str) -> str:
        if target == base:
            return _("suggested")
        other = taken.get(target, "")
        joined = other and other != names[place] and not all_targets()[target][0].several
        return _("joined with {name}").format(name=other) if joined else ""

    base = target_of(suggested)[0] if suggested else ""
    ordered = sorted(all_targets(), key=lambda target: target != base)
    choices = [Choice(target, target, hint(target)) for target in ordered]
    at = 1 if base else 0
    choices.insert(at, Choice(_OUT, _("Leave out")))
    return await context.stage.ask(Picker(_("Name of {called}").format(called=_called(names, place)), choices))
