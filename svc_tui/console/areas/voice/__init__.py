"""The area voice: resources, views, dialogs and actions."""
