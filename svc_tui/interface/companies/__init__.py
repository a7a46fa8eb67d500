"""Companies and their settings, sites, countries, catalogs and offers (2.7, 2.9, 4.4)."""

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "company"
