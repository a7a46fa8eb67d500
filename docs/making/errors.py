"""The page of errors: each code with its meaning, what to do, and the operations that declare it; and exit codes."""

from __future__ import annotations

from collections.abc import Mapping

from svc_tui.commands.exits import Exit
from svc_tui.interface.catalogue import area_of, operations
from svc_tui.interface.errors import SENTENCES, Code

INTRODUCTION = """A refusal has an HTTP status, a code (`errorDetailsCode`, section 7) and often the values that were
not accepted. The console shows the sentence, the code and the request ID; `!` lists all requests of the session.
`svc-tui call --errors json` prints them for programs. Quote the request ID to the operators of the service: their log
has it too."""
EXITS = "Every command of `svc-tui` ends with one of these codes. The message is on standard error."

#: What to do, with the codes for which it is the advice.
_ADVICE: tuple[tuple[str, tuple[Code, ...]], ...] = (
    (
        "Correct the values that the message names. `svc-tui operations NAME` lists the values that they can have.",
        (
            Code.VALIDATION,
            Code.INVALID_COUNTRY,
            Code.MUTUALLY_EXCLUSIVE,
            Code.SAME_COMPANY,
            Code.SAME_PREFIXES,
            Code.VISIBILITY,
            Code.INCONSISTENT_TEMPLATE,
            Code.DIAL_IN_WITHOUT_END,
        ),
    ),
    ("Send at least one value that differs from the current one.", (Code.NOTHING_TO_UPDATE,)),
    (
        "Choose another name.",
        (Code.RESERVED_NAME, Code.NAME_EXISTS),
    ),
    (
        "Open the file in the import doctor, or run `svc-tui directory check FILE --local`: both name row and column.",
        (Code.BAD_FILE, Code.BAD_COLUMN, Code.BAD_ACTION, Code.NO_DATA),
    ),
    ("Order fewer licences at the next renewal, or end the subscription.", (Code.DECREASE,)),
    ("Log in again.", (Code.INVALID_TOKEN,)),
    ("Check login and password, and the ID and secret of the application in the profile.", (Code.WRONG_CREDENTIALS,)),
    ("Start the login again: the provider or the user did not confirm it.", (Code.UNAUTHORIZED,)),
    (
        "Ask the administrator of the identity provider: its settings and those of the company differ.",
        (Code.ID_TOKEN_NOT_VERIFIED, Code.NO_SAML),
    ),
    ("Wait until the lock ends. Each attempt before then restarts it.", (Code.LOCKED,)),
    ("Give the user another licence: one for voice phones does not include logins.", (Code.VOICE_ONLY,)),
    (
        "Ask an administrator to activate or extend the user or the company.",
        (Code.USER_INACTIVE, Code.COMPANY_INACTIVE, Code.ACCOUNT_EXPIRED),
    ),
    (
        "Ask for the role, or ask a user who has it. The operation's reference lists the roles.",
        (
            Code.ROLE_MISSING,
            Code.NOT_OWNER,
            Code.NOT_SAME_USER,
            Code.NOT_MANAGED,
            Code.NOT_A_DEMO_OFFER,
            Code.NOT_ALLOWED_BY_COMPANY,
        ),
    ),
    ("Install the current version of svc-tui.", (Code.CLIENT_TOO_OLD,)),
    (
        "Wait until the synchronisation ends, some seconds as a rule, and try again.",
        (Code.REMOVED_WHILE_SYNCING, Code.ASSIGNED_WHILE_SYNCING, Code.UPDATED_WHILE_SYNCING),
    ),
    (
        "Choose an offer of the company's catalog that can be sold.",
        (Code.NOT_IN_CATALOG, Code.NOT_SOLD, Code.NO_OFFER),
    ),
    (
        "Buy more licences, take one from another user, or choose another subscription.",
        (Code.NOT_ASSIGNABLE, Code.NO_LICENCE_LEFT, Code.NO_VOICE_LICENCE),
    ),
    (
        "Nothing to do: it ends with its user, its company or its term.",
        (Code.DEFAULT_LICENCE, Code.NOT_REMOVABLE, Code.IS_TERMINATED),
    ),
    (
        "Delete, move or unlink what the sentence names first.",
        (
            Code.SITE_HAS_SYSTEMS,
            Code.LINKED_COMPANIES,
            Code.HAS_SUBSCRIPTIONS,
            Code.HAS_SITES,
            Code.HAS_USERS,
            Code.OWNS_APPLICATIONS,
            Code.HAS_GROUPS,
            Code.HAS_WELCOME_SERVICES,
            Code.HAS_PUBLIC_NUMBERS,
            Code.HAS_EXTENSIONS,
            Code.HAS_DEVICES,
            Code.WELCOME_IN_USE,
            Code.USER_IN_WELCOME,
            Code.GROUP_IN_WELCOME,
            Code.DEFAULT_DDI,
            Code.DEVICE_ASSIGNED,
        ),
    ),
    (
        "Read the list again: another user may have deleted the record. Check the ID.",
        (Code.NOT_FOUND, Code.NOT_FOUND_UPDATE, Code.NOT_FOUND_DELETE),
    ),
    (
        "Use the record that exists, or another value.",
        (
            Code.ALREADY_EXISTS,
            Code.ALREADY_SUBSCRIBED,
            Code.DDI_ELSEWHERE,
            Code.DDI_EXISTS,
            Code.INTERNAL_NUMBER_USED,
            Code.HAS_CLOUDPBX,
            Code.MAC_USED,
            Code.DEVICE_TAKEN,
            Code.DEVICE_ELSEWHERE,
        ),
    ),
    (
        "Remove first what depends on the value: the trunk, or the numbers outside the new plan.",
        (Code.TRUNK_LOCKED, Code.PLAN_LOCKED, Code.OUTGOING_PREFIX_LOCKED),
    ),
    ("Send less at once: a smaller file, or a smaller `limit`.", (Code.TOO_LARGE,)),
    ("Wait for the seconds in `retry-after`. The client does this automatically for reads.", (Code.TOO_MANY_REQUESTS,)),
    ("Try again: another server, or the same one after its restart, will respond.", (Code.STOPPING,)),
)
ADVICE: Mapping[Code, str] = {code: advice for advice, codes in _ADVICE for code in codes}

