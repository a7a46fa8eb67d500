"""The area subscriptions: resources, views, dialogs and actions."""
