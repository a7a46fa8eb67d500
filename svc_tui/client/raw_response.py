"""A raw response, before anything is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

#: Longest response body that is read, in bytes after decompression.
MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A raw response; names of headers are in lower case. `poured` is the size of a body in a sink; None when it is in
    `body`."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    poured: int | None = None
