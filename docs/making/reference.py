"""Generator of docs/reference from the declaration: operations and records of the interface, keys of the console.

Run `python -m docs.making.reference` after a change of `svc_tui/interface` or of an action. A test fails if the pages
are outdated.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from docs.making.errors import EXITS, INTRODUCTION, error_rows, exit_rows
from docs.making.python_reference import python_reference
from docs.making.server_settings import introduction, server_settings
from svc_tui.client.profile import ENVIRONMENT
from svc_tui.commands.profile import ProfileOptions
from svc_tui.console.core.actions import FORM, READING
from svc_tui.console.shell.help_view import SYNTAX
from svc_tui.console.shell.key_sets import dialog_keys
from svc_tui.console.shell.registry import registry
from svc_tui.console.shell.resources import BY_NAME
from svc_tui.interface.access import Access, Role
from svc_tui.interface.addresses import readable
from svc_tui.interface.catalogue import AREAS, declared_in, operations_of
from svc_tui.interface.field_specs import FieldSpec, fields_of
from svc_tui.interface.in_words import description_of, readers_of, roles_in_full, setters_of, type_of, words
from svc_tui.interface.operations import AnyOperation, Nothing
from svc_tui.interface.records import Record
from svc_tui.workspace.kinds import kind as kind_fields
from svc_tui.workspace.kinds.kind import Kind
from svc_tui.workspace.kinds.registry import KINDS
from svc_tui.workspace.lists.field_results import MOST_SEARCHED
from svc_tui.workspace.profiles import theme_files
from svc_tui.workspace.profiles.configuration import DEFAULT_CACHE_MEGABYTES, KEYS
from svc_tui.workspace.profiles.user_commands import COMMAND_HELP, COMMAND_KEYS

FOLDER = Path(__file__).resolve().parent.parent / "reference"
REMAPPING = """`?` shows the keys of the current view. Several keys of one line do the same.
To change a key, set it by the name of its action in `config.toml`, for all profiles or for one. The console reports
conflicts when it starts:

```toml
[keymap]
filter = "f2"
```"""
DIALOGS = "The last line of a dialog shows its keys. Several dialogs share the names that begin with `dialog`."
OWN_THEMES = """A file `themes/NAME.toml` beside `config.toml` is a theme, which `theme = "NAME"` selects. `base` is
`dark`, `light` or `high-contrast`; it supplies the missing colours. `svc-tui config check` lists faults, and texts with
too little contrast. `:theme` in the console draws each theme while it is selected.

```toml
base = "light"
background = "#fff8e7"
accent = "#870087"
```"""
#: Titles of views that are no lists of records, and of one that has the title of another.
_VIEWS = {
    "companyimages": "Images",
    "directoryreports": "Import reports",
    "directoryrows": "Import doctor",
    "holders": "Licence holders",
    "quotations": "Quotations",
}
COMMANDS = """A table `[commands.NAME]` adds a command to the console: a key, an entry in the help and the palette, and
a word after `:`. It opens a place or runs a program on this machine. `{field}` is a field of the selected record, by
its name in the API; `{{` and `}}` are braces. A program gets each word as one argument, without a shell. Secrets are
never passed, and a value that looks like an option is refused.

```toml
[commands.billing]
label = "Open in billing"
key = "f10"
where = ["companies"]
command = ["xdg-open", "https://billing.example/{id}"]

[commands.north]
key = "f7"
open = "companies?filter=north"
```"""
SETTINGS = f"""`config.toml` contains a table for each profile. `svc-tui profile add` and `svc-tui profile edit` write
it: the option `--read-only` is the setting `read_only`. Secrets are in `secrets.toml`, passwords are not stored.

```toml
theme = "dark"
cache_megabytes = {DEFAULT_CACHE_MEGABYTES}

[profiles.work]
base_url = "https://portal.example.com"
browse_cache = "never"
```

Top-level settings are `profile` (the default profile), `theme` and `keymap` for all profiles, `linear = true` for the
linear mode of screen readers, `language` for the language of the console (default: that of the environment), and
`cache_megabytes`, the maximum size of a cache."""
FILTERS = f"""`/` filters a list while you type. The status line shows the filter, and `esc` clears it. Filters are not
stored.

