"""Mappings of columns: files that a user writes, and their description in words."""

from __future__ import annotations

import difflib
import tomllib
from collections import defaultdict
from pathlib import Path

from svc_tui.interface.directory.csv.mapping import ColumnMapping, all_targets, target_of
from svc_tui.interface.texts import NotUtf8, text_of
from svc_tui.language import _
from svc_tui.workspace.core.folders import expanded
from svc_tui.workspace.files.saved_files import reason_of


def read_mapping(path: Path) -> dict[str, str]:
    """Heading -> target, empty to leave the column out. ValueError, with a sentence, for a file that is none."""
    try:
        found = tomllib.loads(text_of(expanded(path).read_bytes()))
    except OSError as error:
        raise ValueError(_("Cannot read {path}: {reason}.").format(path=path, reason=reason_of(error))) from None
    except NotUtf8 as error:
        raise ValueError(f"{path}: {error}.") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_("{path} is not TOML: {error}.").format(path=path, error=error)) from None
    for heading, target in found.items():
        if not isinstance(target, str) or not _is_target(target):
            message = _(
                "{path}: “{heading}”: “{target}” is no column of the service. Name one, or leave it empty{hint}."
            )
            raise ValueError(message.format(path=path, heading=heading, target=target, hint=_hint(target)))
    return found


def _is_target(target: str) -> bool:
    try:
        return not target or bool(target_of(target))
    except ValueError:
        return False


def _hint(target: object) -> str:
    near = difflib.get_close_matches(str(target), all_targets(), n=1)
    return _(" (did you mean {suggestion}?)").format(suggestion=near[0]) if near else ""


def mapping_lines(mapping: ColumnMapping | None) -> list[str]:
    """What was mapped to what, and which columns were left out, as lines; none where all have names of the service."""
    if mapping is None or not (mapping.program or mapping.left_out or any(a != b for a, b in mapping.taken)):
        return []
    headings = defaultdict[str, list[str]](list)
    for source in mapping.sources:
        if source.target:
            target = _("work, mobile or other number by its label") if source.label is not None else source.target
            headings[target].append(source.heading)
    taken = "; ".join(f"{', '.join(several)} → {target}" for target, several in headings.items())
    lines = [_("Columns of {program}: {taken}.").format(program=mapping.program or _("the file"), taken=taken)]
    if any(source.target == "state" for source in mapping.sources):
        lines.append(_("A state is taken only in the USA and in Canada."))
    if mapping.left_out:
        lines.append(_("Left out: {columns}.").format(columns=", ".join(mapping.left_out)))
    return lines
