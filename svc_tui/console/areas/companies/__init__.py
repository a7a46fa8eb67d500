"""The area companies: resources, views, dialogs and actions."""
