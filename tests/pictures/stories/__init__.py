"""The stories that are photographed, one module for each area."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from tests.pictures.picture import Picture

PICTURES: tuple[Picture, ...] = tuple(
    picture for module in iter_modules(__path__) for picture in import_module(f"{__name__}.{module.name}").PICTURES
)
