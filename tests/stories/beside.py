"""What happens beside the console during a story: another client, a server with its own settings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from svc_tui.client.client import Client
from svc_tui.client.login import login
from svc_tui.client.session import Session
from svc_tui.interface.catalogue import operation
from tests.stories.driver import profile
from tests.support.process import ServerProcess, serving_demo


@asynccontextmanager
async def other_client(url: str, who: str = "superadmin@demo.example") -> AsyncIterator[Client]:
    """Another client, logged in."""
    known = profile(url, who)
    client = Client(known, Session(known))
    try:
        await login(client, who, known.password)
        yield client
    finally:
        await client.aclose()


async def call(client: Client, name: str, body: Mapping[str, Any] | None = None, **path: str) -> Any:
    """One operation by its name; the body of the answer."""
    return (await client.send(operation(name), path=path, body=body)).body


@contextmanager
def own_server(folder: Path, settings: str = "", **options: Any) -> Iterator[ServerProcess]:
    """A demo server of one story, with these lines of its settings file."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "server.toml"
    config.write_text(settings, encoding="utf-8")
    with serving_demo(folder, config=config, **options) as server:
        yield server
