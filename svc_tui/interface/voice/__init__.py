"""Cloud telephone exchanges: CloudPBX, subscribers, devices, numbers, recordings, welcomes (2.14 to 2.17, 4.7)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "provisioning"
