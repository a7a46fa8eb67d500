"""Kinds of records: companies, their sites, users and templates."""

from svc_tui.workspace.kinds.kind import Kind, ServerFilter

KINDS = (
    Kind(
        "companies",
        "list_companies",
        "get_company",
        parameter="companyId",
        own="company_id",
        text_column="name",
        server_filters={
            "name": ServerFilter("name"),
            "status": ServerFilter("status", "whole"),
            "visibility": ServerFilter("visibility", "whole"),
            "bpType": ServerFilter("bpType", "whole"),
            "bpId": ServerFilter("bpId", "whole"),
        },
    ),
    Kind(
        "sites",
        "list_sites",
        "get_site",
        parameter="siteId",
        text_column="name",
        server_filters={"name": ServerFilter("name"), "companyId": ServerFilter("companyId", "whole")},
    ),
    Kind(
        "users",
        "list_users",
        "get_user",
        parameter="userId",
        own="user_id",
        text_column="displayName",
        server_filters={"displayName": ServerFilter("displayName"), "companyName": ServerFilter("companyName")},
    ),
    Kind("templates", "list_templates", "get_template", parameter="templateId", text_column="name"),
)
