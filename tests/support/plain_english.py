"""The rules of plain English, as functions that return the faults of one text: an empty list when there are none.

- `word_faults` for any text: prose, docstrings, names of tests.
- `label_faults` for labels, titles and buttons.
- `sentence_faults` for messages, refusals and help.
- `key_faults` for any text of the console: keys can be remapped, so a sentence gets them from the key registry.

The words of the product are in `docs/glossary.md`. A rule belongs here only when its words are wrong in every text.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name

#: Pattern of whole words, in any case -> what to write instead.
WORDS: dict[str, str] = {
    # A role or a thing, never "he" and never an unnamed person.
    r"he|him|his|himself|she|hers|herself": "the role: the subscriber, the administrator",
    r"somebody|someone": "another administrator, another user",
    r"nobody|no one": "no user, unknown",
    r"anybody|anyone|everybody": "any user, all users",
    r"whoever|whomever": "the role",
    r"people|persons?": "users, administrators, callers, contacts",
    r"one's(?: own)?|oneself": "your",
    r"(?:as|when|what|if|while|until|how|where) one (?!is|has|was)(?:[a-z]+s|can|may|must)": "you",
    r"one (?:can|cannot|may|types|wants|sees|reads|looks|edits)": "you can",
    # The thing itself, not that it is told.
    r"told|tells?": "shows, reports, warns, lists, or the fact itself",
    r"(?:is|are|was|were|be) (?:said|asked about|meant)|said so": "the fact itself",
    r"says? (?:what|which|why|how|so|itself)": "the thing: the reason, the result",
    r"(?:is|are|was|were) known by": "is identified by",
    r"what (?:is|was) there": "the thing: the current records",
    r"as (?:it|they) came": "unchanged",
    r"what (?:hinders|stands|waits|came of|comes of|becomes of|became of)": "the thing: the checks, the result",
    r"the same of many": "in bulk",
    r"leads? nowhere": "has no linked record",
    # Turns of phrase that no style guide knows.
    r"meanwhile": "the event: since the form was opened",
    r"anew": "again",
    r"under way|underway": "in progress",
    r"beforehand": "before, in advance",
    r"be it": "including",
    r"goes on|went on": "continues",
    r"throws? (?:it )?away|thrown away": "discards",
    r"mend(?:s|ed|ing)?": "fix, correct, repair",
    r"stumbles?|stumbled": "fails, reports an internal error",
    r"in one go": "at once, together",
    r"in vain": "without effect, for nothing",
    r"all the same": "still, in any case",
    r"to the letter": "exactly",
    r"(?:that|those) which": "the noun",
    r"the some \d+": "some, about",
    r"(?:is|are) there twice": "is a duplicate",
    r"what to mind": "the risks, the rules",
    r"in the manner of": "like",
    r"stands? in (?:its|the) way": "prevents, blocks",
    r"hitherto|henceforth|whilst|albeit|thereof|therein|thereby|hereby": "until now, from now on, while, although",
    r"e\.g\.|i\.e\.": "for example, that is",
    r"please": "nothing: leave it out",
}
#: Words with a capital letter inside a label: names of things, days and months.
NAMES = frozenset(
    [*day_name, *month_name, "Unicode", "Textual", "Python", "English", "Excel", "Svc", "Dial", "In", "I"]
)

_WORDS = [(re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE), advice) for pattern, advice in WORDS.items()]
#: All patterns in one, because most texts have no fault.
_ANY_WORD = re.compile(rf"\b(?:{'|'.join(WORDS)})(?!\w)", re.IGNORECASE)
_KEYS = (
    re.compile(r"\b(?:ctrl|alt|shift|meta)\+\S+", re.IGNORECASE),
    re.compile(r"\b(?:esc|escape|backspace|page ?up|page ?down|pgup|pgdn|f\d{1,2})\b", re.IGNORECASE),
    re.compile(r"\b(?:press|hit|with|and|or) (?:enter|tab|space)\b", re.IGNORECASE),
    re.compile(r"\b(?:enter|tab|space) (?:again|[a-z]+s)\b"),
    re.compile(r"\b(?:press|hit|key|with|by) ['\"`]?(?:[b-zB-Z]|[?:/!])['\"`]?(?![\w./])"),
    re.compile(r"(?:^|[\s(:;,])(?:[b-zB-HJ-Z]|[?/!]) (?:again\b|[a-z]{2,}s\b)"),
)
_SENTENCE_END = re.compile(r"[.?!][\"'”)`]*(?=\s|$)")


def word_faults(text: str) -> list[str]:
    """Words that the product does not use, each with what to write instead."""
    if not _ANY_WORD.search(text):
        return []
    return [f"{found[0]!r}: {advice}" for pattern, advice in _WORDS for found in pattern.finditer(text)]


def key_faults(text: str) -> list[str]:
    """Literal names of keys."""
    return [f"{found[0].strip()!r}: take the key from the registry" for key in _KEYS for found in key.finditer(text)]


def label_faults(text: str, *, names: frozenset[str] = frozenset()) -> list[str]:
    """A label is in sentence case and has no full stop. `names`: further words that have a capital letter."""
    faults = word_faults(text)
    if not text.strip() or text != text.strip():
        return [*faults, f"{text!r}: empty, or spaces around it"]
    if text.endswith((".", "!", ":", ";", ",")):
        faults.append(f"{text!r}: a label has no full stop")
    if _starts_small(text):
        faults.append(f"{text!r}: begin with a capital letter")
    for word in re.findall(r"(?<=[a-z,;)] )[A-Z][a-z]+\b", text):
        if word not in NAMES | names:
            faults.append(f"{word!r} in {text!r}: sentence case")
    return faults


def sentence_faults(text: str, *, most: int = 2) -> list[str]:
    """A message begins with a capital letter, ends with a full stop and has at most two sentences."""
    faults = word_faults(text)
    if not text.strip():
        return [*faults, "an empty text"]
    if _starts_small(text):
        faults.append(f"{text!r}: begin with a capital letter")
    if not text.rstrip("\"'”)`").endswith((".", "?", "!", "…")) and not text.endswith(":"):
        faults.append(f"{text!r}: end with a full stop")
    if len(_SENTENCE_END.findall(text)) > most:
        faults.append(f"{text!r}: more than {most} sentences")
    return faults


def _starts_small(text: str) -> bool:
    """Whether the first word begins with a small letter and is neither code nor a name of a field or a command."""
    first = text.split()[0]
    return first[0].islower() and re.fullmatch(r"[a-z]+(?:'[a-z]+)?[,.:;]?", first) is not None
