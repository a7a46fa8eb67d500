"""The directory of a company at a glance: its entries and its last import."""

from __future__ import annotations

from collections.abc import Iterator

from svc_tui.console.areas.directory.entries import ENTRIES_NAME
from svc_tui.console.areas.directory.names import DIRECTORY_NAME
from svc_tui.console.core.overview import Entry, Facts, Remedy, Section, SetupStep
from svc_tui.console.core.places import Place
from svc_tui.console.widgets.formatting import day, written
from svc_tui.interface.directory.values import import_findings
from svc_tui.interface.errors import Finding
from svc_tui.language import _, number_text

_COUNTS = ("created", "updated", "deleted", "failed")


def _entries_place(facts: Facts) -> Place:
    return Place(("companies", str(facts.record["id"]), ENTRIES_NAME))


def _import_place(facts: Facts) -> Place:
    return Place(("companies", str(facts.record["id"]), DIRECTORY_NAME, "import"))


def _entries(facts: Facts) -> Iterator[Entry]:
    known = facts.known(ENTRIES_NAME)
    yield Entry(_("Entries"), number_text(known.total) if known.rows is not None else "", ENTRIES_NAME)
    last = facts.one(DIRECTORY_NAME)
    if last is None:
        yield Entry(_("Last import"), read=DIRECTORY_NAME)
        return
    counts = ", ".join(f"{number_text(last[name])} {name}" for name in _COUNTS if last.get(name))
    yield Entry(_("Last import"), f"{written(last.get('startTime'))}   {counts or last.get('state')}", DIRECTORY_NAME)


def _setup(facts: Facts) -> Iterator[SetupStep]:
    known = facts.known(ENTRIES_NAME)
    done = known.total > 0 if known.rows is not None else None
    yield SetupStep(90, _("directory"), done, _("Import the directory."), Remedy(_import_place(facts)))


def _findings(facts: Facts) -> Iterator[Finding]:
    last = facts.one(DIRECTORY_NAME)
    if last is not None:
        yield from import_findings(last, facts.now)


def _changes(facts: Facts) -> Iterator[Entry]:
    last = facts.one(DIRECTORY_NAME) or {}
    if at := last.get("startTime"):
        yield Entry(
            day(at),
            _("Directory imported by {name}").format(name=last.get("displayName") or "?"),
            DIRECTORY_NAME,
            at=str(at),
        )


SECTIONS = (
    Section(
        title=_("Directory"),
        reads={ENTRIES_NAME: _entries_place, DIRECTORY_NAME: _import_place},
        only_shown=frozenset({ENTRIES_NAME}),
        entries=_entries,
        findings=_findings,
        setup=_setup,
        remedy=lambda facts, finding: Remedy(_import_place(facts)),
    ),
    Section(title=_("Last changes"), latest=True, entries=_changes),
)
