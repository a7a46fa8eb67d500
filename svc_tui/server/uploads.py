"""Request bodies that are too large for memory: kept in an unnamed file that ends with the process."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from typing import IO

from starlette.requests import Request

from svc_tui.interface.operations import AnyOperation
from svc_tui.interface.problems import Problem
from svc_tui.server.bodies import UTF_8, TooLarge, media_and_charset
from svc_tui.server.refusal import invalid
from svc_tui.server.settings import Settings

#: Bytes that stay in memory.
IN_MEMORY = 1 << 20
#: Other content types that clients send for CSV.
_OTHER_TYPES = ("", "text/plain", "application/octet-stream")


class Upload:
    """A request body in a file. It is closed with the request, unless the rule takes it."""

    def __init__(self, file: IO[bytes], is_abandoned: Callable[[], Awaitable[bool]]) -> None:
        self.file = file
        #: Whether the client is gone and waits for no response.
        self.is_abandoned = is_abandoned
        self._taken = False

    def take(self) -> IO[bytes]:
        """Keep the file beyond the request."""
        self._taken = True
        return self.file

    def close(self) -> None:
        """Close the file at the end of the request, unless it was taken."""
        if not self._taken:
            self.file.close()


async def upload_content(request: Request, operation: AnyOperation, settings: Settings) -> Upload:
    """The body of an operation that takes CSV. TooLarge beyond the limit, Refusal 400000 unless declared as UTF-8."""
    said = request.headers.get("content-type", "")
    media, charset = media_and_charset(said)
    if media not in (*operation.takes, *_OTHER_TYPES) or charset not in UTF_8:
        raise invalid(Problem("content-type", f"must be {' or '.join(operation.takes)}; charset=utf-8", said[:100]))
    file = tempfile.SpooledTemporaryFile(IN_MEMORY, dir=str(settings.data_dir))  # noqa: SIM115 (its taker closes it)
    size = 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > settings.largest_import:
                raise TooLarge(settings.largest_import)
            file.write(chunk)
    except BaseException:
        file.close()
        raise
    file.seek(0)
    return Upload(file, request.is_disconnected)
