"""One room for each area of the interface; none knows another."""
