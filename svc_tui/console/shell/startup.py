"""The start of a workspace: first without the network and with few modules, then the rest."""

from __future__ import annotations

import gc
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from svc_tui.client import session as session_module
from svc_tui.client import session_store
from svc_tui.console.shell import running_commands
from svc_tui.console.terminal import own_themes
from svc_tui.interface import catalogue
from svc_tui.language import _
from svc_tui.lazy_import import lazy_import
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.core.service import ReadError
from svc_tui.workspace.profiles import theme_files
from svc_tui.workspace.profiles.configuration import ignored_theme
from svc_tui.workspace.profiles.configuration_file import ConfigurationError
from svc_tui.workspace.profiles.profiles import Profiles
from svc_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from textual.theme import Theme

    from svc_tui.client import client as client_module
    from svc_tui.client.errors import SessionEnded
    from svc_tui.client.profile import Profile
    from svc_tui.console.core.actions import Action
    from svc_tui.console.core.keys import KeyMap
else:
    client_module = lazy_import("svc_tui.client.client")


def notices(plugin_faults: Sequence[str], keys: KeyMap, theme_faults: str) -> Iterator[tuple[str, str]]:
    """Title and text of each dialog with problems of plug-ins or of the configuration."""
    if plugin_faults:
        yield _("Plug-ins"), "\n".join(plugin_faults)
    if theme_faults:
        yield _("Theme of the profile"), theme_faults
    if keys.problems:
        yield _("Key map of the profile"), "\n".join(keys.problems)


def open_workspace(profile: Profile, read_only: bool) -> Workspace:
    """Open the workspace of a profile with its cache, without a request and without the models."""
    size = Profiles().configuration.cache_bytes
    return Workspace(profile, folders(), read_only=read_only, cache_bytes=size)


def general_theme() -> str:
    """The theme of config.toml for all profiles; empty without one, and when the file cannot be read."""
    try:
        return str(Profiles().configuration.general.get("theme", ""))
    except ConfigurationError:
        return ""


def own_theme(name: str) -> tuple[Theme | None, str]:
    """The theme of the user with this name; None, with the reason, when it cannot be used."""
    config = folders().config
    if sentence := ignored_theme(name, config):
        return None, sentence
    try:
        return own_themes.theme_of(theme_files.read_theme(config, name)), ""
    except ConfigurationError as error:
        return None, _("The theme {name} is ignored.\n{error}").format(name=name, error=error)


def user_actions() -> list[Action]:
    """The user commands in the configuration."""
    commands = Profiles().configuration.commands
    return running_commands.actions_of(commands) if commands else []


def declarations(operation_ids: Iterable[str]) -> None:
    """Load the client, and the areas of these operations; runs in a thread after the first picture.

    Other areas are loaded when they are opened: all of them take 6 MB and a fifth of a second.
    """
    for name in ("client", "login", "transport", "event_receiver"):
        import_module(f"svc_tui.client.{name}")
    for operation_id in operation_ids:
        catalogue.operation(operation_id)


def resume_garbage_collection() -> None:
    """Collect garbage again after the first picture, without the objects of the start: these stay until the end."""
    gc.freeze()
    gc.enable()


def connect(workspace: Workspace, asks: Callable[[SessionEnded], Awaitable[bool]]) -> client_module.Client:
    """Connect the workspace to a client with the stored session, if there is one, without a request.

    `asks` is called when the session has ended.
    """

    profile = workspace.profile
    session = session_module.Session(
        profile, session_store.SessionStore(workspace.folders.data / "sessions", profile.name)
    )
    session.open_login = asks
    client = client_module.Client(profile, session, log=workspace.log)
    session.restore()
    workspace.attach(client)
    return client


async def ping(workspace: Workspace) -> str:
    """Measure the round trip to the service; returns why it is unreachable, empty when it responds."""

    try:
        await workspace.read("ping", {}, {})
    except ReadError as error:
        return error.sentence
    return ""
