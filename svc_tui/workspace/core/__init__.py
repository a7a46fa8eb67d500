"""Events, the link to the service, access to it, the folders on this machine and crash logs."""
