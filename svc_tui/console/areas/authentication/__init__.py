"""The area authentication: resources, views, dialogs and actions."""
