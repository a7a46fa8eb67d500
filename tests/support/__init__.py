"""What tests of several floors lean on: services, records, clocks."""
