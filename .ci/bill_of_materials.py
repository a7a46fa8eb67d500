"""Prints a software bill of materials, CycloneDX 1.6 as JSON: every package of a lock file with its hashes and licence.

    .venv/bin/python .ci/bill_of_materials.py requirements.lock > svc-tui.cdx.json

Licences are those of the installed packages; one that is not installed, because it is for another platform, has none.
The same lock file gives the same text.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Print the bill of the lock files that are named."""
    names = sys.argv[1:] or ["requirements.lock"]
    text = "\n".join((ROOT / name).read_text(encoding="utf-8") for name in names)
    print(json.dumps(bill(text), indent=2))


def bill(lock: str) -> dict[str, Any]:
    """The document for the text of a lock file."""
    components = {each["bom-ref"]: each for each in map(component, re.split(r"\n(?=[a-z0-9])", lock.strip()))}
    version = re.search(r'__version__ = "(.+)"', (ROOT / "svc_tui" / "__init__.py").read_text(encoding="utf-8"))
    assert version is not None
    root = reference("svc-tui", version[1])
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, root + lock)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": "svc-tui",
                "version": version[1],
                "purl": root,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": [components[name] for name in sorted(components)],
    }


def component(entry: str) -> dict[str, Any]:
    """One package: the entry of a lock file begins with `name==version` and contains its hashes."""
    name, _, version = entry.split(maxsplit=1)[0].partition("==")
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": reference(name, version),
        "name": name,
        "version": version,
        "purl": reference(name, version),
        # One for each file of the package: platforms install different ones.
        "properties": [
            {"name": "svc-tui:sha256", "value": each} for each in re.findall(r"--hash=sha256:([0-9a-f]{64})", entry)
        ],
    }
    if licence := licence_of(name):
        found["licenses"] = [{"license": {"name": licence}}]
    return found


def reference(name: str, version: str) -> str:
    """The package URL."""
    return f"pkg:pypi/{name}@{version}"


def licence_of(name: str) -> str:
    """The licence that an installed package states, in one line; empty without one."""
    try:
        facts = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    classifiers = [each.rpartition(" :: ")[2] for each in facts.get_all("Classifier") or [] if "License ::" in each]
    stated = facts.get("License-Expression") or ", ".join(classifiers) or facts.get("License") or ""
    return stated.strip().partition("\n")[0]


if __name__ == "__main__":
    main()
