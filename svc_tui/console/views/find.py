"""The results of the search over everything, in groups, the best first; the text is changed in place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from textwrap import wrap
from typing import Any

from textual.app import ComposeResult

from svc_tui.console.core.call_line import CommandCall
from svc_tui.console.core.place_requests import call_of_link
from svc_tui.console.core.places import FIND, Link, Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.list_filter import GROUP
from svc_tui.console.views.sheet_view import SheetView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.base import in_background
from svc_tui.console.widgets.formatting import dotted, title_in_sentence
from svc_tui.console.widgets.sheet import Sheet
from svc_tui.console.widgets.sheet_lines import Line, safe
from svc_tui.interface.labels import label_of
from svc_tui.interface.texts import counted
from svc_tui.language import _, number_text
from svc_tui.workspace.core.events import Event, LinkChanged, SessionChanged
from svc_tui.workspace.kinds.registry import SEARCH_RULES
from svc_tui.workspace.kinds.search_rule import SearchRule
from svc_tui.workspace.search.ranking import OTHER, SearchGap, SearchResult, in_groups, matching_field
from svc_tui.workspace.search.recognition import SHORTEST, in_words
from svc_tui.workspace.search.search import Search
from svc_tui.workspace.workspace import Workspace

#: A text that is searched only in a group of companies.
_OF_GROUP = re.compile(rf"{GROUP}:([\w-]+)\s*(.*)")
#: Pause after the last key before the service is asked, in seconds. Cached records are shown at once.
PAUSE = 0.3
#: Results of a kind that are shown at first beside those of other kinds.
MOST_OF_A_KIND = 5
#: The first word of the key of the line that shows all results of a kind.
_ALL = "all"
_HINTS = (
    _("an e-mail address or login"),
    _("a name of a user, company, site, application or contact"),
    _("a telephone number in any notation, or an internal number"),
    _("a MAC address in any notation"),
    _("an identifier, or an invoice or subscription number"),
    _("any of these only in a group of companies, after `group:NAME`"),
)


class FindView(SheetView):
    """The results for a text. `near` are the ids of the records around the user."""

    kind = "results"
    no_call = _("no result is selected")
    filter_hint = _("a name, number or ID")

    def __init__(self, workspace: Workspace, resources: Mapping[str, Resource], text: str, near: Place) -> None:
        super().__init__(_place(text))
        self._workspace, self._resources = workspace, resources
        self._near = near.records
        #: The text whose results are shown again when an edit of the text is cancelled.
        self._accepted = text
        #: The name of a group of companies that does not exist.
        self._unknown = ""
        self._search = self._search_for(text)
        self._forget: Callable[[], None] = lambda: None
        #: The result that the cursor goes to when it arrives; empty when there is none, or the user moved it.
        self._returns_to = ""
        #: The line with the cursor when the results were drawn.
        self._drawn_cursor = ""
        #: The kinds whose results are all shown.
        self._whole: set[str] = set()

    def compose(self) -> ComposeResult:
        yield Sheet(label_width=30, notes_right=True)

    def on_mount(self) -> None:
        self._forget = self._workspace.subscribe(self._workspace_changed)
        self._start(self._search)

    def on_resize(self) -> None:
        self._draw()

    # --- the text ----------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """The text that is searched for, as it was typed."""
        return self._text

    def _search_for(self, text: str) -> Search:
        """The search for a text, after `group:NAME` only in the companies of a group."""
        self._text, found = text, _OF_GROUP.fullmatch(text)
        if found is None:
            self._unknown = ""
            return Search(self._workspace, text, self._near)
        group = self._workspace.preferences.groups.get(found[1])
        self._unknown = "" if group else found[1]
        return Search(self._workspace, found[2], self._near, group.companies if group else ())

    def search(self, text: str) -> None:
        """Search for another text; the search for the previous one ends."""
        self._accepted = text
        self.place = _place(text)
        self.post_message(self.Moved())
        if text != self.text:
            self._start(self._search_for(text))
        else:
            # It was typed and is accepted now.
            self._search.persist()

    def filter_typed(self, text: str) -> None:
        if text != self.text:
            self._start(self._search_for(text), PAUSE)

    def filter_done(self, text: str | None) -> None:
        self.search(self._accepted if text is None else text.strip())
        if text is None and not self._accepted:
            self.post_message(self.ActionRequested("back"))

    def search_rest(self) -> None:
        """Ask all companies and CloudPBXs that are left, until `cancel_refresh`."""
        self._search.rest()
        self._draw()

    def cancel_refresh(self) -> str:
        return _("Search stopped.") if self._search.stop() else ""

    @property
    def shortened(self) -> str:
        """The kind of which the selected line shows all results; empty on another line."""
        word, _space, kind = self.cursor.partition(" ")
        return kind if word == _ALL else ""

    def show_all(self) -> None:
        """Show all results of the kind, with the cursor on the first of those that were left out."""
        for rule, hits in self._groups():
            if rule.kind == self.shortened:
                self._whole.add(rule.kind)
                self._returns_to = _key(hits[MOST_OF_A_KIND])
                self._draw()
                return

    @property
    def cursor(self) -> str:
        return self.sheet.line.key if self.sheet.line else ""

    def return_to(self, cursor: str) -> None:
        """Put the cursor on a result as soon as it has arrived."""
        self._returns_to = cursor
        self._draw()

    def on_sheet_moved(self) -> None:
        # Drawing more results moves the cursor too.
        if self.cursor != self._drawn_cursor:
            self._returns_to = ""

    def refresh_now(self) -> None:
        self._workspace.retry_now()
        self._start(self._search_for(self.text))

    def _start(self, search: Search, pause: float = 0) -> None:
        self._search.close()
        if search.text != self._search.text:
            self._whole.clear()
            self.sheet.home()
        elif not self.sheet.at_start:
            self._returns_to = self.cursor
        self._search = search
        search.changed(lambda _: self._draw())
        search.start(pause)
        if not pause:
            search.persist()
        self._draw()

    def _workspace_changed(self, event: Event) -> None:
        """Ask the service that could not be asked before."""
        if (
            isinstance(event, LinkChanged | SessionChanged)
            and self._search.error_message
            and not self._workspace.obstacle()
        ):
            self._start(self._search_for(self.text))

    # --- drawing -----------------------------------------------------------------------------------------------

    @property
    def crumb(self) -> str:
        return _("Find: {text}").format(text=self.text) if self.text else _("Find")

    @property
    def ready(self) -> bool:
        return self._search.finished or bool(self._search.hits)

    @property
    def hit(self) -> SearchResult | None:
        """The selected result."""
        line = self.sheet.line
        kind, _space, id = line.key.partition(" ") if line is not None else ("", "", "")
        return self._search.hits.get((kind, id))

    @property
    def can_continue(self) -> bool:
        """Whether there is something left that can be asked."""
        return self._search.can_continue

    def place_of(self, hit: SearchResult) -> Place:
        """The place of a result."""
        resource = self._resources[hit.kind]
        led = resource.placement.leads(hit.record)
        if led is not None:
            return led
        opened = self._resources[resource.placement.opens or hit.kind]
        return opened.related_place(
            Place(tuple(part for above in hit.above.items() for part in above)), hit.record, hit.id
        )

    def calls(self) -> Sequence[CommandCall]:
        if self.hit is None:
            return ()
        place = self.place_of(self.hit)
        call = call_of_link(Link(place), self._resources[place.kind], self._workspace)
        return () if call is None else (call,)

    def status(self) -> Sequence[Piece]:
        search = self._search
        if self._unknown:
            return [Piece(" " + _("No group “{name}”. `:group` lists all.").format(name=self._unknown), "warn")]
        if len(search.text.strip()) < SHORTEST:
            return [Piece(self.with_keys(_(" {find_text} changes the text, {back} goes back")), "dim")]
        cached = sum(hit.cached for hit in search.hits.values())
        pieces = [Piece(f" {counted(len(search.hits), 'result')}")]
        if cached:
            pieces.append(Piece(_(", {cached} from the cache").format(cached=cached), "dim"))
        if search.error_message:
            return [*pieces, Piece(f"   {search.error_message}", "warn")]
        if search.asks_rest:
            asked, total = search.progress
            text = _("   {asked} of {total} searched, {{back}} stops").format(
                asked=number_text(asked), total=number_text(total)
            )
            return [*pieces, Piece(self.with_keys(text), "accent")]
        pieces.append(
            Piece(
                _("   searching… ({requests})").format(requests=search.requests)
                if not search.finished
                else f"   {counted(search.requests, 'request')}",
                "dim",
            )
        )
        if search.can_continue:
            pieces.append(Piece(self.with_keys(_("   {find_more} searches the rest")), "accent"))
        return pieces

    def _draw(self) -> None:
        if self.is_attached:
            # Results arrive in any order: the cursor is on the best one until the user moves it.
            at_start = self.sheet.at_start
            self.sheet.show(list(self._lines()))
            if self._returns_to:
                returns_to = self._returns_to
                self.sheet.go_to(returns_to)
                self._returns_to = "" if self.cursor == returns_to else returns_to
            elif at_start:
                self.sheet.home()
            self._drawn_cursor = self.cursor
            self.notify_changed()
            self._name_companies()

    def _name_companies(self) -> None:
        """Find the names of the companies that results name only by their IDs, once the search has ended."""
        unnamed = [hit for hit in self._search.hits.values() if hit.record.get("companyId") and not self._where(hit)]
        ids = {str(hit.record["companyId"]) for hit in unnamed if hit.kind != "companies"}
        if ids and self._search.finished and self._workspace.referenced.lacks_companies(ids):
            in_background(self, partial(self._load_names, ids), group="companies", exclusive=True)

    async def _load_names(self, ids: set[str]) -> None:
        if await self._workspace.referenced.load_companies(ids):
            self._draw()

    def _lines(self) -> Iterator[Line]:
        search = self._search
        if len(search.text.strip()) < SHORTEST:
            yield Line("heading", _("What can be found"))
            yield from (Line("text", value=f"  {hint}", style="dim") for hint in _HINTS)
            return
        groups = self._groups()
        for rule, hits in groups:
            yield Line("heading", f"{self._resources[rule.kind].title} ({len(hits)})")
            # A line in place of a single result would save nothing.
            whole = len(groups) == 1 or rule.kind in self._whole or len(hits) <= MOST_OF_A_KIND + 1
            shown = hits if whole else hits[:MOST_OF_A_KIND]
            yield from (self._line(hit, rule) for hit in shown)
            if not whole:
                text = _("{count} more").format(count=number_text(len(hits) - len(shown)))
                yield Line("text", value=f" {text}", style="dim", key=f"{_ALL} {rule.kind}")
        if not search.hits:
            meant = _(" as {meanings}").format(meanings=in_words(search.meanings)) if search.meanings else ""
            if search.error_message:
                text = _("Nothing found{meant} in the cache. Service not searched yet.").format(meant=meant)
            elif search.finished:
                text = _("Nothing found{meant}.").format(meant=meant)
            else:
                text = _("Searching{meant}…").format(meant=meant)
            yield Line("text", value=text, style="dim")
        yield from self._gap_lines(search.gaps)

    def _groups(self) -> Sequence[tuple[SearchRule, Sequence[SearchResult]]]:
        return in_groups(SEARCH_RULES, self._search.hits.values())

    def _line(self, hit: SearchResult, rule: SearchRule) -> Line:
        resource = self._resources[hit.kind]
        label, where = resource.label(hit.record), self._where(hit)
        texts = [_in_words(resource, name, value) for name in rule.shows if (value := dotted(hit.record, name))]
        reason = self._reason_of(hit, rule)
        value = ", ".join([*([reason] if reason else []), *(text for text in texts if text != where)])
        value = "   ".join(part for part in (value, where) if part)
        return Line("field", safe(label), safe(value), _("cached") if hit.cached else "", key=_key(hit))

    def _reason_of(self, hit: SearchResult, rule: SearchRule) -> str:
        """The field in which the service found the text, if none of those that are compared and shown contains it."""
        if hit.rank != OTHER:
            return ""
        name, text = matching_field(self._search.meanings, hit.record)
        return f"{label_of(name)}: {text}" if name and name not in rule.shows else ""

    def _where(self, hit: SearchResult) -> str:
        """The company of a result, or the record in whose list it is."""
        if hit.kind == "companies":
            return ""
        company_id = hit.record.get("companyId")
        named: list[Any] = [hit.record.get("companyName"), self._workspace.referenced.company(company_id)]
        ids = [("companies", company_id), *hit.above.items()]
        for kind, id in ids:
            found = self._search.hits.get((kind, str(id)))
            named.append(self._resources[kind].label(found.record) if found else self._search.name_of(kind, str(id)))
        return str(next((name for name in named if name), ""))

    def _gap_lines(self, gaps: Sequence[SearchGap]) -> Iterator[Line]:
        """Gaps of the search; kinds with the same reason share a line."""
        reasons: dict[str, list[str]] = {}
        for gap in gaps:
            reasons.setdefault(self._reason(gap), []).append(self._resources[gap.kind].title if gap.kind else "")
        if reasons:
            yield Line("heading", _("Not searched"))
        for reason, titles in reasons.items():
            names = ", ".join(title_in_sentence(title) if at else title for at, title in enumerate(titles) if title)
            text = safe(f"{names}: {reason}" if names else reason)
            yield from (
                Line("text", value=f" {part}", style="dim") for part in wrap(text, max(20, self.size.width - 3))
            )

    def _reason(self, gap: SearchGap) -> str:
        if gap.reason:
            return gap.reason
        count = _("{asked} of {total}").format(asked=number_text(gap.asked), total=number_text(gap.total))
        if gap.of == gap.kind:
            return _("only {count} shown").format(count=count)
        return _("only in {count} {title}").format(count=count, title=title_in_sentence(self._resources[gap.of].title))

    @property
    def record(self) -> Mapping[str, Any] | None:
        return None

    def close(self) -> None:
        self._forget()
        self._search.close()
        super().close()


def _key(hit: SearchResult) -> str:
    """The key of the line of a result."""
    return f"{hit.kind} {hit.id}"


def _place(text: str) -> Place:
    return Place((FIND, text) if text else (FIND,))


def _in_words(resource: Resource, name: str, value: Any) -> str:
    """A value with the word that the list of its kind has for it."""
    states = next((column.state for column in resource.display.columns if column.field == name), None)
    return states[value][0] if states and value in states else str(value)
