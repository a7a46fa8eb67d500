"""`--profile demo` in another terminal: the running demo, unless the user has a profile of that name."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from svc_tui.client.profile import Profile
from svc_tui.commands import start
from svc_tui.workspace.core.folders import folders
from svc_tui.workspace.profiles import running_demo
from svc_tui.workspace.profiles.profiles import Profiles

OWN = {kind: f"SVC_TUI_{kind.upper()}_DIR" for kind in ("config", "cache", "data")}


#: What the processes of the demos hold.
HELD: dict[Path, int] = {}


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine of one user, without a demo."""
    for kind, variable in OWN.items():
        monkeypatch.setenv(variable, str(tmp_path / "own" / kind))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    for descriptor in HELD.values():
        os.close(descriptor)
    HELD.clear()


def shared(tmp_path: Path, address: str, mode: int = 0o700) -> Path:
    """A demo that runs at an address."""
    folder = tmp_path / f"{running_demo.PREFIX}{address[-4:]}"
    folder.mkdir()
    folder.chmod(mode)
    HELD[folder] = running_demo.hold(folder)
    own, console = folders(), folders(running_demo.variables(folder))
    if "demo" not in Profiles(own).names():
        Profiles(console).save(Profile(name="demo", base_url=address))
    return folder


def address_of(name: str) -> str:
    profile = Profiles().load(name)
    assert profile is not None
    return profile.base_url


def test_the_name_of_a_demo_is_that_of_the_running_one(tmp_path: Path) -> None:
    shared(tmp_path, "http://127.0.0.1:4001")
    running_demo.follow("other")
    assert "demo" not in Profiles().names()
    running_demo.follow("demo")
    assert address_of("demo") == "http://127.0.0.1:4001"


def test_of_several_demos_the_last_one_is_used(tmp_path: Path) -> None:
    first, second = shared(tmp_path, "http://127.0.0.1:4001"), shared(tmp_path, "http://127.0.0.1:4002")
    for folder, seconds in ((first, 2_000_000_000), (second, 1_000_000_000)):
        os.utime(folder / "config" / "config.toml", (seconds, seconds))
    assert running_demo.running_demo() == first


def test_a_stored_profile_goes_before_a_demo(tmp_path: Path) -> None:
    shared(tmp_path, "http://127.0.0.1:4001")
    Profiles().save(Profile(name="demo", base_url="https://own.example"))
    running_demo.follow("demo")
    assert address_of("demo") == "https://own.example"


def test_a_demo_beside_a_stored_profile_of_its_name_is_not_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = folders()
    Profiles().save(Profile(name="demo", base_url="https://own.example"))
    for name, value in running_demo.variables(tmp_path / f"{running_demo.PREFIX}1").items():
        monkeypatch.setenv(name, value)
    running_demo.share(Profile(name="demo", base_url="http://127.0.0.1:4001"), own)
    assert running_demo.running_demo() is None


def test_a_folder_that_others_can_write_to_is_no_demo(tmp_path: Path) -> None:
    shared(tmp_path, "http://127.0.0.1:4001", 0o770)
    assert running_demo.running_demo() is None


def test_after_a_demo_was_killed_its_folder_is_removed_and_its_name_is_unknown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, killed = shared(tmp_path, "http://127.0.0.1:4001"), shared(tmp_path, "http://127.0.0.1:4002")
    starting = tmp_path / f"{running_demo.PREFIX}starting"
    starting.mkdir(0o700)
    os.close(HELD.pop(killed))
    assert running_demo.running_demo() == running
    os.close(HELD.pop(running))
    assert start.run(["call", "ping", "--profile", "demo"]) == 2
    assert "No demo is running" in capsys.readouterr().err
    assert list(tmp_path.glob(f"{running_demo.PREFIX}*")) == [starting]


@pytest.mark.parametrize("words", [["--profile", "demo"], ["--profile=demo"]])
def test_a_command_line_names_the_demo(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shared(tmp_path, "http://127.0.0.1:4001")
    assert start.run(["call", "ping", *words, "--dry-run"]) == 0
    assert "http://127.0.0.1:4001/api/svc/ping" in capsys.readouterr().out
