"""The area invoices: resources, views, dialogs and actions."""
