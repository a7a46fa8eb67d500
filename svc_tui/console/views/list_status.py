"""The status line of a list view: the number of rows, the filter, and when the rows were read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from svc_tui.console.terminal.text import safe_text
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import from_cache, title_in_sentence, written
from svc_tui.language import _, number_text

if TYPE_CHECKING:
    from svc_tui.console.core.places import Place
    from svc_tui.console.core.resource import Resource
    from svc_tui.workspace.lists.filters import Filter
    from svc_tui.workspace.lists.listing import Listing
    from svc_tui.workspace.workspace import Workspace


#: Said after a number of records that are those of the caller's company only.
OF_OWN_COMPANY = _(" in your company")


def count_piece(listing: Listing, resource: Resource) -> Piece:
    """The number of rows, and of those without the filter."""
    total, of = listing.total, listing.unfiltered_total
    if total is None:
        return Piece(_(" loading…") if not listing.error_message else _(" no data"))
    if of is not None and of != total:
        return Piece(_(" {total} of {of}").format(total=number_text(total), of=number_text(of)))
    return Piece(f" {resource.counted(total)}")


def awaited_text(listing: Listing, other_company_key: str) -> str:
    """What a list without rows says: that it is loading, or why it has none and where another company's list is.

    `other_company_key` is the key that opens this list of a selected company; empty when it is not of the own one.
    """
    if not listing.error_message or not other_company_key:
        return listing.error_message or _("Loading…")
    hint = _("This is the list of your company. For another company, select it in Companies and press {key}.").format(
        key=other_company_key
    )
    return f"{listing.error_message} {hint}"


def no_matches_text(hint: str, offered: str, with_keys: Callable[[str], str]) -> str:
    """What a list says whose filter nothing matches: how to clear it, and another one that is `offered`."""
    text = f"{with_keys(_('No matches. {back} clears the filter.'))} {hint}".rstrip()
    if offered:
        # Braces in the typed text are no keys.
        offer = with_keys(_("{{wider_filter}} filters by {wider} instead.").format(wider="\0"))
        text += " " + offer.replace("\0", safe_text(offered).text)
    return text


def source_pieces(listing: Listing) -> list[Piece]:
    """Why rows may be old or missing, or when they were read and whether they are read again."""
    if listing.error_message and listing.total is None:
        # The body of the list shows the sentence.
        return []
    if listing.error_message:
        return [Piece(f"   {listing.error_message}", "warn")]
    pieces = []
    if listing.read_from == "cache":
        pieces.append(Piece(f"   {from_cache(listing.fetched_at)}", "dim"))
    if listing.refreshing:
        pieces.append(Piece(_(" · refreshing") if listing.read_from == "cache" else _("   refreshing"), "dim"))
    return pieces


def filter_pieces(text: str, form_query: Mapping[str, Any], filtered: Filter, listing: Listing) -> list[Piece]:
    """The filter in the status line: as typed, what is not understood in it, and what was searched."""
    pieces = [Piece(f"   /{safe_text(text).text}", "accent")] if text else []
    if filtered.note:
        pieces.append(Piece(f"   {safe_text(filtered.note).text}", "warn"))
    if form_query:
        filters = ", ".join(f"{safe_text(name).text}={_filter_value(value)}" for name, value in form_query.items())
        pieces.append(Piece(f"   {filters}", "accent"))
    if filtered.searched and not filtered.note:
        pieces.append(Piece(_("   searched: {searched}").format(searched=_searched(filtered, listing)), "dim"))
    if listing.cut:
        pieces.append(Piece(_("   more by {labels}").format(labels=_labels(listing.cut)), "warn"))
    return pieces


def marks_pieces(busy: str, marked: int, cleared: bool) -> list[Piece]:
    """The marks: their progress while they are set, their number, or that a new filter cleared them."""
    if busy:
        return [Piece(f"   {busy}", "warn")]
    if marked:
        return [Piece(_("   {marked} marked").format(marked=marked), "accent")]
    return [Piece(_("   marks cleared"), "warn")] if cleared else []


def _searched(filtered: Filter, listing: Listing) -> str:
    """The fields that text without a column was compared with, and how many rows were searched if not all."""
    loaded, total = listing.loaded, listing.unfiltered_total
    part = _("; {loaded} loaded").format(loaded=number_text(loaded)) if total is not None and loaded < total else ""
    every = () if listing.asked and part else (_("every column"), *filtered.searched)
    return _labels(tuple(dict.fromkeys((*every, *listing.asked)))) + part


def _labels(labels: Sequence[str]) -> str:
    return ", ".join(title_in_sentence(label) for label in labels)


def _filter_value(value: object) -> str:
    """A value of the filter form; the first or last moment of a day as that day."""
    return written(value).removesuffix(" 00:00").removesuffix(" 23:59")


def how_to_create(resource: Resource, place: Place, workspace: Workspace) -> str:
    """What to do in a list without records, with `{new}` for the key; empty where none can be created here."""
    if not resource.create or resource.missing(place):
        return ""
    decision = workspace.decide(resource.create)
    if decision.allowed:
        return _("{new} creates the first one.")
    return _("To create one: {reason}.").format(reason=decision.reason)
