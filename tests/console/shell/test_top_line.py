"""The top line: what it shows of the login while the console starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from svc_tui.client.client import Client
from svc_tui.client.profile import Profile
from svc_tui.client.session import Session
from svc_tui.console.shell.top_line import pieces
from svc_tui.workspace.core.folders import Folders
from svc_tui.workspace.workspace import Workspace

JANE = {"id": "u0", "displayName": "Jane", "roles": ["user", "app_superadmin"], "companyId": "c0"}


def right(workspace: Workspace) -> str:
    return "".join(piece.text for piece in pieces(workspace, ["Applications"], 80)[1])


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    folders = Folders(tmp_path / "config", tmp_path / "cache", tmp_path / "data")
    return Workspace(Profile("work", "https://svc.example"), folders)


async def test_the_login_is_not_judged_until_the_session_is_read(workspace: Workspace) -> None:
    assert right(workspace) == "· "
    session = Session(workspace.profile)
    workspace.attach(Client(workspace.profile, session))
    assert right(workspace) == "· ", "the login with the profile's password may still be in progress"
    session.accept({"token": "t.t.t", "loggedInUser": JANE})
    assert right(workspace) == "app_superadmin  · "
    await workspace.close()


async def test_a_missing_login_is_shown_when_the_service_has_responded(workspace: Workspace) -> None:
    workspace.attach(Client(workspace.profile, Session(workspace.profile)))
    workspace.monitor.answered(0.01)
    assert right(workspace).startswith("not logged in  ● ")
    workspace.monitor.lost()
    assert right(workspace).startswith("not logged in  ○ offline")
    await workspace.close()
