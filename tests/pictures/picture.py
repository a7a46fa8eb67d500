"""A picture: a name, a size, who looks, and what is done before it is taken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from tests.stories.driver import Story

SUPERADMIN = "superadmin@demo.example"
Steps = Callable[[Story], Awaitable[None]]

DESIGN, PROJECTOR, WIDE, LARGE = (80, 24), (110, 32), (120, 40), (200, 60)


@dataclass(frozen=True)
class Picture:
    """One picture. `changes` of the profile, such as no password so that the login box opens."""

    name: str
    size: tuple[int, int]
    steps: Steps
    changes: dict[str, Any] = field(default_factory=dict)
    login: str = "company_admin@demo.example"
