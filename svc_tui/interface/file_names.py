"""Names of files that are saved, from names and numbers of the service."""

from __future__ import annotations

import re

#: Stands for a slash, and for nothing else: INV/1 and INV-1 are two files.
_SLASH = "~"
#: Most characters of a name without its ending, and most bytes: file systems take 255 of them.
_MOST_CHARACTERS, _MOST_BYTES = 120, 200
#: Names of devices of Windows, with any ending.
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)


def file_name(name: object, ending: str = "") -> str:
    """A harmless file name from the whole of a name: in one folder, visible, without control characters.

    Of a name that is a path out of its folder, the last part. The ending is added if the name does not have it.
    """
    parts = str(name or "").replace("\\", "/").strip("/").split("/")
    whole = parts[-1] if ".." in parts else _SLASH.join(parts)
    plain = re.sub(rf"[^\w .@+(){_SLASH}-]", "_", whole).lstrip(f". -{_SLASH}").rstrip(f". {_SLASH}")
    stem = plain[: -len(ending)] if ending and plain.lower().endswith(ending) else plain
    if _DEVICE.fullmatch(stem):
        stem = f"_{stem}"
    stem = stem[:_MOST_CHARACTERS].encode()[:_MOST_BYTES].decode(errors="ignore")
    return f"{stem or 'file'}{ending}"
