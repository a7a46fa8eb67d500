"""The terminal itself: what it can do, its colours, its clipboard, how text becomes safe to draw and cheap to send."""