#: Meaning of each exit code, and what to do.
EXIT_CODES: Mapping[Exit, tuple[str, str]] = {
    Exit.DONE: ("done", ""),
    Exit.REFUSED: (
        "refused by the service, with its error code and message on standard error; "
        "or a row of a directory file has an error",
        "Look the code up above. A check of a file lists each row and column.",
    ),
    Exit.USAGE: ("wrong usage", "`svc-tui COMMAND --help`, and `svc-tui config check` for the configuration."),
    Exit.NOT_LOGGED_IN: (
        "not logged in, or session expired",
        "`svc-tui login`, or set `SVC_TUI_LOGIN` and `SVC_TUI_PASSWORD`.",
    ),
    Exit.UNREACHABLE: (
        "service unreachable, or its certificate not trusted",
        "`svc-tui doctor` shows where a request fails. After a change, check whether it was made.",
    ),
    Exit.TIMED_OUT: ("`svc-tui wait`: the time is over", "Wait longer: `--timeout`"),
    Exit.CHANGES: ("`svc-tui plan`, `svc-tui drift`: there are changes", "Look at them; `svc-tui apply` makes them."),
    Exit.FAILED: (
        "failure on this machine, or internal error",
        "The message names the file, or the crash log to report.",
    ),
    Exit.INTERRUPTED: ("interrupted", ""),
}


def error_rows() -> list[tuple[str, str, str, str]]:
    """Code, meaning, what to do, and the operations that declare it; no operations where nearly all can return it."""
    declared: dict[Code, list[str]] = {}
    every = operations()
    for operation in every:
        for code in operation.refuses:
            declared.setdefault(code, []).append(f"[{operation.id}]({area_of(operation.id)}.md#{operation.id})")
    return [
        (f"{int(code)}", SENTENCES[code], ADVICE[code], _operations(declared.get(code, []))) for code in sorted(Code)
    ]


def _operations(links: list[str]) -> str:
    if not links:
        return "any"
    return ", ".join(links) if len(links) <= 12 else f"{len(links)} operations"


def exit_rows() -> list[tuple[str, str, str]]:
    """Exit code, meaning, and what to do."""
    return [(f"{int(code)}", *EXIT_CODES[code]) for code in Exit]
