"""Users: files of users, and their import as a job."""
