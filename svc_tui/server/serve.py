"""Running the server: `svc-tui serve`, from settings and socket to the last request in progress."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from svc_tui.server.demo.repeatable import scale_of
from svc_tui.server.http.application import build
from svc_tui.server.http.health import prepare_alive
from svc_tui.server.log_lines import LogFormat, log, log_to_standard_error
from svc_tui.server.running.processes import BACKLOG, Server, ServerOptions
from svc_tui.server.running.scraping import MetricsAddressError, metrics_server
from svc_tui.server.running.workers import run_workers
from svc_tui.server.service import Service, service_of
from svc_tui.server.settings import Settings, SettingsError, read_settings
from svc_tui.server.store.creation import NewerDatabase, OlderDatabase
from svc_tui.server.store.sqlite_lock import DatabaseInUse, DatabaseUse, using_database
from svc_tui.server.store.store import Store

FAILED, WRONG_USAGE, OUT_OF_REACH = 1, 2, 4


class ServerCommandError(Exception):
    """A command of the server cannot continue. The text is the reason in one sentence, `code` the exit code."""

    def __init__(self, sentence: str, code: int = WRONG_USAGE) -> None:
        super().__init__(sentence)
        self.code = code


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    listener: socket.socket | None = None,
    database: str | None = None,
    data_dir: Path | str | None = None,
    demo_data: str | None = None,
    demo_activity: float = 0,
    tls_cert: Path | str | None = None,
    tls_key: Path | str | None = None,
    workers: int = 1,
    config: Path | str | None = None,
    log_format: LogFormat | None = None,
    report: Callable[[int], None] = lambda _: None,
) -> int:
    """Serve until SIGTERM or SIGINT. Returns the exit code.

    Prints `listening on URL` on standard output once requests are accepted; everything else goes to standard error.
    Port 0 is any free port; `listener` is a socket that already listens on `host`. `database` is a URL; None is a file
    in the data folder. `demo_data` (a scale) fills an empty database; `report` is called with the percentage that is
    prepared. `demo_activity` is the interval of simulated activity in seconds; 0 is none.
    """
    try:
        settings = settings_of(config, database, data_dir, demo_data, workers, log_format)
        log_to_standard_error(settings.log_format)
        if demo_data:
            settings = _for_demo(settings, demo_activity)
        _check_tls(tls_cert, tls_key)
        _warn_of_access(settings, config, tls_key)
        with listener or _listening(host, port) as open_socket:
            scheme = "https" if tls_cert else "http"
            url = f"{scheme}://{f'[{host}]' if ':' in host else host}:{open_socket.getsockname()[1]}"
            work = ServerOptions(settings, url, str(tls_cert or ""), str(tls_key or ""))
            return _serve_on(open_socket, work, workers, demo_data, report)
    except (ServerCommandError, MetricsAddressError) as error:
        sys.stderr.write(f"svc-tui: {error}\n")
        return error.code if isinstance(error, ServerCommandError) else WRONG_USAGE


def _warn_of_access(settings: Settings, *secret: Path | str | None) -> None:
    """Warn of files with secrets that all users of the machine can read, and of a data folder that they can change."""
    for path in (each for each in secret if each is not None):
        with suppress(OSError):
            if Path(path).stat().st_mode & stat.S_IROTH:
                log.warning("all users of this machine can read %s, which has secrets: chmod o-rwx %s", path, path)
    with suppress(OSError):
        if settings.data_dir.stat().st_mode & stat.S_IWOTH:
            folder = settings.data_dir
            log.warning("all users of this machine can replace files in %s: chmod o-rwx %s", folder, folder)


def _serve_on(
    listener: socket.socket, work: ServerOptions, workers: int, demo_data: str | None, report: Callable[[int], None]
) -> int:
    """Prepare the database and serve on a socket that listens; the exit code."""
    settings = work.settings
    if demo_data and not is_loopback(listener):
        sys.stderr.write(
            "svc-tui: other machines can reach this address, and the demo accounts have public passwords; "
            "--host 127.0.0.1 serves this machine only\n"
        )
    with suppress(OSError):
        # For the lock. A folder that cannot be used is reported when the service is opened.
        settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with used_database(settings) as use:
        preparing = _prepare(settings, use, demo_data, work.url, report)
        asyncio.run(prepare_alive(preparing, listener, tls_cert=work.tls_cert, tls_key=work.tls_key))
        if demo_data:
            log.info("`svc-tui demo-accounts` lists the demo accounts and the application to log in with")
        if workers > 1:
            return run_workers(work, listener, workers)
        app = build(settings)
        loop = Server(work, app, listener)
        _resume_garbage_collection()
        with metrics_server(settings.metrics_address, app.state.measures.registry):
            loop.run()
        return 0 if loop.started else FAILED


def is_loopback(listener: socket.socket) -> bool:
    """Whether a socket accepts connections of this machine only."""
    return ip_address(str(listener.getsockname()[0]).partition("%")[0]).is_loopback


def _resume_garbage_collection() -> None:
    """Collect garbage, also when the caller stopped it for the start, without the objects that stay until the end."""
    gc.freeze()
    gc.enable()


def reset_demo(data_dir: Path, scale: str, url: str) -> str:
    """Replace the contents of a demo's database, while its server runs; returns the error, empty when done.

    Either all or nothing is replaced, also when this process is killed.
    """
    settings = _for_demo(settings_of(None, None, data_dir, scale), 0)
    try:
        asyncio.run(_reset(settings, scale, url))
    except (SQLAlchemyError, OSError) as error:
        return f"the database does not respond: {reason_of(error)}"
    return ""


async def _reset(settings: Settings, scale: str, url: str) -> None:
    service = service_of(settings)
    try:
        async with service.database.unit() as store:
            await _fill(store, scale, url)
    finally:
        await service.database.close()


def settings_of(
    config: Path | str | None,
    database: str | None,
    data_dir: Path | str | None,
    demo_data: str | None = None,
    workers: int = 1,
    log_format: LogFormat | None = None,
) -> Settings:
    """The settings of a file with those of the command line. ServerCommandError for unsuitable ones."""
    if workers < 1:
        raise ServerCommandError("the number of workers must be 1 or more")
    try:
        scale_of(demo_data or "small")
    except ValueError as error:
        raise ServerCommandError(str(error)) from error
    try:
        given = {"database_url": database, "data_dir": data_dir, "log_format": log_format}
        settings = read_settings(Path(config) if config else None, **given)
    except SettingsError as error:
        raise ServerCommandError(str(error)) from error
    if workers > 1 and settings.database.startswith("sqlite"):
        raise ServerCommandError(
            "several workers need PostgreSQL: SQLite has one writer. Use --database postgresql://… or --workers 1"
        )
    if settings.xmpp_component and find_spec("slixmpp") is None:
        raise ServerCommandError("an external XMPP server needs another package: pip install 'svc-tui[server]'")
    return settings


def _for_demo(settings: Settings, activity: float) -> Settings:
    # Its passwords are in the README, and its identity provider is this server.
    changes = {"cheap_hashes": True, "insecure_identity_providers": True, "demo": True, "demo_activity": activity}
    # The large demo has a directory beyond the usual limit.
    changes["largest_directory"] = 250_000
    return settings.model_copy(update=changes)


def _check_tls(cert: Path | str | None, key: Path | str | None) -> None:
    if cert is None and key is None:
        return
    if cert is None or key is None:
        raise ServerCommandError("TLS needs a certificate and its key")
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except OSError as error:
        raise ServerCommandError(
            f"the TLS certificate {cert} and key {key} cannot be used: {error.strerror}"
        ) from error


def _listening(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise ServerCommandError(f"the port must be a number from 0 to 65535, not {port}")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise ServerCommandError(f"{host} is not an address of this machine") from error
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise ServerCommandError(f"cannot listen on {host} port {port}: {error.strerror}") from error
    return listener


def opened_service(settings: Settings) -> Service:
    """The service on its database, before it is used. ServerCommandError with the reason."""
    try:
        return service_of(settings)
    except SettingsError as error:
        raise ServerCommandError(str(error)) from error
    except ModuleNotFoundError as error:
        raise ServerCommandError("PostgreSQL needs another package: pip install 'svc-tui[server]'") from error
    except OSError as error:
        raise ServerCommandError(f"the data folder {settings.data_dir} cannot be used: {error.strerror}") from error
    except (SQLAlchemyError, ValueError) as error:
        raise ServerCommandError(f"the database address cannot be used: {error}") from error


def require_database(settings: Settings) -> None:
    """ServerCommandError if the SQLite file does not exist: an empty one would be made, and the wrong database
    changed."""
    if settings.database.startswith("sqlite:///") and not Path(settings.database.removeprefix("sqlite:///")).exists():
        raise ServerCommandError(f"there is no database {settings.database}")


@contextmanager
def used_database(settings: Settings) -> Iterator[DatabaseUse]:
    """Use the database while the block runs. ServerCommandError while it is restored."""
    with ExitStack() as using:
        try:
            use = using.enter_context(using_database(settings.database))
        except DatabaseInUse as error:
            raise ServerCommandError("the database is being restored; try again afterwards", FAILED) from error
        yield use


async def upgrade(service: Service, use: DatabaseUse) -> None:
    """Create or upgrade the tables. ServerCommandError if another version of svc-tui wrote them or uses them."""
    try:
        await service.database.upgrade(use.alone)
    except NewerDatabase as error:
        raise ServerCommandError("the database was written by a newer version of svc-tui") from error
    except OlderDatabase as error:
        raise ServerCommandError(
            "the database was written by a version before the first release of svc-tui, and cannot be upgraded; "
            "name an empty database, or remove this one to begin again"
        ) from error
    except DatabaseInUse as error:
        sentence = "another process uses the database, whose tables are those of another version; stop it first"
        raise ServerCommandError(sentence, FAILED) from error


async def _prepare(
    settings: Settings, use: DatabaseUse, demo_data: str | None, url: str, report: Callable[[int], None]
) -> None:
    service = opened_service(settings)
    try:
        await upgrade(service, use)
        await service.tokens.keys.refresh()
        if demo_data:
            await _seed(service, demo_data, url, report)
    except SettingsError as error:
        raise ServerCommandError(str(error)) from error
    except (SQLAlchemyError, OSError) as error:
        raise ServerCommandError(f"the database does not respond: {reason_of(error)}", OUT_OF_REACH) from error
    finally:
        await service.database.close()


def reason_of(error: Exception) -> str:
    """The reason of an error of the database or the system, in one line."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return " ".join(str(getattr(cause, "strerror", None) or cause or type(cause).__name__).split())


async def _seed(service: Service, scale: str, url: str, report: Callable[[int], None]) -> None:
    from svc_tui.server.demo import move, progress

    async with service.database.unit() as store:
        if await store.users.count():
            log.warning("the database already has users: no demo data was added")
            await move(store, url)
            return
        with progress.rows_reported(store, scale_of(scale), report):
            await _fill(store, scale, url)


async def _fill(store: Store, scale: str, url: str) -> None:
    from svc_tui.server.demo import seed

    await seed(store, scale_of(scale), datetime.now(UTC).date(), origin=url)
