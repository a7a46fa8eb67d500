"""`python -m docs.making`: runs all generators whose results are in the repository.

The table of completion reads the outlines, so it comes after them. Run it before a commit, as the hooks of
`.pre-commit-config.yaml` do: a generator without a change writes the same bytes again.
"""

from __future__ import annotations

import subprocess
import sys

GENERATORS = ("countries", "outlines", "resources", "completion", "manual", "reference", "texts", "drawing")


def main() -> int:
    """Run each generator in a process of its own; the status of the first that fails, or 0."""
    for name in GENERATORS:
        # A process of its own: a generator reads tables that the one before it has written.
        done = subprocess.run([sys.executable, "-m", f"docs.making.{name}"], check=False)
        if done.returncode:
            print(f"docs.making.{name} failed", file=sys.stderr)
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
