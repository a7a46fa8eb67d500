"""`svc-tui serve`: the service, on SQLite or PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from svc_tui.commands.options import DatabaseUrl, data_folder
from svc_tui.lazy_import import lazy_import
from svc_tui.server.demo.repeatable import Scale
from svc_tui.server.log_lines import LogFormat

if TYPE_CHECKING:
    from svc_tui.server import serve as server
else:
    server = lazy_import("svc_tui.server.serve")


def serve(
    *,
    host: Annotated[str, Parameter(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Parameter(help="Port to listen on; 0 selects a free port.")] = 8080,
    database: DatabaseUrl = None,
    demo_data: Annotated[
        Scale | None,
        Parameter(show_default=False, help="Fill an empty database with demo data. Default scale: small."),
    ] = None,
    tls_cert: Annotated[Path | None, Parameter(show_default=False, help="Certificate chain for HTTPS.")] = None,
    tls_key: Annotated[Path | None, Parameter(show_default=False, help="Private key of the certificate.")] = None,
    workers: Annotated[int, Parameter(help="Number of processes; more than 1 requires PostgreSQL.")] = 1,
    config: Annotated[Path | None, Parameter(show_default=False, help="TOML file with further settings.")] = None,
    log_format: Annotated[
        LogFormat | None, Parameter(show_default=False, help="Lines of the log: text or json. Default: text.")
    ] = None,
    data_dir: Annotated[
        Path | None, Parameter(show_default=False, help="Folder for the database file and uploads.")
    ] = None,
) -> int:
    """Run the service until SIGTERM; return its exit code."""
    return server.serve(
        host=host,
        port=port,
        database=database,
        data_dir=data_folder(data_dir, config),
        demo_data=demo_data,
        tls_cert=tls_cert,
        tls_key=tls_key,
        workers=workers,
        config=config,
        log_format=log_format,
    )
