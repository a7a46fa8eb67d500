"""Rules of companies, sites, offers and catalogs; every module of the package is imported at start."""
