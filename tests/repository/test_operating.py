"""The files for operators: settings that exist, times that fit together, and the balancer that the tests use."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from svc_tui.server.measures import MEASURES
from svc_tui.server.settings import PLACEHOLDER, Settings, SettingsError, read_settings
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


def test_a_server_refuses_the_secrets_of_the_example_file(tmp_path: Path) -> None:
    example = (FOLDER / "server.toml").read_text(encoding="utf-8")
    file = tmp_path / "server.toml"
    for name in ("database_url", "signing_key_secret"):
        assert re.search(rf"^{name} = .*{PLACEHOLDER}", example, re.MULTILINE)
        others = re.sub(rf"^(?!{name})(.*){PLACEHOLDER}", r"\1secret", example, flags=re.MULTILINE)
        file.write_text(others, encoding="utf-8")
        with pytest.raises(SettingsError, match=f"setting {name}: replace {PLACEHOLDER} by a secret of your own"):
            read_settings(file)
    file.write_text(f'[xmpp_component]\nname = "events.example"\nsecret = "{PLACEHOLDER}"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"xmpp_component\.secret"):
        read_settings(file)
    file.write_text(example.replace(PLACEHOLDER, "secret"), encoding="utf-8")
    assert read_settings(file).signing_key_secret == "secret"
