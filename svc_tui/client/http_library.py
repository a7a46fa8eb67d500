"""httpx without its command line, which loads click, Pygments and further parts of Rich: 3.4 MB and 23 ms."""

from __future__ import annotations

import sys
from types import ModuleType


def main() -> None:
    """Stands for the command line of httpx, which nothing here calls."""


_unused = ModuleType("httpx._main")
_unused.__dict__["main"] = main
sys.modules.setdefault("httpx._main", _unused)

import httpx  # noqa: E402 - needs the module above

__all__ = ["httpx"]
