"""Kinds of records: statistics of a partner's customers. The statistics of one customer cannot be read alone."""

from svc_tui.workspace.kinds.kind import Kind

KINDS = (Kind("customerstats", "list_bp_company_stats", "list_bp_company_stats", id="companyId"),)
