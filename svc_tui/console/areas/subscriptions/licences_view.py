"""The users of a company by their licence of one subscription: the holders, the others, or all users."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from svc_tui.console.core.places import Place
from svc_tui.console.core.resource import Resource
from svc_tui.console.views.list import ListView
from svc_tui.console.widgets.bars import Piece
from svc_tui.console.widgets.formatting import NOTHING, day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.interface.data import RecordData
from svc_tui.interface.texts import counted
from svc_tui.language import _
from svc_tui.workspace.subscriptions.licences import free, held, profiles_of
from svc_tui.workspace.workspace import Workspace

#: The users in the list, with the words of the status line.
SHOWN = {"holders": _("with a licence"), "others": _("without a licence"), "all": _("all users")}


class HoldersView(ListView):
    """The users of a company, with their licence of the subscription of the list."""

    #: One of SHOWN.
    who = "holders"

    def __init__(self, place: Place, resource: Resource, workspace: Workspace, *, unicode: bool = True) -> None:
        self.subscription_id = place.parents.get("subscriptions", "")
        super().__init__(place, resource.with_columns(_columns(self.subscription_id)), workspace, unicode=unicode)
        path = {"companyId": self.company_id, "subscriptionId": self.subscription_id}
        self._source = workspace.record("get_company_subscription", path=path)
        self._forget_source = self._source.subscribe(self.notify_changed)

    def on_mount(self) -> None:
        super().on_mount()
        # The number of free licences is as new as the list.
        self._source.retry()

    @property
    def company_id(self) -> str:
        """The company whose users are listed."""
        caller = self.workspace.caller
        return self.place.parents.get("companies") or (caller.company_id if caller else "")

    @property
    def subscription(self) -> Mapping[str, Any] | None:
        """The subscription with all fields, once it is read."""
        return None if self._source.partial else self._source.data

    @property
    def called(self) -> str:
        """The name of the subscription."""
        return str((self._source.data or {}).get("offerName") or self.owner or self.subscription_id)

    @property
    def crumb(self) -> str:
        return _("{title} of {called}").format(title=self.resource.title, called=self.called)

    def picks(self, filtered: Callable[[RecordData], bool] | None) -> Callable[[RecordData], bool] | None:
        if self.who == "all":
            return filtered
        holding = self.who == "holders"

        def picked(row: RecordData) -> bool:
            return (held(row, self.subscription_id) is not None) == holding and (filtered is None or filtered(row))

        return picked

    def show_next(self) -> None:
        """Show the next of SHOWN."""
        kinds = list(SHOWN)
        self.show_who(kinds[(kinds.index(self.who) + 1) % len(kinds)])

    def show_who(self, who: str) -> None:
        """Show one of SHOWN."""
        self.who = who
        self._filtered()

    @property
    def _empty(self) -> str:
        if self.filter_text or self.form_query:
            return super()._empty
        return _("No user has a licence of this subscription.") if self.who == "holders" else _("No users.")

    def status(self) -> Sequence[Piece]:
        pieces = list(super().status())
        if self.listing.total is not None:
            pieces[0] = Piece(f" {counted(self.listing.total, 'user')}")
        pieces.insert(1, Piece(f"   {SHOWN[self.who]}", "accent"))
        left = free(self.subscription or {})
        if left is not None:
            pieces.insert(
                2,
                Piece(
                    _("   {left} of {all} licences free").format(
                        left=left, all=(self.subscription or {}).get("maxNumberUsers")
                    )
                ),
            )
        return pieces

    def refresh_now(self) -> None:
        super().refresh_now()
        self._source.refresh()

    def close(self) -> None:
        self._forget_source()
        self._source.close()
        super().close()


def _columns(subscription_id: str) -> tuple[Column, ...]:
    def since(row: Mapping[str, Any]) -> str:
        profile = held(row, subscription_id)
        return NOTHING if profile is None else day(profile.get("assignationDate"))

    def others(row: Mapping[str, Any]) -> str:
        # The default subscription is left out: all users have it.
        rest = [each for each in profiles_of(row) if not each.get("isDefault") and not _is(each)]
        names = [str(each.get("offerName") or "?") for each in rest]
        return ", ".join(names) or NOTHING

    def _is(profile: Mapping[str, Any]) -> bool:
        return profile.get("subscriptionId") == subscription_id

    return (
        Column(field="displayName", title="NAME", width=18, flex=2, sort_field="displayName"),
        Column(field="loginEmail", title="LOGIN", width=24, flex=2, whole=33, sort_field="loginEmail", priority=1),
        Column(field="profiles", title="SINCE", width=10, of=since),
        Column(field="profiles", title="OTHER LICENCES", width=16, flex=2, of=others, priority=2),
    )