Text without a column is compared with every column as it is shown, and with the fields that identify a record. Lists
of up to {MOST_SEARCHED:,} records are read completely for this. In a longer list, the service searches each field that
it can filter, and the console searches every column of the loaded rows; the status line shows both, for example
`searched: display name, login; 100 loaded`. All other forms read the whole list, unless the service can filter it.

A date may be a year, month, day or minute, and is compared with the date that is shown. If the service can filter by
that date, as for recordings, only these rows are read, with one more day on either side for the time zone. Name a
column by its heading, its label or its field in the API."""
#: A note for contributors in the file; readers of the page do not see it.
GENERATED = "<!-- `python -m docs.making.reference` makes this page from the declarations of the package. -->"
#: The keys to learn first, by the names of their actions, with what a beginner gets from each.
FIRST_KEYS = (
    ("Find", "find", "find anything by a text: a user, a number, a device, a company"),
    ("", "goto", "go to a place by its name, and filter it: `:users north`"),
    ("", "section_1", "open one of the nine places of the start page: `1` to `9`"),
    ("", "filter", "filter the list while you type"),
    ("", "sort", "sort the list: press the letter of a column next"),
    ("Move", "open", "open the selected record, or follow the selected line"),
    ("", "back", "go back to the view before"),
    ("", "previous", "go back to the place before"),
    ("", "company", "open the company of the record"),
    ("Change", "new", "create a record"),
    ("", "edit", "edit the record: what you type replaces the value of a field"),
    ("", "review", "in a form: see the exact request before it is sent"),
    ("", "delete", "delete the record, after a list of what ends with it"),
    ("", "undo", "undo the last change, after a preview"),
    ("Many records", "mark", "mark a record; actions are then for all marked ones"),
    ("", "export", "save the list as a CSV or JSON file, or a workbook (.xlsx)"),
    ("", "copy_menu", "copy a link, an ID or a row"),
    ("Help", "help", "all keys of this view, and why some are not available"),
    ("", "palette", "find an action, a place or a setting by its words"),
    ("", "quit", "go back; from the first view, quit"),
)


def pages() -> dict[str, str]:
    """File name -> text of every reference page."""
    return {
        "keys.md": keys(),
        "filters.md": filters(),
        "settings.md": settings(),
        "server-settings.md": settings_of_servers(),
        "operations.md": catalogue(),
        "errors.md": errors(),
        "python.md": python_reference(GENERATED),
        **{f"{area}.md": area_page(area) for area in AREAS},
    }


def keys() -> str:
    """The keys to learn first, then every action of the console with its default keys: those of all views once."""
    found = registry()
    general, others = [], []
    by_resource: dict[str, list[list[str]]] = {}
    for action in found:
        named = " ".join(f"`{key}`" for key in found.keys.keys(action.name))
        row = [named, action.label, f"`{action.name}`", action.help_for(None)]
        if action.resource:
            by_resource.setdefault(action.resource, []).append([*row[:2], ", ".join(sorted(action.views)), *row[2:]])
        elif action.views >= READING:
            general.append([*row[:3], "yes" if action.views >= FORM else "", row[3]])
        else:
            others.append([*row[:2], ", ".join(sorted(action.views)), *row[2:]])
    first = [
        (title, " ".join(f"`{key}`" for key in found.keys.keys(name)[:1]), does) for title, name, does in FIRST_KEYS
    ]
    heading = ("key", "action", "view", "name", "description")
    parts = ["# Keys", GENERATED, "## The twenty keys that matter", table(("to", "key", "what it does"), first)]
    parts += ["## All keys", REMAPPING]
    parts += ["## In all views", table(("key", "action", "name", "in forms too", "description"), general)]
    parts += ["## In some views", table(heading, others)]
    for resource, rows in sorted(by_resource.items(), key=lambda each: _heading(each[0])):
        parts += [f"## {_heading(resource)}", table(heading, rows)]
    parts += ["## Dialogs, prompt and editors", DIALOGS]
    listed = ((" ".join(f"`{each}`" for each in key.keys), f"`{key.name}`", key.help) for key in dialog_keys())
    parts.append(table(("key", "name", "description"), listed))
    return "\n\n".join(parts) + "\n"


def _heading(resource: str) -> str:
    """The title of a kind of record, or of a view that is no list of records."""
    return _VIEWS.get(resource) or BY_NAME[resource].title


def filters() -> str:
    """What a filter understands, and what is searched in the list of each kind."""
    parts = ["# Filters", GENERATED, FILTERS]
    parts.append(table(("typed", "finds"), ((f"`{example}`", meaning) for example, meaning in SYNTAX.items())))
    parts += [
        "## Fields",
        "The fields that are searched in addition to the columns, and the fields that the service can filter.",
    ]
    kinds = ((BY_NAME[name].title, kind) for name, kind in KINDS.items() if name in BY_NAME)
    rows = ((title, *searched_fields(kind)) for title, kind in sorted(kinds, key=lambda each: each[0]))
    parts.append(table(("list", "identifying fields", "filtered by the service"), rows))
    return "\n\n".join(parts) + "\n"


def settings() -> str:
    """The settings of a profile, those of all profiles, and the variables that replace them."""
    parts = ["# Settings", GENERATED, SETTINGS]
    declared = get_type_hints(ProfileOptions, include_extras=True)
    rows = ((f"`{name}`", _values(KEYS[name], hint), hint.__metadata__[0].help) for name, hint in declared.items())
    parts += ["## Settings of a profile", table(("setting", "value", "description"), rows)]
    variables = ((f"`{variable}`", f"`{key}`") for variable, key in ENVIRONMENT.items())
    names = {str: "text", bool: "`true`, `false`", int: "number", list: "list of texts"}
    keys = (
        (f"`{key}`", " or ".join(names[each] for each in kinds), COMMAND_HELP[key])
        for key, kinds in COMMAND_KEYS.items()
    )
    parts += ["## Your own commands", COMMANDS, table(("key", "value", "description"), keys)]
    colours = ((f"`{key}`", description) for key, description in theme_files.COLOURS.items())
    parts += ["## Your own themes", OWN_THEMES, table(("colour", "of"), colours)]
    parts += ["## Environment variables", table(("variable", "takes precedence over"), variables)]
    return "\n\n".join(parts) + "\n"


def settings_of_servers() -> str:
    """The settings of `svc-tui serve`."""
    parts = ["# Settings of a server", introduction()]
    for title, rows in server_settings():
        parts += [f"## {title}", table(("setting", "default", "description"), rows)]
    return "\n\n".join(parts) + "\n"


def errors() -> str:
    """The error codes of the service, and the exit codes of the commands."""
    parts = ["# Errors", INTRODUCTION, "## Codes of the service"]
    parts.append(table(("code", "meaning", "what to do", "declared by"), error_rows()))
    parts += ["## Exit codes of commands", EXITS, table(("exit code", "meaning", "what to do"), exit_rows())]
    return "\n\n".join(parts) + "\n"


def _values(declared: type, hint: Any) -> str:
    choices = [each for part in get_args(get_args(hint)[0]) for each in get_args(part)]
    return ", ".join(f"`{each}`" for each in choices) or {str: "text", bool: "`true`, `false`"}[declared]


def searched_fields(kind: Kind) -> tuple[str, str]:
    """The labels of the identifying fields of a kind, and of those that the service can filter."""
    labels = {wire: spec.label for wire, spec in kind_fields.fields_of(kind).items()}
    found = [labels[wire] for wire in (*kind.identifiers, kind.id)]
    asked = [labels[wire] if wire else "every field that it searches" for wire in kind.server_filters]
    return ", ".join(found), ", ".join(asked)


def catalogue() -> str:
    """All operations, with a table for each area."""
    parts = ["# Operations", GENERATED]
    for area in AREAS:
        parts.append(f"## {area.capitalize()}")
        rows = [
            (
                f"[`{one.id}`]({area}.md#{one.id})",
                one.method,
                f"`{readable(one.path)}`",
                roles_in_brief(one.who),
                one.summary,
            )
            for one in operations_of(area).values()
        ]
        parts.append(table(("operation", "method", "path", "roles", "description"), rows))
    return "\n\n".join(parts) + "\n"


def area_page(area: str) -> str:
    """The operations of one area in detail, with its records."""
    parts = [f"# {area.capitalize()}", GENERATED, "## Operations"]
    for operation in operations_of(area).values():
        parts += operation_section(operation)
    parts.append("## Records")
    for record in records_of(area):
        parts += record_section(record)
    return "\n\n".join(parts) + "\n"


def source_of(operation: AnyOperation) -> str:
    """Where an operation comes from: its section of the specification, or this server."""
    return "extension of this server" if operation.extension else f"section {operation.section}"


def operation_section(operation: AnyOperation) -> list[str]:
    """One operation in detail."""
    facts = [
        f"`{operation.method} {readable(operation.path)}` ({source_of(operation)})",
        f"Roles: {roles_in_full(operation.who)}",
        f"Credentials: {operation.credentials.value}" + (", no OAuth token" if operation.no_oauth else ""),
    ]
    if operation.sends_body:
        facts.append(f"Body: {name_of(operation.body)}" + (", as a form" if operation.sends_form else ""))
    if operation.takes:
        most = f", at most {operation.most_bytes} bytes" if operation.most_bytes else ""
        facts.append(f"Body: a file, {' or '.join(operation.takes)}{most}")
    facts.append(f"Result: {name_of(operation.result)}")
    if operation.refuses:
        facts.append("Refusals: " + ", ".join(f"{int(code)} {words(code.name)}" for code in operation.refuses))
    if operation.deprecated:
        facts.append(f"Deprecated: {operation.deprecated}")
    section = [f"### {operation.id}", f"{operation.summary}.", "\n".join(f"- {fact}" for fact in facts)]
    if operation.query is not Nothing:
        section.append(field_table(operation.query))
    return section


def record_section(record: type[Record]) -> list[str]:
    """One record with its description and its fields."""
    text = " ".join((record.__doc__ or "").split())
    return [f"### {record.__name__}", *([text] if text else []), field_table(record)]


def records_of(area: str) -> list[type[Record]]:
    """The records of an area by name, without queries, which are part of their operations."""
    queries = {operation.query for operation in operations_of(area).values()}
    found = {
        value
        for value in declared_in(area)
        if isinstance(value, type) and issubclass(value, Record) and value not in queries
    }
    return sorted((record for record in found if fields_of(record)), key=lambda record: record.__name__)


def field_table(record: type[Record]) -> str:
    """The table of the fields of a record or the parameters of a query."""
    formats = bool(record.SMALL)
    heading = ["field", "type", "default", "set by", "read by", "description"]
    if formats:
        heading.insert(3, "shown in")
    rows = []
    for spec in fields_of(record):
        who = (setters_of(spec), readers_of(spec))
        row = [f"`{spec.wire}`", type_of(spec), default_of(spec), *who, description_of(spec)]
        if formats:
            row.insert(3, shown_in(record, spec.wire))
        rows.append(row)
    for place in (heading.index("read by"), heading.index("set by")):
        if all(row[place] == "" for row in rows):
            del heading[place]
            for row in rows:
                del row[place]
    return table(heading, rows)


def default_of(spec: FieldSpec) -> str:
    if spec.required:
        return "required"
    return "" if spec.default is None else f"`{str(spec.default).lower() if spec.kind == 'boolean' else spec.default}`"


def shown_in(record: type[Record], wire: str) -> str:
    return "small" if wire in record.SMALL else "medium" if wire in record.MEDIUM else "full"


def roles_in_brief(who: Access) -> str:
    names = list(who.as_text())
    return "all roles" if len(names) == len(Role) else ", ".join(names)


def name_of(record: type[Any]) -> str:
    """`Page of Application` for `Page[Application]`; `object` for an undeclared result."""
    if record is bytes:
        return "an image"
    if get_origin(record) is not None or not issubclass(record, Record):
        return "object"
    generic = record.__pydantic_generic_metadata__
    inner = [getattr(name, "__name__", str(name)) for name in generic["args"]]
    return f"{(generic['origin'] or record).__name__} of {inner[0]}" if inner else record.__name__


def table(heading: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    heading = list(heading)
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(f"wrote {name}")
