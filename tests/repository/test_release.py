"""What a release consists of: version and changelog, packages that run elsewhere, hooks, and the bill of materials."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

import svc_tui
from tests.repository.files import ROOT, tracked
from tests.repository.test_locks import pinned
from tests.support.pty import Terminal

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
VERSIONS = re.findall(r"^## \[(.+?)\] - (.+)$", CHANGELOG, re.MULTILINE)
#: Kinds of changes, in the order in which they stand.
KINDS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def test_the_changelog_begins_with_the_version_of_the_package() -> None:
    assert VERSIONS[0][0] == svc_tui.__version__
    assert len(re.findall(r"^## ", CHANGELOG, re.MULTILINE)) == len(VERSIONS)


def test_versions_descend_and_all_but_the_newest_have_a_date() -> None:
    numbers = [tuple(map(int, version.split("."))) for version, _ in VERSIONS]
    assert all(len(number) == 3 for number in numbers)
    assert numbers == sorted(numbers, reverse=True)
    dates = [date for _, date in VERSIONS]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", date) for date in dates[1:])
    assert dates[0] == "unreleased" or dates[0] >= max(dates[1:], default="")


def test_the_changes_of_a_version_have_the_agreed_kinds_in_order() -> None:
    for section in re.split(r"^## ", CHANGELOG, flags=re.MULTILINE)[1:]:
        kinds = re.findall(r"^### (.+)$", section, re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds]
        assert kinds


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wheel and the source package, made by the locked build backend."""
    folder = tmp_path_factory.mktemp("packages")
    build(ROOT, folder, "wheel", "sdist")
    [wheel], [source] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


def build(source: Path, folder: Path, *targets: str) -> None:
    options = [word for target in targets for word in ("-t", target)]
    command = [sys.executable, "-m", "hatchling", "build", *options, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)


def names_in(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_has_every_file_of_the_package(packages: tuple[Path, Path]) -> None:
    names = names_in(packages[0])
    expected = {str(path.relative_to(ROOT)) for path in tracked() if path.is_relative_to(ROOT / "svc_tui")}
    assert "svc_tui/py.typed" in expected
    assert expected <= names
    assert not {name for name in names if name.startswith(("tests", "docs", "screenshots"))}


def test_the_source_package_makes_the_same_wheel(packages: tuple[Path, Path], tmp_path: Path) -> None:
    wheel, source = packages
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    [folder] = tmp_path.iterdir()
    build(folder, tmp_path / "again", "wheel")
    assert names_in(tmp_path / "again" / wheel.name) == names_in(wheel)


def test_the_installed_wheel_runs_the_demo_outside_the_repository(packages: tuple[Path, Path], tmp_path: Path) -> None:
    home, elsewhere, environment = tmp_path / "home", tmp_path / "elsewhere", tmp_path / "environment"
    home.mkdir()
    elsewhere.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    pip = [str(Path(sys.base_prefix) / "bin" / "python3"), "-m", "pip", "--python", str(python)]
    wheel = str(packages[0])
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", wheel], check=True, capture_output=True)
    # Dependencies come from the tests' own environment; a plain path there does not bring its editable install along.
    [packages_here] = [path for path in sys.path if path.startswith(sys.prefix) and path.endswith("site-packages")]
    [site] = environment.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(f"{packages_here}\n")
    command = str(environment / "bin" / "svc-tui")
    variables = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    options = {"env": variables, "cwd": elsewhere, "check": True, "capture_output": True, "text": True}
    said = subprocess.run([command, "--version"], **options)  # type: ignore[call-overload]
    assert said.stdout.split()[-1] == svc_tui.__version__
    where = subprocess.run([python, "-c", "import svc_tui; print(svc_tui.__file__)"], **options)  # type: ignore[call-overload]
    assert Path(where.stdout.strip()).is_relative_to(environment)
    with Terminal([command, "demo"], environment=variables, directory=str(elsewhere)) as terminal:
        terminal.wait_for("Home", timeout=60)
        terminal.type("q")
        assert terminal.wait_until_closed(30) == 0
    assert list(elsewhere.iterdir()) == []


def test_the_hooks_use_installed_tools_and_existing_files() -> None:
    configuration = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    [repository] = configuration["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        tool, *words = hook["entry"].split()
        assert Path(sys.executable).with_name(tool).exists(), tool
        assert all((ROOT / word).exists() for word in words if word.endswith(".py"))


def test_the_bill_of_materials_lists_every_locked_package() -> None:
    command = [sys.executable, ".ci/bill_of_materials.py", "requirements.lock"]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    document = json.loads(text)
    assert (document["bomFormat"], document["specVersion"]) == ("CycloneDX", "1.6")
    assert {each["name"]: each["version"] for each in document["components"]} == pinned("requirements.lock")
    references = [each["bom-ref"] for each in document["components"]]
    assert len(references) == len(set(references))
    assert any("licenses" in each for each in document["components"])
    assert document["metadata"]["component"]["version"] == svc_tui.__version__
