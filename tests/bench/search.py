"""Measures the search over everything and prints it: `python -m tests.bench.search [large|small] [account …]`.

For each text: requests, bytes of the responses, and milliseconds to the first and to the last result, over HTTP. Times
depend on what else runs on this machine: its load average is printed with them. Requests and bytes do not.
"""

import argparse
import asyncio
import os
import tempfile
import time
from pathlib import Path

from svc_tui.client.call_log import LoggedCall
from svc_tui.client.client import Client
from svc_tui.client.login import login
from svc_tui.client.session import Session
from svc_tui.workspace.core.folders import Folders
from svc_tui.workspace.search.search import Search
from svc_tui.workspace.workspace import Workspace
from tests.stories.driver import profile
from tests.support.process import serving

TEXTS = (
    "user@demo.example",
    "+351 210 992 005",
    "2005",
    "02-74-A1-2B-79-CD",
    "becker",
    "wind tel",
    "INV-2026-11-13297",
    "c2d232585acdc3ac7a1f49a3",
)


async def measured(url: str, account: str, folder: Path) -> None:
    """One line for each text, each on an empty cache."""
    known = profile(url, f"{account}@demo.example")
    print(f"\nLoad average of the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    print(f"{account:26}{'requests':>9}{'bytes':>10}{'first ms':>10}{'last ms':>9}  results")
    for number, text in enumerate(TEXTS):
        client = Client(known, Session(known))
        await login(client, known.login, known.password)
        own = folder / account / str(number)
        workspace = Workspace(known, Folders(*(own / name for name in ("config", "cache", "data"))))
        workspace.attach(client)
        sizes: dict[int, int] = {}
        arrived: list[float] = []

        def count(call: LoggedCall, sizes: dict[int, int] = sizes) -> None:
            sizes[call.number] = call.size

        forget = workspace.log.subscribe(count)
        search, begin = Search(workspace, text), time.perf_counter()

        def note(_: None, search: Search = search, arrived: list[float] = arrived) -> None:
            if any(not hit.cached for hit in search.hits.values()):
                arrived.append(time.perf_counter())

        search.changed(note)
        search.start()
        search.persist()
        await search.wait()
        forget()
        first = f"{(arrived[0] - begin) * 1000:.0f}" if arrived else "-"
        last = f"{(time.perf_counter() - begin) * 1000:.0f}"
        kinds = sorted({hit.kind for hit in search.hits.values()})
        print(f"{text:26}{search.requests:9}{sum(sizes.values()):10,}{first:>10}{last:>9}  {', '.join(kinds)}")
        await workspace.close()


def main() -> None:
    """Serve the demo data and measure with each account."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scale", nargs="?", default="large", choices=("large", "small"))
    parser.add_argument("accounts", nargs="*", default=["support", "bp_admin", "company_admin", "bp_finance"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "service").mkdir()
        with serving(folder / "service", demo_data=options.scale) as server:
            for account in options.accounts:
                asyncio.run(measured(server.url, account, folder))


if __name__ == "__main__":
    main()
