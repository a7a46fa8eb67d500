"""Records as plain data, the way JSON holds them. It loads no models: lists draw with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: The values of a record under their wire names, only read.
RecordData = Mapping[str, Any]
