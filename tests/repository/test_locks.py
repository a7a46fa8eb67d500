"""The lock files: every package with a hash, no addresses, and no unnecessary packages."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.repository.files import ROOT

LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-client.lock")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def entries(lock: str) -> list[str]:
    """One text for each package: its line and its hashes."""
    return re.split(r"\n(?=[a-z0-9])", (ROOT / lock).read_text(encoding="utf-8").strip())


def pinned(lock: str) -> dict[str, str]:
    """Package -> version (the last one, where Python versions need different ones)."""
    return dict(entry.split(maxsplit=1)[0].split("==") for entry in entries(lock))


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_has_no_addresses(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    for mark in ("://", "--index-url", "--extra-index-url", "--find-links", " @ ", "/opt/", "file:"):
        assert mark not in text


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_of_a_lock_has_a_hash(lock: str) -> None:
    for entry in entries(lock):
        assert re.match(r"[a-z0-9][a-z0-9._-]*==\S+ ", entry)
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), entry.splitlines()[0]


def test_every_declared_dependency_is_locked() -> None:
    runtime = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    assert {name_of(item) for item in runtime} <= pinned("requirements.lock").keys()
    extras = [item for items in PROJECT["project"]["optional-dependencies"].values() for item in items]
    assert {name_of(item) for item in (*runtime, *extras)} - {"svc-tui"} <= pinned("requirements-dev.lock").keys()


def test_the_client_needs_a_part_of_the_default_install() -> None:
    assert {*PROJECT["dependency-groups"]["client"]} < {*PROJECT["project"]["dependencies"]}
    assert pinned("requirements-client.lock").items() < pinned("requirements.lock").items()


def test_the_default_install_has_no_development_tools_and_the_same_versions() -> None:
    lean, whole = pinned("requirements.lock"), pinned("requirements-dev.lock")
    assert lean.items() <= whole.items()
    assert not lean.keys() & {"pytest", "ruff", "mypy", "playwright", "asyncpg", "hypothesis"}


def test_what_is_imported_plainly_is_installed_by_default() -> None:
    lean, homes = pinned("requirements.lock"), packages_distributions()
    missing = {}
    for path in (ROOT / "svc_tui").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for root in {name.partition(".")[0] for name in names} - {"svc_tui", *sys.stdlib_module_names}:
                if not {name_of(home) for home in homes[root]} & lean.keys():
                    missing[str(path.relative_to(ROOT))] = root
    assert not missing
