"""The top line: path, role, session and connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from svc_tui.console.core.places import Place
from svc_tui.console.widgets.bars import Piece
from svc_tui.interface.access import Role
from svc_tui.language import _
from svc_tui.workspace.core.link import in_steps

if TYPE_CHECKING:
    from svc_tui.console.core.resource import Resource
    from svc_tui.workspace.workspace import Workspace

#: The end of the session is shown from the first of these minutes before it, and again at each other one.
NEAR_END = (15, 10, 5, 2, 1)


def pieces(
    workspace: Workspace, crumbs: Sequence[str], width: int, slow_terminal: float | None = None
) -> tuple[list[Piece], list[Piece]]:
    """The left and right parts of a line of `width` cells; crumbs that do not fit are left out at the front.

    `slow_terminal`: the round trip to the terminal in seconds, where it is slow.
    """
    terminal = (
        []
        if slow_terminal is None
        else [Piece(_("terminal {in_steps} ms  ").format(in_steps=in_steps(slow_terminal)), "warn")]
    )
    right = [*_role(workspace), *_session_left(workspace), *terminal, *_link(workspace)]
    room = width - sum(cell_len(piece.text) for piece in right) - 3
    name, colour = f" {workspace.profile.name} ", workspace.profile.colour
    path = "▸ " + " ▸ ".join(crumbs)
    while len(crumbs) > 1 and cell_len(name + path) > room:
        crumbs, name, colour = crumbs[1:], " … ", ""
        path = "▸ " + " ▸ ".join(crumbs)
    return [Piece(name, colour), Piece(path, "accent")] if colour else [Piece(name + path, "accent")], right


def above(place: Place, resources: Mapping[str, Resource]) -> list[str]:
    """The titles of the kinds above a record that was opened directly."""
    kinds = [resources.get(name) for name in place.parts[:-1][::2]]
    return [kind.title for kind in kinds if kind is not None and not kind.placement.only]


def _role(workspace: Workspace) -> list[Piece]:
    caller = workspace.caller
    if caller is None:
        return _missing_login(workspace)
    if workspace.session is not None and workspace.session.state == "limited":
        # A login that waits for its second factor; its end says that it is missing.
        return []
    if workspace.lens is not None:
        return [Piece(_("as {lens}, read-only  ").format(lens=workspace.lens.value), "bad")]
    named = [role.value for role in Role if role in caller.roles and role is not Role.USER] or ["user"]
    more = f" +{len(named) - 1}" if len(named) > 1 else ""
    read_only = [Piece("read-only ", "warn")] if workspace.read_only else []
    return [*read_only, Piece(f"{named[0]}{more}  ")]


def _missing_login(workspace: Workspace) -> list[Piece]:
    # Until the stored session is read and the service has responded, there may still be a login.
    reading = workspace.session is None or workspace.link.state == "unknown"
    return [] if reading else [Piece(f"{_('not logged in')}  ", "warn")]


def _session_left(workspace: Workspace) -> list[Piece]:
    session = workspace.session
    if session is None or workspace.caller is None:
        return []
    if session.state != "full":
        return _missing_login(workspace)
    left = session.left()
    if left is None or left >= NEAR_END[0] * 60:
        return []
    minutes = min(each for each in NEAR_END if left < each * 60)
    return [Piece(_("less than {minutes} min left  ").format(minutes=minutes), "warn")]


def _link(workspace: Workspace) -> list[Piece]:
    link = workspace.link
    sign, style, word = {
        "live": ("●", "ok", ""),
        "slow": ("◐", "warn", _("slow ")),
        "offline": ("○", "bad", _("offline ")),
        "unknown": ("·", "dim", ""),
    }[link.state]
    waits = link.waiting and link.state != "offline"
    if waits:
        sign, style, word = "◐", "warn", _("waiting {waiting} s ").format(waiting=link.waiting)
    round_trip = None if waits or link.state == "offline" else link.round_trip
    trip = "" if round_trip is None else _("{in_steps} ms ").format(in_steps=in_steps(round_trip))
    unverified = _("TLS not verified ") if not link.verified else ""
    return [Piece(f"{sign} ", style), Piece(f"{unverified}{word}{trip}", "bad" if unverified else style)]
