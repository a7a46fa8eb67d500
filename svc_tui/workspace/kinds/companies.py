"""Kinds of records: companies, their sites, users and templates."""

from svc_tui.workspace.kinds.kind import Kind, ServerFilter
from svc_tui.workspace.kinds.search_rule import FollowUp, SearchRule

KINDS = (
    Kind(
        "companies",
        "list_companies",
        "get_company",
        parameter="companyId",
        own="company_id",
        text_column="name",
        identifiers=("adminEmail", "externalReference", "externalReference2"),
        server_filters={
            "name": ServerFilter("name"),
            "externalReference": ServerFilter("externalReference", "start"),
            "externalReference2": ServerFilter("externalReference2", "start"),
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
        identifiers=("loginEmail",),
        server_filters={
            "displayName": ServerFilter("displayName"),
            "loginEmail": ServerFilter("searchEmail"),
            "companyName": ServerFilter("companyName"),
        },
    ),
    Kind(
        "templates",
        "list_templates",
        "get_template",
        parameter="templateId",
        text_column="name",
    ),
)
SEARCH_RULES = (
    SearchRule(
        "users",
        order=10,
        asks={"email": "searchEmail", "word": "searchEmail", "name": "displayName"},
        holds={"email": ("loginEmail",), "word": ("loginEmail",), "name": ("displayName",)},
        follows=(FollowUp("subscribers", takes="userId"),),
        queries=({"format": "medium"},),
        shows=("loginEmail",),
    ),
    SearchRule(
        "companies",
        order=11,
        asks={"name": "name", "reference": "externalReference"},
        holds={"name": ("name",), "reference": ("externalReference", "externalReference2")},
        follows=(FollowUp("users", takes="companyId"),),
        queries=({"format": "medium"},),
        shows=("status",),
    ),
    SearchRule("templates", order=45, read=True, holds={"name": ("name",)}, shows=("visibility",)),
    SearchRule("sites", order=43, asks={"name": "name"}, holds={"name": ("name",)}, shows=("status",)),
)
