"""The files for operators: settings that exist, times that fit together, and the balancer that the tests use."""

from __future__ import annotations

import re
import tomllib

import yaml

from svc_tui.server.measures import MEASURES
from svc_tui.server.settings import Settings
from tests.repository.files import ROOT

FOLDER = ROOT / "docs" / "operating"
GUIDE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def settings() -> Settings:
    return Settings.model_validate(tomllib.loads((FOLDER / "server.toml").read_text(encoding="utf-8")))


def seconds_to_stop() -> float:
    return settings().drain_seconds + 2 * settings().grace_seconds


def test_supervisors_wait_longer_than_a_server_takes_to_stop() -> None:
    unit = (FOLDER / "svc-tui.service").read_text(encoding="utf-8")
    [patience] = re.findall(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)
    assert int(patience) > seconds_to_stop()
    compose = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
    assert int(compose["services"]["service"]["stop_grace_period"].removesuffix("s")) > seconds_to_stop()


def test_the_files_that_compose_names_exist_or_are_secrets() -> None:
    compose = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
    assert (ROOT / compose["services"]["service"]["build"]["dockerfile"]).exists()
    for secret in compose["secrets"].values():
        assert secret["file"] in {f"./secrets/{name}" for name in re.findall(r"secrets/([\w.]+)", GUIDE)}


def test_the_guide_names_every_file_and_every_metric() -> None:
    for path in FOLDER.iterdir():
        assert path.name in GUIDE, path.name
    for measure in MEASURES:
        assert f"`{measure.name}{'_total' if measure.kind == 'counter' else ''}`" in GUIDE
