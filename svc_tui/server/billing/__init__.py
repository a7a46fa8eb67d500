"""The billing systems behind subscriptions: their interface, and a simulator."""
