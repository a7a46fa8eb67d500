"""Kinds of records: directory entries."""

from svc_tui.workspace.kinds.kind import Kind, ServerFilter
from svc_tui.workspace.kinds.search_rule import SearchRule

KINDS = (
    # Text without a column is searched by the service, in every field that it searches.
    Kind(
        "directoryentries",
        "list_directory_entries",
        "get_directory_entry",
        parameter="entryId",
        user_field="userId",
        server_filters={"": ServerFilter("search"), "companyName": ServerFilter("companyName")},
    ),
)
SEARCH_RULES = (
    SearchRule(
        "directoryentries",
        order=30,
        asks={"email": "search", "number": "phoneNumbers", "name": "search"},
        holds={
            "email": ("eMail",),
            "number": ("workPhoneNumbers", "mobilePhoneNumbers", "otherPhoneNumbers"),
            "name": ("firstName", "lastName", "companyName"),
        },
        # Without a type the service lists contacts only.
        queries=({"format": "full"}, {"format": "full", "type": "company"}),
        shows=("companyName", "eMail"),
    ),
)
