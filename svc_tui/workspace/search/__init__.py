"""The search over everything: what a text can be, who is asked, and what was found."""
