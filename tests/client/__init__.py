"""The client against the real service and real sockets."""
