"""A service for the pictures of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.pictures.service import service_of_a_day


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with service_of_a_day(tmp_path_factory.mktemp("pictures")) as url:
        yield url
