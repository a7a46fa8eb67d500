"""`python -m tests.stories NAME [SECONDS]`: watch the stories whose names hold NAME on this screen, slowly."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    os.environ["WATCH"] = sys.argv[2] if len(sys.argv) > 2 else "0.4"
    folder = str(Path(__file__).parent)
    return int(pytest.main([folder, "-k", sys.argv[1], "-q", "-s", "--no-header", "-p", "no:cacheprovider", "-n", "0"]))


if __name__ == "__main__":
    sys.exit(main())
