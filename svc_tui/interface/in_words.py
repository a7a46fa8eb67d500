"""Fields and roles of the declaration in words, for the reference pages and the command line."""

from __future__ import annotations

from svc_tui.interface.access import Access, Role
from svc_tui.interface.field_specs import FieldSpec


def type_of(spec: FieldSpec) -> str:
    return f"{spec.kind}: {spec.constraint}" if spec.constraint else spec.kind


def setters_of(spec: FieldSpec) -> str:
    facet = spec.facet
    if facet.within is not None:
        roles = roles_in_full(facet.within)
        return f"{roles}; {', '.join(str(each) for each in facet.provided)}" if facet.provided else roles
    setters = facet.setters
    return "" if setters is None else ", ".join(role.value for role in Role if role in setters)


def readers_of(spec: FieldSpec) -> str:
    """Who reads a field, and which operations return it; empty when everyone gets it who reads the record."""
    facet = spec.facet
    if facet.readers is None and facet.only_in is None:
        return ""
    roles = roles_in_full(facet.readers) if facet.readers else "all who read the record"
    if facet.only_in is None:
        return roles
    return f"{roles}; only in {', '.join(facet.only_in)}" if facet.only_in else "no user"


def description_of(spec: FieldSpec) -> str:
    facet = spec.facet
    parts = [facet.help] if facet.help else []
    if facet.choices:
        parts.append("; ".join(f"{value}: {meaning}" for value, meaning in facet.choices))
    if facet.needs is not None:
        parts.append(str(facet.needs))
    if facet.deprecated:
        parts.append(f"deprecated: {facet.deprecated}")
    return ". ".join(parts)


def roles_in_full(who: Access) -> str:
    """Scope: roles, the reverse of the declaration, because readers look for their role."""
    by_scope: dict[str, list[str]] = {}
    for role, scope in who.as_text().items():
        by_scope.setdefault(scope, []).append(role)
    return "; ".join(
        f"{words(scope).replace('+', ' and ')}: {'all roles' if len(roles) == len(Role) else ', '.join(roles)}"
        for scope, roles in by_scope.items()
    )


def words(name: str) -> str:
    return name.lower().replace("_", " ")
