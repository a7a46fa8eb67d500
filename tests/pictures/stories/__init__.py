"""The stories that are photographed, one module for each area."""

from __future__ import annotations

from tests.pictures.stories import applications, companies, directory, metrics, subscriptions, voice

PICTURES = (
    *applications.PICTURES,
    *companies.PICTURES,
    *subscriptions.PICTURES,
    *voice.PICTURES,
    *directory.PICTURES,
    *metrics.PICTURES,
)
