"""Files: download, upload, export, and files that several consoles share."""
