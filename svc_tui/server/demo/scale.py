"""How much demo data there is, and whether some of it is hostile."""

from __future__ import annotations

from typing import Literal, get_args

#: `hostile` is the small data with control sequences, markup and odd characters in the records of one company.
Scale = Literal["small", "large", "hostile"]
_SCALES: tuple[Scale, ...] = get_args(Scale)


def scale_of(name: str) -> Scale:
    """The scale with this name. ValueError, with a sentence, if there is none."""
    for scale in _SCALES:
        if scale == name:
            return scale
    raise ValueError(f"demo data must be {', '.join(_SCALES[:-1])} or {_SCALES[-1]}, not {name}")
