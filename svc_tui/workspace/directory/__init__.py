"""Directory files on this side: checked, mended and sent."""
