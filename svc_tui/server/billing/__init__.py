"""The billing systems behind subscriptions: one small interface, and a simulator that answers it."""
