"""`svc-tui profile`: connection profiles. Secrets come from a prompt or the environment, never from an argument."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from svc_tui.client.profile import BrowseCache, Profile, SlowLink
from svc_tui.client.session_store import SessionStore
from svc_tui.commands import output
from svc_tui.commands.exits import UsageError, print_message
from svc_tui.commands.options import AsJson
from svc_tui.commands.prompts import secret
from svc_tui.language import _
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.core.suggestions import suggestion
from svc_tui.workspace.profiles.configuration import unknown_theme
from svc_tui.workspace.profiles.profiles import Profiles

app = App(name="profile", version_flags=[], help_epilogue="", help=_("Manage connection profiles."))

Name = Annotated[str, Parameter(help="Name of the profile.")]
LoginMethod = Literal["password", "sso", "api_key"]


def _option(help: str) -> Any:
    return Parameter(help=help, show_default=False)


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ProfileOptions:
    """The fields of a profile as options; None for an option that was not used."""

    base_url: Annotated[str | None, _option("Address of the service, for example https://portal.example.com.")] = None
    app_id: Annotated[str | None, _option("ID of the application to log in with. Prompts for its secret.")] = None
    login: Annotated[str | None, _option("Your login.")] = None
    method: Annotated[LoginMethod | None, _option("Authentication method. Default: password.")] = None
    brand: Annotated[str | None, _option("Word that replaces svc in this deployment.")] = None
    voice_brand: Annotated[str | None, _option("Word that replaces voice in this deployment.")] = None
    billing_brand: Annotated[str | None, _option("Word that replaces billing in this deployment.")] = None
    ca_bundle: Annotated[str | None, _option("File with the certificate authorities to trust.")] = None
    verify: Annotated[bool | None, _option("Verify the certificate of the service. Default: yes.")] = None
    read_only: Annotated[bool | None, _option("Allow only operations that read.")] = None
    theme: Annotated[str | None, _option("Theme of the console for this profile.")] = None
    colour: Annotated[str | None, _option("Colour of the profile's name: red, yellow, green, blue or magenta.")] = None
    xmpp_host: Annotated[str | None, _option("XMPP host for events.")] = None
    browse_cache: Annotated[
        BrowseCache | None,
        _option(
            "Whether cached records can be browsed without a login: always, until_logout (the default), or never. "
            "With never, a logout removes them from the disk."
        ),
    ] = None
    slow_link: Annotated[
        SlowLink | None,
        _option(
            "Whether the console saves bytes and requests: auto (the default) when the link is measured as slow, "
            "always, or never. `svc-tui doctor` measures it."
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """The options that were used."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@app.command(name="list")
def list_profiles(*, json: AsJson = False) -> None:
    """List the profiles. `*` marks the default."""
    profiles = Profiles()
    for warning in profiles.configuration.warnings:
        print_message(warning)
    rows = [
        {
            "name": name,
            "used": name == profiles.default_name,
            "base_url": profile.base_url,
            "login": profile.login,
            "method": profile.method,
            "read_only": profile.read_only,
            "verify": profile.verify,
        }
        for name, profile in profiles.configuration.profiles.items()
    ]
    if json:
        output.write_json(rows)
    elif rows:
        output.write_table([{**row, "used": "*" if row["used"] else ""} for row in rows], list(rows[0]))
    else:
        print_message(_("No profiles. Run `svc-tui profile add NAME --base-url URL`."))


@app.command
def add(
    name: Name,
    /,
    *,
    options: ProfileOptions | None = None,
) -> None:
    """Add a profile."""
    given = (options or ProfileOptions()).given()
    profiles = Profiles()
    if name in profiles.names():
        raise UsageError(
            _('Profile "{name}" already exists. Run `svc-tui profile edit {name}` to change it.').format(name=name)
        )
    if "base_url" not in given:
        raise UsageError(_("--base-url, the address of the service, is required."))
    profile = _with_secrets(_validated(None, {"name": name, **given}))
    profiles.save(profile)
    _report_saved(profile)


@app.command
def edit(
    name: Name,
    /,
    *,
    options: ProfileOptions | None = None,
    secrets: Annotated[bool, Parameter(negative="", show_default=False, help="Prompt for the secrets again.")] = False,
) -> None:
    """Change the given fields of a profile."""
    given = (options or ProfileOptions()).given()
    profiles = Profiles()
    current = _existing(profiles, name)
    if not given and not secrets:
        raise UsageError(
            _("Nothing to change. Run `svc-tui profile edit --help` for the options, or edit {config_file}.").format(
                config_file=profiles.config_file
            )
        )
    profile = _validated(current, given)
    if secrets or profile.app_id != current.app_id or profile.method != current.method:
        profile = _with_secrets(profile)
    profiles.save(profile)
    _report_saved(profile)


@app.command
def remove(name: Name, /) -> None:
    """Remove a profile with its secrets, session and cache."""
    profiles = Profiles()
    profiles.remove(name)
    SessionStore(profiles.folders.data / "sessions", name).clear()
    shutil.rmtree(profiles.folders.cache_of(name), ignore_errors=True)
    print_message(_('Removed profile "{name}" with its session and cache.').format(name=name))


@app.command
def use(name: Name, /) -> None:
    """Make a profile the default."""
    profiles = Profiles()
    _existing(profiles, name)
    profiles.use(name)
    print_message(_('Profile "{name}" is now the default.').format(name=name))


def _validated(current: Profile | None, given: dict[str, Any]) -> Profile:
    """A profile with the given fields, based on the current one. UsageError for an invalid value."""
    if sentence := unknown_theme(given.get("theme") or "", folders().config):
        raise UsageError(sentence)
    try:
        return replace(current, **given) if current else Profile(**given)
    except ValueError as error:
        raise UsageError(str(error)) from None


def _existing(profiles: Profiles, name: str) -> Profile:
    names = profiles.names()
    if name not in names:
        hint = suggestion(name, names, _("Run `svc-tui profile list` for a list."))
        raise UsageError(_('Unknown profile "{name}". {hint}').format(name=name, hint=hint))
    return profiles.configuration.profiles[name]


def _with_secrets(profile: Profile) -> Profile:
    """The profile with its secrets from the environment, or from prompts in a terminal."""
    secrets = {}
    if profile.app_id:
        secrets["app_secret"] = secret(
            "SVC_TUI_APP_SECRET", _("Secret of application {app_id}").format(app_id=profile.app_id)
        )
    if profile.method == "api_key":
        secrets["api_key"] = secret("SVC_TUI_API_KEY", _("API key"))
    return _validated(profile, {name: value for name, value in secrets.items() if value})


def _report_saved(profile: Profile) -> None:
    print_message(_('Saved profile "{name}".').format(name=profile.name))
    if profile.in_clear_text:
        print_message(profile.in_clear_text)
    if not profile.verify:
        print_message(_("The certificate of this service is not verified: its traffic can be read and changed."))
