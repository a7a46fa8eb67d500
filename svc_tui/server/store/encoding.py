"""JSON of stored documents as callers see them, kept by the text of the document.

Callers who may see the same of a document get the same bytes: a list joins them, and decodes, filters and encodes only
what was changed since. The text is the key, so the cache can never be outdated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pydantic_core import from_json, to_json

from svc_tui.server.store.tables import Document

#: What a caller sees of a stored document. A pure function, the same object each time: it is a key.
Show = Callable[[Document], Document]

#: Memory of the cache, in bytes, and an estimate of what each entry takes besides its texts.
_MOST, _ENTRY = 32 * 1024 * 1024, 200


class Encoded:
    """The JSON of documents in one database. Entries that were not used for a long time are dropped."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most // 2
        self._recent: dict[Show, dict[str, bytes]] = {}
        self._older: dict[Show, dict[str, bytes]] = {}
        self._size = 0

    def of(self, texts: Iterable[str], show: Show) -> list[bytes]:
        """The JSON of what `show` makes of each of these documents."""
        recent, older = self._recent.setdefault(show, {}), self._older.get(show, {})
        found = []
        for text in texts:
            encoded = recent.get(text)
            if encoded is None:
                encoded = recent[text] = older.get(text) or to_json(show(from_json(text)))
                self._size += len(text) + len(encoded) + _ENTRY
            found.append(encoded)
        if self._size > self._most:
            self._recent, self._older, self._size = {}, self._recent, 0
        return found
