"""`svc-tui profile`: the services you connect to, and how. Secrets are asked for, never given as arguments."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from svc_tui.commands.exits import WrongUsage, say
from svc_tui.commands.options import AsJson

if TYPE_CHECKING:
    from svc_tui.client.profile import Profile

app = App(name="profile", version_flags=[], help_epilogue="", help="The services you connect to, and how.")

Name = Annotated[str, Parameter(help="Name of the profile.")]
Method = Literal["password", "sso", "api_key"]


def _option(help: str, **more: Any) -> Any:
    return Parameter(help=help, show_default=False, **more)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a profile on the command line; None leaves it as it is."""

    base_url: Annotated[str | None, _option("Address of the service, such as https://portal.example.com.")] = None
    app_id: Annotated[str | None, _option("Id of the application to log in through; its secret is asked for.")] = None
    login: Annotated[str | None, _option("Your login.")] = None
    method: Annotated[Method | None, _option("How you log in: password (the default), sso or api_key.")] = None
    brand: Annotated[str | None, _option("The word that stands for svc in this deployment.")] = None
    voice_brand: Annotated[str | None, _option("The word that stands for voice in this deployment.")] = None
    billing_brand: Annotated[str | None, _option("The word that stands for billing in this deployment.")] = None
    ca_bundle: Annotated[str | None, _option("File with the certificates to trust.")] = None
    verify: Annotated[bool | None, _option("Whether its certificate must be valid.")] = None
    read_only: Annotated[bool | None, _option("Refuse every operation that is not known to read.")] = None
    theme: Annotated[str | None, _option("Colours of the console on this profile.")] = None
    xmpp_host: Annotated[str | None, _option("Host that tells of events.")] = None

    def given(self) -> dict[str, Any]:
        """The fields that were said."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@app.command(name="list")
def list_profiles(*, json: AsJson = False) -> None:
    """The profiles of this machine; `*` marks the one that is used when none is named."""
    from svc_tui.commands import output
    from svc_tui.workspace.profiles.profiles import Profiles

    profiles = Profiles()
    for warning in profiles.settings.warnings:
        say(warning)
    rows = [
        {
            "name": name,
            "used": name == profiles.chosen,
            "base_url": profile.base_url,
            "login": profile.login,
            "method": profile.method,
            "read_only": profile.read_only,
            "verify": profile.verify,
        }
        for name, profile in profiles.settings.profiles.items()
    ]
    if json:
        output.json_document(rows)
    elif rows:
        output.table([{**row, "used": "*" if row["used"] else ""} for row in rows], list(rows[0]))
    else:
        say("There is no profile yet; `svc-tui profile add NAME --base-url URL` makes one.")


@app.command
def add(
    name: Name,
    /,
    *,
    said: Said | None = None,
) -> None:
    """Add a profile."""
    from svc_tui.workspace.profiles.profiles import Profiles

    given = (said or Said()).given()
    profiles = Profiles()
    if name in profiles.names():
        raise WrongUsage(f"There is a profile {name!r} already; `svc-tui profile edit {name}` changes it.")
    if "base_url" not in given:
        raise WrongUsage("A profile needs --base-url, the address of the service.")
    profile = _with_secrets(_made(None, {"name": name, **given}))
    profiles.save(profile)
    _saved(profile)


@app.command
def edit(
    name: Name,
    /,
    *,
    said: Said | None = None,
    secrets: Annotated[bool, Parameter(negative="", show_default=False, help="Ask for the secrets again.")] = False,
) -> None:
    """Change what is given of a profile, and leave the rest."""
    from svc_tui.workspace.profiles.profiles import Profiles

    given = (said or Said()).given()
    profiles = Profiles()
    known = _known(profiles, name)
    if not given and not secrets:
        raise WrongUsage(f"Nothing to change; `svc-tui profile edit --help`, or edit {profiles.config_file}.")
    profile = _made(known, given)
    if secrets or profile.app_id != known.app_id or profile.method != known.method:
        profile = _with_secrets(profile)
    profiles.save(profile)
    _saved(profile)


@app.command
def remove(name: Name, /) -> None:
    """Forget a profile, its secrets, its session and its cache."""
    import shutil

    from svc_tui.commands.connection import session_store
    from svc_tui.workspace.profiles.profiles import Profiles

    profiles = Profiles()
    profiles.remove(name)
    session_store(name).clear()
    shutil.rmtree(profiles.folders.cache_of(name), ignore_errors=True)
    say(f"Profile {name} is removed, with its session and its cache.")


@app.command
def use(name: Name, /) -> None:
    """Make a profile the one that is used when none is named."""
    from svc_tui.workspace.profiles.profiles import Profiles

    profiles = Profiles()
    _known(profiles, name)
    profiles.use(name)
    say(f"Profile {name} is used from now on.")


def _made(known: Profile | None, given: dict[str, Any]) -> Profile:
    from svc_tui.client.profile import Profile

    try:
        return replace(known, **given) if known else Profile(**given)
    except ValueError as error:
        raise WrongUsage(str(error)) from None


def _known(profiles: Any, name: str) -> Profile:
    from difflib import get_close_matches

    names = profiles.names()
    if name not in names:
        near = get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else "`svc-tui profile list` names them all."
        raise WrongUsage(f"There is no profile {name!r}; {hint}")
    found: Profile = profiles.settings.profiles[name]
    return found


def _with_secrets(profile: Profile) -> Profile:
    """The profile with the secrets it needs: from the environment, or asked for where there is a terminal."""
    from svc_tui.commands.asking import secret

    asked = {}
    if profile.app_id:
        asked["app_secret"] = secret("SVC_TUI_APP_SECRET", f"Secret of application {profile.app_id}")
    if profile.method == "api_key":
        asked["api_key"] = secret("SVC_TUI_API_KEY", "API key")
    return _made(profile, {name: value for name, value in asked.items() if value})


def _saved(profile: Profile) -> None:
    say(f"Profile {profile.name} is saved.")
    if not profile.verify:
        say("Its certificate is not verified: whoever stands between can read and change everything.")
