"""The head of a response and its body in one write: HTTP protocols of uvicorn write each by itself."""

from __future__ import annotations

import asyncio
from typing import Any


class JoinedWrites:
    """A transport that sends a write together with the one that follows it in the same turn of the event loop."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self._held = b""

    def write(self, data: bytes) -> None:
        """Send data with the held data, or hold it until the end of the turn."""
        if self._held:
            held, self._held = self._held, b""
            self.transport.writelines((held, data))
        elif data:
            self._held = data
            asyncio.get_running_loop().call_soon(self._send)

    def close(self) -> None:
        """Close when everything is sent."""
        self._send()
        self.transport.close()

    def get_write_buffer_size(self) -> int:
        """How many bytes are not sent yet."""
        return len(self._held) + self.transport.get_write_buffer_size()

    def _send(self) -> None:
        if self._held:
            held, self._held = self._held, b""
            self.transport.write(held)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)
