"""The HTTP client: credentials, paging, retries, the call log. `api.py` has what programs of others use."""
