"""Brand words: the deployment's own word where the interface says `svc`, `voice` or `billing`, in both directions.

Path segments, header names, parameter and field names, and values of declared choices are translated. Texts, and the
keys of free objects, are not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from svc_tui.client.errors import InvalidResponse
from svc_tui.client.masking import FREE, shape_of
from svc_tui.client.profile import Profile
from svc_tui.language import _

if TYPE_CHECKING:
    from svc_tui.interface.records import Record

#: Names in which `voice` or `billing` is the English word, not the name of a platform or provider.
ENGLISH = re.compile(r"voice_?mail|voice_by_|voicePhone|hasVoice|billing(Model|Period)$", re.IGNORECASE)

#: Fields whose value is the name of a field.
_NAMES_A_FIELD = frozenset({"sortField", "param"})


class Word:
    """One word of the interface and the word of the deployment, each in lower case, Capitalised and UPPER CASE."""

    def __init__(self, inner: str, outer: str) -> None:
        self._outward = dict(zip(_forms(inner), _forms(outer), strict=True))
        self._inward = {outer: inner for inner, outer in self._outward.items()}
        self._inner = _as_word(inner)
        self._outer = _as_word(outer)
        self._glued = re.compile("|".join(_forms(inner)))
        self._starts = re.compile(rf"^{inner}")
        self._english = inner != "svc"

    def to_deployment(self, name: str) -> str:
        """A field, parameter or header name in the words of the deployment."""
        if self._english and ENGLISH.search(name):
            return name
        return self._inner.sub(lambda found: self._outward[found[0]], name)

    def to_interface(self, name: str) -> str:
        """A name of the deployment in the words of the interface."""
        translated = self._outer.sub(lambda found: self._inward[found[0]], name)
        return name if self._english and ENGLISH.search(translated) else translated

    def segment(self, segment: str) -> str:
        """A fixed path segment. The word can be part of a longer one (`svcmfa`, `voiceprovisioning`)."""
        pattern = self._starts if self._english else self._glued
        return pattern.sub(lambda found: self._outward[found[0]], segment)

    def value(self, value: str) -> str:
        """A value of a declared choice. Only the brand is translated there: `voice` is the English word."""
        return value if self._english else self._glued.sub(lambda found: self._outward[found[0]], value)


def _forms(word: str) -> tuple[str, str, str]:
    return word, word.capitalize(), word.upper()


def _as_word(word: str) -> re.Pattern[str]:
    """Pattern of the word in a name (`svcServiceId`, `isSvcClientDefault`, `x-svc-client`), not in another word."""
    small, capital, caps = _forms(word)
    return re.compile(
        rf"(?<![A-Za-z0-9]){small}(?![a-z0-9])|(?<![A-Z]){capital}(?![a-z0-9])|(?<![A-Za-z0-9]){caps}(?![A-Za-z0-9])"
    )


class Brand:
    """The words of one profile. With the default words every method returns its argument."""

    def __init__(self, profile: Profile) -> None:
        pairs = (("svc", profile.brand), ("voice", profile.voice_brand), ("billing", profile.billing_brand))
        self._words = tuple(Word(inner, outer) for inner, outer in pairs if inner != outer)
        self._paths: dict[str, str] = {}

    @cached_property
    def plain(self) -> bool:
        """Whether there is nothing to translate."""
        return not self._words

    def path(self, template: str) -> str:
        """A path template with its fixed segments in the words of the deployment."""
        if self.plain:
            return template
        if template not in self._paths:
            self._paths[template] = "/".join(
                segment if segment.startswith("{") else self._segment(segment) for segment in template.split("/")
            )
        return self._paths[template]

    def _segment(self, segment: str) -> str:
        for word in self._words:
            segment = word.segment(segment)
        return segment

    def deployment_name(self, name: str) -> str:
        """A field, parameter or header name in the words of the deployment."""
        for word in self._words:
            name = word.to_deployment(name)
        return name

    def interface_name(self, name: str) -> str:
        """A name of the deployment in the words of the interface."""
        for word in self._words:
            name = word.to_interface(name)
        return name

    def deployment_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Headers with their names in the words of the deployment."""
        return {self.deployment_name(name): value for name, value in headers.items()}

    def interface_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        """Headers with their names in the words of the interface, in lower case."""
        return {self.interface_name(name.lower()): value for name, value in headers.items()}

    def deployment_values(self, values: Mapping[str, Any], model: type[Record]) -> dict[str, Any]:
        """A query or a body, by wire names, in the words of the deployment."""
        if self.plain:
            return dict(values)
        translated: dict[str, Any] = _Translation(self, to_deployment=True).value(values, model)
        return translated

    def interface_values(self, body: Any, model: type[Record] | None) -> Any:
        """A response in the words of the interface. Without a model (a refusal) only names are translated."""
        if self.plain:
            return body
        try:
            return _Translation(self, to_deployment=False).value(body, model)
        except RecursionError as error:
            raise InvalidResponse(_("The response is nested too deeply.")) from error

    def choice(self, value: str, choices: tuple[str, ...], *, to_deployment: bool) -> str:
        """A value of a declared choice. Any other value stays unchanged."""
        if to_deployment:
            return self._outward_choice(value) if value in choices else value
        return next((choice for choice in choices if self._outward_choice(choice) == value), value)

    def _outward_choice(self, value: str) -> str:
        for word in self._words:
            value = word.value(value)
        return value


class _Translation:
    """The translation of a JSON value by its declaration."""

    def __init__(self, brand: Brand, *, to_deployment: bool) -> None:
        self._brand = brand
        self._outward = to_deployment

    def value(self, value: Any, model: type[Record] | None) -> Any:
        if isinstance(value, Mapping):
            return self._mapping(value, model)
        if isinstance(value, list):
            return [self.value(item, model) for item in value]
        return value

    def _mapping(self, mapping: Mapping[str, Any], model: type[Record] | None) -> dict[str, Any]:
        shape = shape_of(model) if model is not None else None
        translated: dict[str, Any] = {}
        for name, value in mapping.items():
            new = self._name(name, shape.names if shape else frozenset())
            # A name under both words stays unchanged, so that no value is lost.
            if new != name and (new in mapping or new in translated):
                new = name
            inner = name if self._outward else new
            if inner in FREE:
                translated[new] = value
            elif shape is not None and inner in shape.choices:
                translated[new] = self._choice(value, shape.choices[inner])
            elif inner in _NAMES_A_FIELD and isinstance(value, str):
                translated[new] = self._name(value, frozenset())
            else:
                translated[new] = self.value(value, shape.nested.get(inner) if shape else None)
        return translated

    def _name(self, name: str, declared: frozenset[str]) -> str:
        if self._outward:
            return self._brand.deployment_name(name)
        # A declared name can hold the word of the deployment by chance.
        return name if name in declared else self._brand.interface_name(name)

    def _choice(self, value: Any, choices: tuple[str, ...]) -> Any:
        if isinstance(value, str):
            return self._brand.choice(value, choices, to_deployment=self._outward)
        if isinstance(value, list):
            return [self._choice(item, choices) for item in value]
        return value
