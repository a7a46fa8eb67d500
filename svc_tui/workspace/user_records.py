"""The records of a user on this machine, in the cache and the undo journal: opened, hidden and removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from svc_tui.cache import opening
from svc_tui.cache.cached import RecordDict
from svc_tui.cache.secrets import without_secrets
from svc_tui.cache.store import Cache
from svc_tui.language import _
from svc_tui.workspace.changes.journal import Journal
from svc_tui.workspace.core.folders import Folders, file_name
from svc_tui.workspace.core.service import Service
from svc_tui.workspace.profiles.preferences import Preferences

if TYPE_CHECKING:
    from svc_tui.client.profile import Profile
    from svc_tui.client.session import Session


class UserRecords:
    """The open cache and undo journal of a profile. Without a user both stay in memory.

    What is open follows the login and the decision of the profile (`Profile.browse_cache`). `reset` is called when
    other records are open, `on_error` when the cache fails.
    """

    def __init__(
        self,
        service: Service,
        profile: Profile,
        folders: Folders,
        *,
        cache_bytes: int,
        now: Callable[[], float],
        reset: Callable[[], None],
        on_error: Callable[[str], None],
    ) -> None:
        self._service, self._profile, self._folders = service, profile, folders
        self._cache_bytes, self._now, self._reset, self._on_error = cache_bytes, now, reset, on_error
        self.preferences = Preferences(folders.data_of(profile.name) / "preferences.json")
        self._was_logged_in = False
        last = self.preferences.user if profile.browse_cache != "never" else None
        self._open_for(_id(last))

    def follow(self, session: Session) -> None:
        """Open the records of a user who has logged in; after a logout, hide them by its rule."""
        if session.user is not None:
            self._remember(session.user)
            if session.state == "full" or self._profile.browse_cache != "never":
                self._show(_id(session.user))
        elif session.state == "none" and self._was_logged_in and self._profile.browse_cache != "always":
            # A logout, not an expired session.
            self._remember(None)
            self._show("")
        self._was_logged_in = session.user is not None

    def hide(self) -> bool:
        """Without a login, hide the records if the profile requires one; whether it does."""
        if self._profile.browse_cache == "never":
            self._show("")
        return self._profile.browse_cache == "never"

    def _remember(self, user: RecordDict | None) -> None:
        self.preferences.user = without_secrets("get_own_user", user) if user else None
        self.preferences.save()

    def _show(self, user_id: str) -> None:
        if user_id != self._user_id:
            self.cache.close()
            self._open_for(user_id)
            self._reset()

    def _open_for(self, user_id: str) -> None:
        self._user_id = user_id
        cache = self._folders.cache_of(self._profile.name) / f"{file_name(user_id)}.db" if user_id else None
        journal = self._folders.data_of(self._profile.name) / f"journal-{file_name(user_id)}.json" if user_id else None
        self.cache = Cache(cache, service=self._profile.base_url, limit_bytes=self._cache_bytes)
        self.cache.on_error = self._on_error
        self.journal = Journal(journal, self._service, self._now)


def forget_after_logout(profile: Profile, folders: Folders) -> str:
    """Hide or remove stored records by the rule of the profile; returns a sentence about what is left on the disk.

    OSError when a file cannot be removed.
    """
    caches = sorted(folders.cache_of(profile.name).glob("*.db"))
    if profile.browse_cache != "always":
        # Without a last user, the next start has no cache to show before the login.
        preferences = Preferences(folders.data_of(profile.name) / "preferences.json")
        preferences.user = None
        preferences.save()
    if profile.browse_cache == "never":
        for cache in caches:
            opening.remove(cache)
        for journal in folders.data_of(profile.name).glob("journal-*.json"):
            journal.unlink(missing_ok=True)
        return _("The cached records were removed.")
    if not caches:
        return _("No cached records stay on the disk.")
    if profile.browse_cache == "always":
        return _("Cached records stay in {parent}; `svc-tui cache clear` removes them.").format(parent=caches[0].parent)
    return _("Cached records stay in {parent} until the next login; `svc-tui cache clear` removes them.").format(
        parent=caches[0].parent
    )


def _id(user: RecordDict | None) -> str:
    return str((user or {}).get("id") or "")
