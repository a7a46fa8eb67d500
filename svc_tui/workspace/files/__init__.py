"""Files: downloads, uploads, exports, and private files that consoles share."""
