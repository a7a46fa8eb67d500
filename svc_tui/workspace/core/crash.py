"""Internal errors: a log file that only this user can read, and one sentence that names the file."""

from __future__ import annotations

import os
import platform
import traceback
from datetime import UTC, datetime
from pathlib import Path

from svc_tui import __version__
from svc_tui.client.masking import mask_text
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders

#: Environment variable with the folder of crash logs; empty: the data folder.
CRASH_FOLDER = "SVC_TUI_CRASH_DIR"


def write_crash_log(error: BaseException) -> str:
    """Write the crash log; the sentence that names its file.

    Values of variables are left out and credentials in messages are masked: the file can be sent to others.
    """
    trace = "".join(traceback.format_exception(error))
    text = "".join(
        (
            f"svc-tui {__version__}, Python {platform.python_version()}, {platform.system()}\n",
            *(mask_text(line) for line in trace.splitlines(keepends=True)),
        )
    )
    # The folders of a demo are deleted with it, its crash logs must stay.
    kept = os.environ.get(CRASH_FOLDER)
    folder = Path(kept) if kept else folders().data
    path = folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{os.getpid()}.log"
    what = _("Internal error in svc-tui ({name}).").format(name=type(error).__name__)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as failure:
        error_message = _("The crash log could not be written to {folder} ({reason}).")
        return f"{what} {error_message.format(folder=folder, reason=failure.strerror)}"
    return f"{what} {_('Report it with the crash log {path}.').format(path=path)}"
