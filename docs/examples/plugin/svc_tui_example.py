"""A plug-in of svc-tui: the place `:blocked`, and a key that copies a message to the owner of an application."""

from svc_tui.console.core.actions import RECORDS, Action
from svc_tui.console.core.resource import Context, Display, Resource
from svc_tui.console.widgets.formatting import day
from svc_tui.console.widgets.list.columns import Column
from svc_tui.workspace.kinds.kind import Kind

#: The operations that read the records. They belong to the kind `applications`, so this one is derived.
KIND = Kind("blocked", "list_applications", "get_application", parameter="appId", derived=True)

BLOCKED = Resource(
    kind=KIND,
    title="Blocked applications",
    singular="blocked application",
    query={"format": "medium", "state": "blocked"},
    sort="name",
    display=Display(
        columns=(
            Column(field="name", title="NAME", width=20, flex=1, sort_field="name"),
            Column(field="origin", title="ORIGIN", width=16),
            Column(field="dateOfCreation", title="CREATED", width=10, format=day),
        )
    ),
)


async def copy_message(context: Context) -> None:
    """Copy a message about the selected application."""
    name = context.require_record()["name"]
    await context.stage.copy(
        f"Your application {name} is blocked. Answer its review to have it checked again.", "message"
    )


def not_blocked(context: Context) -> str:
    """Why the message does not fit the application; empty when it does."""
    return "" if (context.record or {}).get("state") == "blocked" else "the application is not blocked"


ACTIONS = [
    Action(
        name=f"example.message.{kind}",
        keys=("f4",),
        label="Copy message",
        help="Copy a message to the owner of a blocked application",
        run=copy_message,
        group="Example",
        views=RECORDS,
        resource=kind,
        needs="record",
        possible=not_blocked,
    )
    for kind in ("blocked", "applications")
]
