"""How much demo data there is."""

from __future__ import annotations

from typing import Literal

Scale = Literal["small", "large"]
