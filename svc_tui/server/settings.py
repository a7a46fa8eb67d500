"""Settings of a server, from a TOML file or the command line."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from svc_tui.interface.authentication.sessions import DEFAULT_LIFETIME_SECONDS, DEFAULT_RENEWALS
from svc_tui.interface.directory.values import MOST_ENTRIES
from svc_tui.interface.images.records import MOST_AVATAR, MOST_SPLASHSCREEN
from svc_tui.interface.texts import NotUtf8, text_of
from svc_tui.server.log_lines import LogFormat


class SettingsError(ValueError):
    """A setting cannot be used. The text names it with the reason, in one sentence."""


class GlobalIdentity(BaseModel):
    """The identity provider behind the global single sign-on."""

    model_config = ConfigDict(extra="forbid")

    issuer: str
    client_id: str
    client_secret: str = Field("", repr=False)


class XmppComponent(BaseModel):
    """The external XMPP server that delivers the events, and this service as its component (XEP-0114)."""

    model_config = ConfigDict(extra="forbid")

    #: Address of the component, for example events.example.com. Users trust it below their own domain.
    name: str = Field(min_length=1)
    secret: str = Field(min_length=1, repr=False)
    #: XEP-0114 has no TLS: another machine only through a tunnel.
    host: str = "127.0.0.1"
    port: int = Field(5347, ge=1, le=65535)


class Rate(BaseModel):
    """Maximum requests per minute from one address (IPv6: from its /64 network), and for one account."""

    model_config = ConfigDict(extra="forbid")

    address: int = Field(ge=1)
    account: int = Field(ge=1)


class Rates(BaseModel):
    """Limits of requests before a login. Each is independent of the others and of account locks."""

    model_config = ConfigDict(extra="forbid")

    #: Logins by password, and of event sessions.
    login: Rate = Rate(address=300, account=60)
    second_factor: Rate = Rate(address=300, account=60)
    #: Login and consent of OAuth 2.0 in a browser.
    authorization: Rate = Rate(address=300, account=60)
    #: Tokens of OAuth 2.0; the account is the application.
    token: Rate = Rate(address=1200, account=1200)
    #: Discovery of login addresses, and redirects to identity providers.
    discovery: Rate = Rate(address=600, account=120)


class Settings(BaseModel):
    """Settings of a server. Times are in seconds unless noted otherwise."""

    model_config = ConfigDict(extra="forbid")

    #: `sqlite:///file` or `postgresql://user:password@host/name`. Empty: a file in the data folder.
    database_url: str = ""
    #: Folder for the database file and uploads in progress.
    data_dir: Path = Path("svc-tui-data")
    #: Address of the server for browsers and clients. Empty: taken from each request.
    public_url: str = ""
    #: Redirect address after a single sign-on for applications without their own.
    web_client_url: str = "http://127.0.0.1/"
    #: Lifetime of a token, and the number of renewals without a login.
    token_lifetime: int = Field(DEFAULT_LIFETIME_SECONDS, ge=1)
    max_token_renew: int = Field(DEFAULT_RENEWALS, ge=0)
    #: Days after which a new key signs the tokens.
    signing_key_days: int = Field(90, ge=1)
    #: Encrypts the signing keys in the database; the same on all machines. Empty: not encrypted.
    signing_key_secret: str = Field("", repr=False)
    #: Maximum connections of one process to PostgreSQL, which must allow the sum of all processes and machines.
    database_connections: int = Field(20, ge=2)
    #: Seconds between the signal to stop and the last new request, so that load balancers notice the stop.
    drain_seconds: float = Field(0, ge=0)
    #: Seconds for the head of a request; also the time base for the minimum rate of its body, 500 bytes a second.
    head_seconds: float = Field(20, gt=0)
    #: Maximum open connections of a process. None: as many as its limit of file descriptors allows.
    most_connections: int | None = Field(None, ge=1)
    #: Seconds that requests in progress have to complete when the server stops, and then imports.
    grace_seconds: int = Field(30, ge=0)
    #: Format of the log: `text`, or `json` with one object per line.
    log_format: LogFormat = "text"
    #: Address where Prometheus reads the metrics without credentials, for example `127.0.0.1:9464`. Empty: no metrics.
    metrics_address: str = Field("", pattern=r"^(.+:[0-9]{1,5})?$")
    #: Maximum logins and similar requests per minute.
    rates: Rates = Rates()
    #: Addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted.
    trusted_proxies: list[str] = []
    #: Consecutive wrong passwords that lock an account, and the minutes of the lock.
    lock_failures: int = Field(5, ge=1)
    lock_minutes: int = Field(60, ge=1)
    #: Time during which a challenge of an API key is not accepted again.
    challenge_memory: int = Field(600, ge=1)
    #: Days that events are kept for users who do not connect.
    event_retention_days: int = Field(30, ge=1)
    #: Days that counters of calls and the daily numbers of companies are kept.
    statistics_retention_days: int = Field(1100, ge=1)
    #: Days that reports on imports and checks of files are kept.
    report_retention_days: int = Field(400, ge=1)
    #: Days that the audit log is kept.
    audit_retention_days: int = Field(365, ge=1)
    #: Maximum open event sessions of a user.
    event_sessions: int = Field(20, ge=1)
    #: External XMPP server that delivers events instead of `/websocket` on the port of the service.
    xmpp_component: XmppComponent | None = None
    #: Maximum size of a request body, in bytes.
    largest_body: int = Field(262_144, ge=1024)
    #: Maximum simultaneous requests of a user in each process. More of them wait.
    user_requests: int = Field(8, ge=1)
    #: Maximum simultaneous uploads of a user and of a company, in all processes together.
    user_uploads: int = Field(3, ge=1)
    company_uploads: int = Field(12, ge=1)
    #: Maximum size of images, in bytes (section 8).
    largest_avatar: int = Field(MOST_AVATAR, ge=1024)
    largest_splash_screen: int = Field(MOST_SPLASHSCREEN, ge=1024)
    #: Maximum size of a CSV file, in bytes.
    largest_import: int = Field(512 * 1024 * 1024, ge=1024)
    #: Maximum entries of a directory.
    largest_directory: int = Field(MOST_ENTRIES, ge=1)
    #: Issuer of the invoices: the letterhead of their PDF files, line by line.
    issuer: str = "Svc Operations"
    #: Fast, weak password hashes: for tests and demos only.
    cheap_hashes: bool = False
    #: Accept identity providers without TLS: for tests and demos only.
    insecure_identity_providers: bool = False
    #: Whether the records are demo data, and the pages of the demo's identity provider are served.
    demo: bool = False
    #: Interval of simulated activity in a demo; 0: none.
    demo_activity: float = Field(0, ge=0)
    #: The identity provider behind the global single sign-on.
    global_identity: GlobalIdentity | None = None
    #: The billing systems: `simulator`, or `package.module:Name` of a replacement.
    billing: str = "simulator"
    #: Duration of a synchronisation in the simulator.
    billing_sync_seconds: float = Field(4, ge=0)
    #: What fails in the simulator: actions (`update`), offer references (`business`), or both (`update:business`).
    billing_fails: list[str] = []
    #: Applicant numbers that do not exist in the simulator.
    billing_unknown_applicants: list[str] = []

    @property
    def database(self) -> str:
        """The address of the database in use."""
        return self.database_url or f"sqlite:///{self.data_dir / 'svc.db'}"


#: Stands for each secret in the example file: a server with it would have a secret that is public.
PLACEHOLDER = "CHANGE-THIS"


def read_settings(path: Path | None, **given: Any) -> Settings:
    """Settings of a TOML file. A `given` value that is not None overrides the file. SettingsError with the reason."""
    values: dict[str, Any] = {}
    if path is not None:
        try:
            values = tomllib.loads(text_of(path.read_bytes()))
        except OSError as error:
            raise SettingsError(f"cannot read {path}: {error.strerror or error}") from error
        except (tomllib.TOMLDecodeError, NotUtf8) as error:
            raise SettingsError(f"{path} is not a TOML file: {error}") from error
    values.update({name: value for name, value in given.items() if value is not None})
    if name := _placeholder_in(values):
        raise SettingsError(f"setting {name}: replace {PLACEHOLDER} by a secret of your own")
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            near = get_close_matches(name, Settings.model_fields, n=1)
            raise SettingsError(f"no setting is named {name}{f'; did you mean {near[0]}?' if near else ''}") from error
        raise SettingsError(f"setting {name}: {first['msg']}") from error


def _placeholder_in(values: dict[str, Any], above: str = "") -> str:
    """The name of the first setting that has the placeholder of the example file; empty without one."""
    for name, value in values.items():
        if isinstance(value, dict):
            if found := _placeholder_in(value, f"{above}{name}."):
                return found
        elif isinstance(value, str) and PLACEHOLDER in value:
            return f"{above}{name}"
    return ""
