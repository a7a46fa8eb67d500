"""The examples of docs/python-api.md run as printed, one after the other, against a service with demo data."""

from __future__ import annotations

import ast
import codeop
import inspect
import re
import types
from pathlib import Path

import pytest

from svc_tui.client import api
from svc_tui.server.demo.accounts import APP_ID, APP_SECRET, PASSWORD
from tests.support.process import serving_demo

GUIDE = Path(__file__).parents[2] / "docs" / "python-api.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
#: Part of what the examples print, in their order; empty for those that print nothing.
PRINTED = (
    "Branch Go",
    "Dana Moreno",
    "requests",
    "",
    "-> For branches",
    "applications",
    "Branch Go",
    "was not found",
    "valid rows",
    "command_ended",
)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory):
    """A service that the examples may change."""
    with serving_demo(tmp_path_factory.mktemp("python-api")) as server:
        yield server.url


@pytest.fixture(scope="module")
def namespace() -> dict[str, object]:
    """The names that examples hand on."""
    return {}


@pytest.mark.parametrize(("example", "printed"), list(zip(EXAMPLES, PRINTED, strict=True)), ids=lambda text: text[:12])
async def test_an_example_works_as_printed(
    service: str,
    namespace: dict[str, object],
    example: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in {
        "SVC_TUI_BASE_URL": service,
        "SVC_TUI_APP_ID": APP_ID,
        "SVC_TUI_APP_SECRET": APP_SECRET,
        "SVC_TUI_LOGIN": "demo@demo.example",
        "SVC_TUI_PASSWORD": PASSWORD,
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    code = compile(example, str(GUIDE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    done = types.FunctionType(code, namespace)()
    if inspect.isawaitable(done):
        await done
    assert printed in capsys.readouterr().out


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text[:12])
def test_an_example_can_be_pasted_into_an_interactive_python(example: str) -> None:
    """There, an empty line ends a block, and nothing else does."""
    understood = codeop.CommandCompiler()
    understood.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    typed: list[str] = []
    for line in [*example.splitlines(), ""]:
        typed.append(line)
        if understood("\n".join(typed), str(GUIDE)) is not None:
            typed.clear()
    assert typed == []


def test_every_public_name_is_explained_and_exists() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    for name in api.__all__:
        assert getattr(api, name).__doc__
        assert re.search(rf"\b{name}\b", guide), name
