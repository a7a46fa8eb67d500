"""What can be typed after the key of the filter, for the help and the reference."""

from svc_tui.language import _

#: Example -> its meaning.
SYNTAX = {
    "north": _("In any column, or in a field that identifies the record"),
    '"north west"': _("A text with spaces"),
    "!north": _("Not this text; can precede every other form"),
    "~nwt": _("These letters in this order"),
    "/^app \\d+$/": _("A regular expression"),
    "state:active": _("In one column; the beginning of its heading is enough"),
    "state:!active": _("Not in this column"),
    "state:=active": _("Exactly this value"),
    "created:>2026-01": _("After a date or number; also >=, < and <="),
    "created > 2026-01": _("The same: spaces, and a sign without the colon, mean no difference"),
    "date:2026..2027": _("From one to the other, both included"),
    "north type:web": _("All words must match"),
}
