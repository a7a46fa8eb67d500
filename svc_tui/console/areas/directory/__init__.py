"""The area directory: resources, views, dialogs and actions."""
