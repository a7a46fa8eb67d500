"""What a form shows about its values: the line of each field with the notes beside its value, and the status."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from svc_tui.console.core.form import Form
from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import minutes_in_words
from svc_tui.console.widgets.sheet_lines import Line
from svc_tui.interface.field_specs import FieldSpec
from svc_tui.interface.texts import counted
from svc_tui.language import _


def field_line(form: Form, wire: str) -> Line:
    """The line of a field: its value, with a problem, why it is read-only, or a constraint beside it."""
    spec = form.spec(wire)
    label = spec.label + (" *" if spec.required else "")
    reason = form.why_not(wire)
    if reason:
        # The reason is below the form too, so it is cut before the value is.
        return Line("field", label, form.drawn(wire), reason, key=wire, style="dim", constraint=True)
    problem = form.problem(wire)
    if problem and not form.is_awaited(wire):
        note = form.unmet_requirements(wire) or problem
        return Line("field", label, form.drawn(wire), note, key=wire, note_style="bad", changed=form.changed(wire))
    note = safe_text(form.note(wire)).text or (
        _("deprecated") if spec.facet.deprecated else length_of_time(spec, form.values.get(wire))
    )
    note = note or called(form, wire)
    constraint = "" if note else short_constraint(spec.constraint_in_words)
    return Line(
        *("field", label, form.drawn(wire), note or constraint, wire),
        changed=form.changed(wire),
        constraint=bool(constraint),
    )


def status_pieces(form: Form, repairs: str) -> Sequence[Piece]:
    """How many fields have changed, and what to fix first. `repairs` names the key that sets dependent fields."""
    changed = sum(form.changed(spec.wire) for spec in form.specs)
    problems = form.problems()
    pieces = [Piece(_(" {changed} changed").format(changed=changed) if changed else _(" no changes"))]
    if following := form.following():
        pieces.append(Piece(f"   {counted(len(following), 'dependent field')}: {repairs}", "warn"))
    elif found := form.contradictions:
        label, unmet_requirements = form.spec(found[0].key).label, form.unmet_requirements(found[0].key)
        pieces.append(
            Piece(
                f"   {label} {unmet_requirements}" if unmet_requirements else f"   {label}: {found[0].sentence}",
                "warn",
            )
        )
    elif problems:
        label = form.spec(next(iter(problems))).label
        pieces.append(Piece(f"   {label} {next(iter(problems.values()))}", "warn"))
    return pieces


def short_constraint(constraint: str) -> str:
    """A constraint that has room beside the value; empty for a long one."""
    return constraint if len(constraint) <= 24 else ""


def length_of_time(spec: FieldSpec, value: Any) -> str:
    """A field of at least an hour of minutes as `1 day 4 h`; empty for others."""
    if spec.facet.unit != "minutes" or isinstance(value, bool) or not isinstance(value, int) or value < 60:
        return ""
    return minutes_in_words(value)


def called(form: Form, wire: str) -> str:
    """The ID of a record whose name is the value, which differs between equal names; else the name beside an ID."""
    value = form.values.get(wire)
    if not isinstance(value, str) or form.name_of(wire, value):
        return safe_text(value).text if isinstance(value, str) else ""
    name = form.named.get(value, "")
    return safe_text(name).text if name != value else ""
