"""Records of images in the store."""

from __future__ import annotations

from datetime import datetime

from svc_tui.interface.fields import field
from svc_tui.interface.records import Record


class StoredSplashScreen(Record):
    """The choice of a company between its uploaded splash screen and the default one. `id` is the company's."""

    id: str = field(...)
    uploaded_used: bool = field(False)
    #: The mark of a BP: its customers show its splash screen instead of their own.
    forced: bool = field(False)
    last_update_date: datetime | None = field(None)
