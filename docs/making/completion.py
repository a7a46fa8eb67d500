"""Generator of docs/completion: completion of `svc-tui` in bash, zsh and fish. A test fails if it is outdated."""

from __future__ import annotations

from pathlib import Path

from svc_tui.commands.completion import Shell, script

FOLDER = Path(__file__).resolve().parent.parent / "completion"
SHELLS: dict[str, Shell] = {
    "svc-tui.bash": "bash",
    "_svc-tui": "zsh",
    "svc-tui.fish": "fish",
}


def files() -> dict[str, str]:
    """File name -> text for each shell."""
    return {name: script(shell) for name, shell in SHELLS.items()}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"wrote {name}")
