"""The area applications: resources, views, dialogs and actions."""
