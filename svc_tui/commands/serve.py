"""`svc-tui serve`: the service itself, on SQLite or PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from svc_tui.commands.demo_service import Scale


def serve(
    *,
    host: Annotated[str, Parameter(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="Port to listen on; 0 takes a free one.")] = 8080,
    database: Annotated[
        str | None,
        Parameter(show_default=False, help="sqlite:///FILE or postgresql://… (default: a file in the data folder)."),
    ] = None,
    demo_data: Annotated[
        Scale | None, Parameter(show_default=False, help="Fill an empty database; small when no scale is named.")
    ] = None,
    tls_cert: Annotated[Path | None, Parameter(show_default=False, help="Certificate chain, for https.")] = None,
    tls_key: Annotated[Path | None, Parameter(show_default=False, help="Its key.")] = None,
    workers: Annotated[int, Parameter(help="Processes; more than one needs PostgreSQL.")] = 1,
    config: Annotated[Path | None, Parameter(show_default=False, help="TOML file with more settings.")] = None,
    data_dir: Annotated[
        Path | None, Parameter(show_default=False, help="Folder for the signing key and the database file.")
    ] = None,
) -> int:
    """Run the service itself.

    Prints `listening on URL` when it accepts requests; logs go to standard error. SIGTERM finishes what is in flight.
    """
    from svc_tui.server.serve import serve as run
    from svc_tui.workspace.core.folders import folders

    if data_dir is None and config is None:
        data_dir = folders().data / "server"
    return run(
        host=host,
        port=port,
        database=database,
        data_dir=data_dir,
        demo_data=demo_data,
        tls_cert=tls_cert,
        tls_key=tls_key,
        workers=workers,
        config=config,
    )
