"""The commands with their help. Nothing else is loaded for the help of `svc-tui`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from svc_tui.commands.command import Command

DESCRIPTION = (
    "A keyboard console for administrators of a communications service. "
    "Without a command, opens the console with the profile that was used last."
)
#: The options of `svc-tui` itself, as its help shows them, and what they do.
GENERAL_OPTIONS = {
    "--help, -h": "Show this help.",
    "--version": "Show the version.",
    "--profile STR": "Connection profile to use.",
    "--read-only": "Allow only operations that read.",
    "--linear": "Show views as lines of text, for screen readers.",
}
EPILOGUE = (
    "Exit codes: 0 done; 1 refused by the service; 2 wrong usage; 3 not logged in; 4 service unreachable; "
    "5 not in time (`wait`); 10 changes (`plan`, `drift`); 70 failure on this machine; 130 interrupted.\n"
    "Secrets come from a prompt or from the environment: SVC_TUI_PASSWORD, SVC_TUI_APP_SECRET, SVC_TUI_API_KEY."
)


_GENERAL = (
    Command(
        "Console",
        "demo",
        "demo:demo",
        "Open the console on a private demo service, logged in.",
        "The service runs on this machine only. It is removed with all its data when you quit.",
    ),
    Command("Console", "open", "open:open_target", "Open the console at a place, for example `applications`."),
    Command(
        "Console",
        "web",
        "web:web",
        "Open the console in a browser on this machine.",
        "Prints an address that works once; other browsers and machines are refused. Each tab has its console, "
        "which ends 30 seconds after its tab.",
    ),
    Command(
        "Scripts",
        "login",
        "session:login",
        "Log in, for other commands and for the console.",
        "The password comes from a prompt or from SVC_TUI_PASSWORD.",
    ),
    Command("Scripts", "logout", "session:logout", "End the session."),
    Command("Scripts", "whoami", "session:whoami", "Show the user, the service and the remaining session time."),
    Command(
        "Scripts",
        "operations",
        "operations:operations",
        "List the operations of the API with their roles, or show one.",
        "One operation is shown with its parameters and the fields of its body.\n\n"
        "Example: svc-tui operations create_application",
    ),
    Command(
        "Scripts",
        "call",
        "call:call",
        "Call one operation of the API.",
        "The response goes to standard output.\n\n"
        "Example: svc-tui call list_applications state=active env=deployed --all --output csv",
    ),
    Command(
        "Scripts",
        "wait",
        "wait:wait",
        "Wait until a record or a list fits a filter.",
        "PLACE and FILTER are those of the console. A list fits as soon as one of its records does. Exit code 5 when "
        "the time is over.\n\n"
        "Example: svc-tui wait applications --until 'name:crm state:active' --timeout 10m",
    ),
    Command(
        "Scripts",
        "report",
        "report:report",
        "Write a report across companies.",
        "Without a name, the reports are listed. What was read in the last hour is used again, so that a call that was "
        "stopped continues; --fresh reads everything. Exit codes 1 and 4 for an incomplete report.\n\n"
        "Example: svc-tui report licences --output xlsx > licences.xlsx",
    ),
    Command(
        "Scripts",
        "document",
        "document:document",
        "Write a customer's documentation as Markdown or HTML.",
        "Contacts, sites, administrators, licences, numbers, extensions, devices and call flows of one company.\n\n"
        "Example: svc-tui document 'Northwind Telecom' --output html > northwind.html",
    ),
    Command(
        "Scripts",
        "leave",
        "leave:leave",
        "Keep, free or hand over what users hold who leave.",
        "Lists licences, telephone, keys, applications and roles of each USER with one choice each, then asks. A "
        "choice is of a kind (licence, extension, number, device, welcome, application, key, grant, role, login) or of "
        "one holding by its name. With --on, `svc-tui due` carries it out on that day or later. Exit code 1 for what "
        "is left over.\n\n"
        "Example: svc-tui leave lee@example.com --successor kim@example.com --keep key --on 2027-01-31",
    ),
    Command(
        "Scripts",
        "due",
        "leave:due",
        "List and carry out what is due for users who leave.",
        "Asks before, or does it with --yes; without a terminal, it lists only, with exit code 10 if something is due. "
        "What a stop left over is due again. --all has all plans with what was done.\n\n"
        "Example: svc-tui due --yes",
    ),
    Command(
        "Scripts",
        "export",
        "company:app",
        "Write a company as a document.",
        "Settings, sites, templates, users and the CloudPBX as YAML, without secrets. At its end is what it does not "
        "have. `svc-tui export schema` writes the JSON Schema of documents.\n\n"
        "Example: svc-tui export company 'Northwind Telecom' --output northwind.yaml",
    ),
    Command(
        "Scripts",
        "plan",
        "company:plan",
        "Show what a document would change in a company.",
        "Nothing is sent. What the document does not name is left as it is; null clears; a list is managed whole only "
        "with `exactly:`. Exit codes: 0 no change, 10 changes, 1 refusals.\n\n"
        "Example: svc-tui plan northwind.yaml",
    ),
    Command(
        "Scripts",
        "apply",
        "company:apply",
        "Make a company as its document says.",
        "Shows the plan and asks, or does exactly one plan with --yes --plan ID. After an interruption, the same "
        "command continues. Nothing is removed without --prune.\n\n"
        "Example: svc-tui apply northwind.yaml",
    ),
    Command(
        "Scripts",
        "drift",
        "company:drift",
        "Show what differs between a document and companies, or between two companies.",
        "Each line is what would make a company as the document says. Another company than that of the file is "
        "compared by the names of its records. `accepted:` in the document has the deviations that may stay. Exit "
        "codes: 0 no difference, 10 differences, 1 and 4 for companies that could not be compared.\n\n"
        "Example: svc-tui drift pattern.yaml --group north --only sites,telephony",
    ),
    Command("This machine", "profile", "profile:app", "Manage connection profiles."),
    Command("This machine", "config", "config:app", "Check and explain the configuration."),
    Command("This machine", "cache", "cache:app", "Show or clear the local cache."),
    Command(
        "This machine",
        "completion",
        "completion:completion",
        "Print the completion of command lines for a shell.",
        "Commands, options, operations with their parameters and values, profiles, places and demo accounts are "
        "completed.\n\n"
        'Example: eval "$(svc-tui completion bash)"',
    ),
    Command(
        "This machine",
        "man",
        "manual:man",
        "Print the manual page.",
        "Example: svc-tui man | man -l -",
    ),
    Command("This machine", "doctor", "doctor:doctor", "Show what this terminal and this connection support."),
    Command(
        "Service",
        "serve",
        "serve:serve",
        "Run the service.",
        "Prints `listening on URL` when it accepts requests; logs go to standard error. "
        "SIGTERM completes the requests in flight and stops the service.",
    ),
    Command(
        "Service",
        "server",
        "server:app",
        "Prepare, back up and restore the database of a service.",
    ),
    Command("Service", "demo-accounts", "demo:demo_accounts", "List the demo accounts, one for each role."),
)


def _commands_of_areas() -> Iterator[Command]:
    """`COMMAND` of each area that has commands: the packages in this folder."""
    folder = Path(__file__).parent
    for package in sorted(entry.parent.name for entry in folder.glob("*/__init__.py")):
        yield import_module(f"svc_tui.commands.{package}").COMMAND


COMMANDS = (*_GENERAL, *_commands_of_areas())
