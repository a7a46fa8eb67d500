"""What can be typed after the key of the filter, for the help and the reference."""

#: Example -> its meaning.
SYNTAX = {
    "north": "In any column, or in a field that identifies the record",
    '"north west"': "A text with spaces",
    "!north": "Not this text; also before every other form",
    "~nwt": "These letters in this order",
    "/^app \\d+$/": "A regular expression, without lookaround",
    "state:active": "In one column; the beginning of its heading is enough",
    "state:!active": "Not in this column",
    "state:=active": "Exactly this value",
    "created:>2026-01": "After a date or number; also >=, < and <=",
    "date:2026..2027": "From one to the other, both included",
    "north type:web": "All words must match",
}
