"""`python -m docs.making.drawing`: draws docs/architecture.svg from the import contracts and the imports themselves.

The rows are the layers of the contracts in `pyproject.toml`, and an arrow is drawn where a package imports another one,
unless a longer way of arrows leads there too: the drawing shows what is so. A test fails if it is outdated.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs" / "architecture.svg"
PACKAGE = "svc_tui"
#: Sizes in pixels: of a package, between packages of a row, and of a row.
WIDTH, HEIGHT, GAP, ROW = 132, 40, 20, 104
TOP, LEFT = 44, 24
#: Left side and height of a row of the second drawing, the rooms of the console.
ROOMS, ROOM = 560, 58
_STYLE = (
    "text{font:15px sans-serif;fill:#1c1c1c}.title{font-weight:bold}.box{fill:#e4e4e4;stroke:#005f87;stroke-width:1.5}"
    ".arrow{stroke:#585858;fill:none;marker-end:url(#head)}"
)


def contract(name: str) -> list[list[str]]:
    """The layers of a contract from the top, each with its packages by their last names."""
    settings: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [found] = [each for each in settings["tool"]["importlinter"]["contracts"] if each["id"] == name]
    return [[part.strip(" ()").rpartition(".")[2] for part in layer.split("|")] for layer in found["layers"]]


def imports(packages: list[str]) -> list[tuple[str, str]]:
    """Which of the packages imports which other one, directly."""
    graph = grimp.build_graph(PACKAGE)
    return [
        (one, other)
        for one in packages
        for other in packages
        if one != other
        and graph.direct_import_exists(importer=f"{PACKAGE}.{one}", imported=f"{PACKAGE}.{other}", as_packages=True)
    ]


def without_shortcuts(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The imports without those that a longer way replaces."""

    def leads(one: str, other: str) -> bool:
        return any(start == one and (end == other or leads(end, other)) for start, end in found)

    return [
        (one, other)
        for one, other in found
        if not any(start == one and end != other and leads(end, other) for start, end in found)
    ]


def drawing() -> str:
    """The whole drawing as SVG."""
    layers, rooms = contract("floors"), contract("console-rooms")
    widest = max(map(len, layers))
    places = {
        package: (LEFT + (WIDTH + GAP) * (column + (widest - len(layer)) / 2), TOP + ROW * row)
        for row, layer in enumerate(layers)
        for column, package in enumerate(layer)
    }
    height = max(TOP + ROW * (len(layers) - 1), TOP + ROOM * (len(rooms) - 1)) + HEIGHT + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {ROOMS + WIDTH + 3 * LEFT} {height}" role="img">',
        "<title>The packages of svc-tui with their imports, and the rooms of the console</title>",
        f"<style>{_STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#585858"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="26" class="title">Packages: an arrow means imports</text>',
        f'<text x="{ROOMS}" y="26" class="title">Rooms of the console</text>',
        *(arrow(places[one], places[other]) for one, other in without_shortcuts(imports(list(places)))),
        *(box(name, *place) for name, place in places.items()),
        *rooms_of(rooms),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def rooms_of(rooms: list[list[str]]) -> Iterator[str]:
    """The rooms of the console: each imports only those below it."""
    for row, [room] in enumerate(rooms):
        top = TOP + ROOM * row
        if row:
            yield arrow((ROOMS, top - ROOM), (ROOMS, top))
        yield box(room, ROOMS, top)


def box(name: str, left: float, top: float) -> str:
    middle = left + WIDTH / 2
    return (
        f'<rect class="box" x="{left:g}" y="{top:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{middle:g}" y="{top + 26:g}" text-anchor="middle">{name}</text>'
    )


def arrow(one: tuple[float, float], other: tuple[float, float]) -> str:
    """From the lower side of one package to the upper side of another one, beside the packages of the rows between."""
    x, y, to_x, to_y = one[0] + WIDTH / 2, one[1] + HEIGHT, other[0] + WIDTH / 2, other[1]
    if to_y - y > ROW:
        return f'<path class="arrow" d="M{one[0] + WIDTH:g} {one[1] + HEIGHT / 2:g}H{to_x:g}V{to_y:g}"/>'
    return f'<path class="arrow" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>'


if __name__ == "__main__":
    TARGET.write_text(drawing(), encoding="utf-8")
    print(TARGET)
