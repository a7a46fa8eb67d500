"""The kinds of view: list, detail, form, report and raw."""
