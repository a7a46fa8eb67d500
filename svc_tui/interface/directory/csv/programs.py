"""The program that wrote a file, recognised by its headings, and what its columns are."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from svc_tui.interface.companies.countries import folded
from svc_tui.interface.directory.csv.columns import all_columns
from svc_tui.interface.directory.csv.mapping import OTHER, ColumnMapping, Source, mapping_of, tables
from svc_tui.language import _

#: The name of known headings that are not taken over, in the tables.
_LEFT_OUT = "-"
#: Fewer known headings are a file of a user, unless there are no others.
_FEWEST, _SHARE = 3, 0.6
_NUMBERED = re.compile(r"(e mail|email|phone|address|organization) (\d{1,2}) (.+)")
#: `Email Address [Required]`, in exports of Google Workspace.
_IN_BRACKETS = re.compile(r"\[[^\]]*\]")


@dataclass(frozen=True, slots=True)
class Program:
    """A program with its headings, folded: heading -> target with its rank; an empty target is known, but left out."""

    name: str
    headings: Mapping[str, tuple[str, int]]
    numbered: bool = False

    def known(self, heading: str) -> tuple[str, int] | None:
        """Target and rank of a heading, folded; None for an unknown one."""
        if not self.numbered or (found := _NUMBERED.fullmatch(heading)) is None:
            return self.headings.get(heading)
        target = _numbered().get(f"{found[1]} {found[3]}", "")
        return target, int(found[2]) - 1 if target not in ("", "number") else 0


def heading_of(text: str) -> str:
    """A heading as it is compared: without accents, upper case, punctuation and texts in brackets."""
    return folded(_IN_BRACKETS.sub(" ", text))


@cache
def _numbered() -> dict[str, str]:
    """Headings of Google without their number -> target."""
    return {heading: target for target, several in tables()["google_numbered"].items() for heading in several}


@cache
def programs() -> tuple[Program, ...]:
    """The known programs, the more likely first."""

    def program(name: str, *of: str, numbered: bool = False) -> Program:
        found: dict[str, tuple[str, int]] = {}
        for key, headings in ((key, headings) for table in of for key, headings in tables()[table].items()):
            target, _at, rank = key.partition("@")
            for heading in headings:
                found.setdefault(heading_of(heading), ("" if target == _LEFT_OUT else target, int(rank or 0)))
        return Program(name, found, numbered)

    english = "outlook_english"
    return (
        program("Google Contacts", "google", numbered=True),
        program("Thunderbird", "thunderbird_english"),
        program("Outlook / Microsoft 365", english),
        program("Entra", "entra"),
        program("Active Directory", "active_directory"),
        program("Exchange", "exchange"),
        # Exports in another language have some headings in English.
        program(_("Outlook / Microsoft 365 (German)"), "outlook_german", english),
        program(_("Outlook / Microsoft 365 (French)"), "outlook_french", english),
        program(_("Outlook / Microsoft 365 (Spanish)"), "outlook_spanish", english),
        program(_("Outlook / Microsoft 365 (Portuguese)"), "outlook_portuguese", english),
        program(_("Thunderbird (German)"), "thunderbird_german"),
        program(_("Thunderbird (French)"), "thunderbird_french"),
        program(_("Thunderbird (Spanish)"), "thunderbird_spanish"),
        program(_("Thunderbird (Portuguese)"), "thunderbird_portuguese"),
    )


def recognised(headings: Sequence[str]) -> ColumnMapping | None:
    """The mapping of the program that has these headings; None for the names of the service, and for unknown ones."""
    texts = [heading_of(heading) for heading in headings]
    named = [text for text in texts if text]
    # One with a name that only a program has: `country` alone says nothing.
    if all(heading in all_columns() for heading in headings if heading) or {
        folded(name) for name in all_columns()
    }.issuperset(named):
        return None
    best, most = None, 0
    for program in programs():
        count = sum(program.known(text) is not None for text in named)
        if count > most and (count == len(named) >= 2 or (count >= _FEWEST and count >= len(named) * _SHARE)):
            best, most = program, count
    if best is None:
        return None
    found = _sources(headings, texts, best)
    return mapping_of(found, best.name) if any(source.target in _NAMING for source in found) else None


_JOB_TITLE = ("jobTitle", 0)
_NAMING = frozenset({"firstName", "lastName", "companyName"})


def _sources(headings: Sequence[str], texts: Sequence[str], program: Program) -> list[Source]:
    found = []
    for place, (heading, text) in enumerate(zip(headings, texts, strict=True)):
        target, rank = program.known(text) or generic_target(text)
        if text == "title" and not target and not any(program.known(other) == _JOB_TITLE for other in texts):
            # In exports of users this is what Outlook calls the job title.
            target = "jobTitle"
        elif text == "titre" and "titre" in texts[place + 1 :]:
            # Outlook has two columns of this name: the form of address, and the job title behind it.
            target = ""
        if target != "number":
            found.append(Source(heading, target, rank))
            continue
        label = _label(text, texts)
        found.append(Source(heading, OTHER, label=label))
    return found


def _label(value: str, texts: Sequence[str]) -> int | None:
    """The position of the column with the label of this number."""
    start = value.removesuffix("value")
    return next((place for place, text in enumerate(texts) if text in (f"{start}label", f"{start}type")), None)


def generic_target(text: str) -> tuple[str, int]:
    """Target and rank of a folded heading that any program has; an empty target when none has it."""
    return next((found for program in programs() if (found := program.known(text)) and found[0] != "number"), ("", 0))
