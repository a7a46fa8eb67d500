"""Kinds of records: changes in the audit log."""

from svc_tui.workspace.kinds.kind import Kind, PeriodFilter, ServerFilter

KINDS = (
    Kind(
        "audit",
        "list_audit_records",
        "get_audit_record",
        parameter="auditId",
        identifiers=("recordId", "requestId", "address"),
        server_filters={
            "operation": ServerFilter("operation", "whole"),
            "kind": ServerFilter("kind", "whole"),
            "recordId": ServerFilter("recordId", "whole"),
            "outcome": ServerFilter("outcome", "whole"),
        },
        period_filters={"date": PeriodFilter("fromDate", "toDate")},
        user_field="userId",
    ),
    Kind(
        "activity",
        "list_audit_records",
        "get_audit_record",
        parameter="auditId",
        identifiers=("recordId", "requestId", "address"),
        period_filters={"date": PeriodFilter("fromDate", "toDate")},
        user_field="userId",
        derived=True,
    ),
)
