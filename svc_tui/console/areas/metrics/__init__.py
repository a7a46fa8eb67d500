"""The area metrics: resources, views, dialogs and actions."""
