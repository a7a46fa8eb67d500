"""The filter of a list view: the completion of the names of its columns, and the rows of a group of companies."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from svc_tui.console.core.resource import Resource
from svc_tui.console.widgets.list.columns import Column
from svc_tui.workspace.kinds.kind import fields_of
from svc_tui.workspace.lists.matching import Picks, without_separators

#: The name of a group of companies in the query of the filter form.
GROUP = "group"
_COMPANIES = "companies"


def completions(columns: Sequence[Column], text: str) -> Sequence[str]:
    """The names of columns that complete the last word of a typed filter: their headings, then their fields."""
    word = text.rpartition(" ")[2].removeprefix("!")
    before = text[: len(text) - len(word)]
    names = [without_separators(column.title) for column in columns] + [column.field for column in columns]
    return [f"{before}{name}:" for name in dict.fromkeys(names) if word and name.startswith(word)]


def is_over_companies(resource: Resource) -> bool:
    """Whether the records belong to companies, so that a group of these can be shown alone."""
    named = resource.report or resource.name in (_COMPANIES, "overview")
    return bool(named) or "companyId" in fields_of(resource.kind)


def of_companies(resource: Resource, companies: Collection[str] | None) -> Picks | None:
    """A check whether a row is one of these companies, or belongs to one; None for all companies."""
    if companies is None:
        return None
    field = resource.kind.id if resource.name == _COMPANIES else "companyId"
    return lambda row: str(row.get(field)) in companies
