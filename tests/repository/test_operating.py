"""The files for operators: settings that exist, times that fit together, and the balancer that the tests use."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from svc_tui.commands.parser import build_parser
from svc_tui.server.http.connections import MOST_DESCRIPTORS
from svc_tui.server.http.measures import MEASURES
from svc_tui.server.settings import PLACEHOLDER, Settings, SettingsError, read_settings
from tests.repository.files import ROOT

FOLDER = ROOT / "docs" / "operating"
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT"}
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


def test_the_commands_in_the_files_are_understood_and_their_limits_agree() -> None:
    unit = (FOLDER / "svc-tui.service").read_text(encoding="utf-8")
    container = (FOLDER / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
    service = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))["services"]["service"]
    instructions = [line.split(maxsplit=1) for line in container.splitlines() if line and not line.startswith("#")]
    assert {name for name, _ in instructions} <= INSTRUCTIONS | {"CMD"}
    said = dict(instructions)
    assert json.loads(said["ENTRYPOINT"]) == ["/opt/svc-tui/bin/svc-tui"]
    [started] = re.findall(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)
    for words in (json.loads(said["CMD"]), service["command"], started.split()):
        command, bound, _ = build_parser().parse_args(words, print_error=False, exit_on_error=False)
        assert command.__name__ == "serve"
        assert bound.arguments["workers"] > 1
    compile(json.loads(said["HEALTHCHECK"].partition("CMD ")[2])[2], "HEALTHCHECK", "exec")
    [descriptors] = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
    assert int(descriptors) == service["ulimits"]["nofile"] == MOST_DESCRIPTORS
    assert all((ROOT / name).exists() for name in re.findall(r"docs/\S+\.lock", container))


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


def test_a_setting_that_does_not_exist_is_named_with_the_closest_one(tmp_path: Path) -> None:
    file = tmp_path / "server.toml"
    file.write_text('databse_url = "postgresql://svc@localhost/svc"\n', encoding="utf-8")
    with pytest.raises(SettingsError, match=r"^no setting is named databse_url; did you mean database_url\?$"):
        read_settings(file)
