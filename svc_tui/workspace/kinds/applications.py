"""Kinds of records: applications."""

from svc_tui.workspace.kinds.kind import Kind, PeriodFilter, ServerFilter
from svc_tui.workspace.kinds.search_rule import SearchRule

KINDS = (
    Kind(
        "applications",
        "list_applications",
        "get_application",
        parameter="appId",
        text_column="name",
        user_field="ownerId",
        server_filters={
            "name": ServerFilter("name"),
            "state": ServerFilter("state", "choices"),
            "type": ServerFilter("types", "choices"),
            "activity": ServerFilter("activities", "choices"),
            "env": ServerFilter("env", "whole"),
            "ownerId": ServerFilter("ownerId", "whole"),
        },
        period_filters={"dateOfCreation": PeriodFilter("fromDate", "toDate", days=True, unless=("dateType",))},
    ),
)
SEARCH_RULES = (
    SearchRule(
        "applications",
        order=42,
        asks={"name": "name"},
        holds={"name": ("name",)},
        queries=({"format": "medium"},),
        shows=("state", "env"),
    ),
)
