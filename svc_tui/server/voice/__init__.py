"""Rules of voice: CloudPBXs, subscribers, devices, numbers, recordings, welcome services and trunks."""
