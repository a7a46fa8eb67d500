"""Error codes and the error body (section 7) with a sentence for each code, and findings: why something does not work,
decided on records alone, so that both sides can state it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

from svc_tui.language import _


class Code(IntEnum):
    """errorDetailsCode; the first three digits are the HTTP status."""

    VALIDATION = 400000
    NOTHING_TO_UPDATE = 400100
    INVALID_COUNTRY = 400210
    MUTUALLY_EXCLUSIVE = 400451
    RESERVED_NAME = 400500
    #: The codes of the massprovisioning module: their numbers mean other things elsewhere.
    BAD_FILE = 400501
    BAD_COLUMN = 400502
    NAME_EXISTS = 400504
    BAD_ACTION = 400506
    NO_DATA = 400508
    DECREASE = 400509
    DIAL_IN_WITHOUT_END = 400516
    NOT_A_DEMO_OFFER = 400517
    SAME_COMPANY = 400552
    UNAUTHORIZED = 401102
    INVALID_TOKEN = 401202
    ID_TOKEN_NOT_VERIFIED = 401203
    VOICE_ONLY = 401223
    WRONG_CREDENTIALS = 401500
    LOCKED = 401501
    USER_INACTIVE = 401520
    COMPANY_INACTIVE = 401521
    ACCOUNT_EXPIRED = 401523
    ROLE_MISSING = 403000
    NOT_OWNER = 403001
    CLIENT_TOO_OLD = 403020
    NOT_SAME_USER = 403100
    VISIBILITY = 403212
    NOT_MANAGED = 403301
    REMOVED_WHILE_SYNCING = 403311
    NOT_REMOVABLE = 403315
    NOT_IN_CATALOG = 403320
    NOT_SOLD = 403321
    NOT_ALLOWED_BY_COMPANY = 403322
    NOT_ASSIGNABLE = 403607
    ASSIGNED_WHILE_SYNCING = 403608
    DEFAULT_LICENCE = 403609
    NO_LICENCE_LEFT = 403610
    INCONSISTENT_TEMPLATE = 403628
    SITE_HAS_SYSTEMS = 403700
    LINKED_COMPANIES = 403701
    HAS_SUBSCRIPTIONS = 403702
    HAS_SITES = 403703
    HAS_USERS = 403704
    IS_TERMINATED = 403705
    OWNS_APPLICATIONS = 403706
    NOT_FOUND = 404000
    NOT_FOUND_UPDATE = 404001
    NOT_FOUND_DELETE = 404002
    NO_OFFER = 404301
    ALREADY_EXISTS = 409000
    ALREADY_SUBSCRIBED = 409620
    UPDATED_WHILE_SYNCING = 409625
    TOO_LARGE = 413000
    TOO_MANY_REQUESTS = 429000
    NO_SAML = 503000
    STOPPING = 503001

    # Voice (4.7).
    INVALID_NUMBER = 400210
    SAME_PREFIXES = 400601
    NO_VOICE_LICENCE = 403622
    HAS_GROUPS = 403694
    HAS_WELCOME_SERVICES = 403699
    TRUNK_LOCKED = 403719
    PLAN_LOCKED = 403721
    OUTGOING_PREFIX_LOCKED = 403722
    DEFAULT_DDI = 403723
    HAS_PUBLIC_NUMBERS = 403724
    HAS_EXTENSIONS = 403725
    HAS_DEVICES = 403728
    WELCOME_IN_USE = 403739
    USER_IN_WELCOME = 403744
    GROUP_IN_WELCOME = 403745
    DDI_ELSEWHERE = 409251
    INTERNAL_NUMBER_USED = 409552
    DDI_EXISTS = 409555
    HAS_CLOUDPBX = 409556
    MAC_USED = 409560
    DEVICE_ASSIGNED = 409561
    DEVICE_TAKEN = 409562
    DEVICE_ELSEWHERE = 409563

    @property
    def status(self) -> int:
        """The HTTP status."""
        return self.value // 1000


SENTENCES: dict[Code, str] = {
    Code.VALIDATION: _("The service did not accept a value."),
    Code.NOTHING_TO_UPDATE: _("The update has no changes."),
    Code.INVALID_COUNTRY: _("The country is not a three-letter ISO 3166-1 code."),
    Code.MUTUALLY_EXCLUSIVE: _("Only one of these values can be set."),
    Code.RESERVED_NAME: _("This company name is reserved."),
    Code.BAD_FILE: _("The file cannot be read as CSV."),
    Code.BAD_COLUMN: _("The first line of the file has a column that a directory does not have."),
    Code.BAD_ACTION: _("The action of a row is not delete, upsert or sync."),
    Code.NO_DATA: _("The file has no rows."),
    Code.NAME_EXISTS: _("A company with this name already exists."),
    Code.DECREASE: _("The number of licences cannot be decreased in this way."),
    Code.DIAL_IN_WITHOUT_END: _("A Dial In offer needs an end date."),
    Code.NOT_A_DEMO_OFFER: _("The role business_admin is limited to demo offers."),
    Code.SAME_COMPANY: _("A company cannot be its own BP."),
    Code.UNAUTHORIZED: _("The credentials were not accepted."),
    Code.INVALID_TOKEN: _("The session is not valid."),
    Code.ID_TOKEN_NOT_VERIFIED: _("The identity provider's answer could not be verified."),
    Code.VOICE_ONLY: _("This account has only a voice phone licence and cannot log in here."),
    Code.WRONG_CREDENTIALS: _("Wrong login or password, or wrong application id or secret."),
    Code.LOCKED: _("The account is locked after repeated failures. Each further attempt restarts the lock."),
    Code.USER_INACTIVE: _("This user is not active."),
    Code.COMPANY_INACTIVE: _("The company of this user is not active."),
    Code.ACCOUNT_EXPIRED: _("This account has expired."),
    Code.ROLE_MISSING: _("Your role does not allow this."),
    Code.NOT_OWNER: _("Only the owner can do this."),
    Code.CLIENT_TOO_OLD: _("This version of the console is too old for the service. Update it."),
    Code.NOT_SAME_USER: _("Only the user of the account can do this."),
    Code.VISIBILITY: _("This company cannot have that visibility."),
    Code.INCONSISTENT_TEMPLATE: _("The values of the template contradict each other."),
    Code.SITE_HAS_SYSTEMS: _("The site still has systems."),
    Code.LINKED_COMPANIES: _("Companies are still linked to this one."),
    Code.HAS_SUBSCRIPTIONS: _("The company still has subscriptions."),
    Code.HAS_SITES: _("The company still has sites."),
    Code.HAS_USERS: _("The company still has users."),
    Code.IS_TERMINATED: _("The company is terminated."),
    Code.OWNS_APPLICATIONS: _("The user still owns applications."),
    Code.REMOVED_WHILE_SYNCING: _("The subscription cannot be ended while it is being synchronised."),
    Code.NOT_REMOVABLE: _("This subscription cannot be ended now."),
    Code.NOT_IN_CATALOG: _("The offer is not in the catalog of the company."),
    Code.NOT_SOLD: _("This offer cannot be sold."),
    Code.NOT_ALLOWED_BY_COMPANY: _("The settings of the company do not allow its administrator this change."),
    Code.NOT_ASSIGNABLE: _("No licence of this subscription can be assigned."),
    Code.ASSIGNED_WHILE_SYNCING: _("No licence can be assigned while the subscription is being synchronised."),
    Code.DEFAULT_LICENCE: _("The licence of the default subscription stays with the user."),
    Code.NO_LICENCE_LEFT: _("All licences of this subscription are assigned."),
    Code.NOT_MANAGED: _("You do not manage this record."),
    Code.NOT_FOUND: _("The record was not found."),
    Code.NOT_FOUND_UPDATE: _("The record to change was not found."),
    Code.NOT_FOUND_DELETE: _("The record to delete was not found."),
    Code.NO_OFFER: _("The offer was not found."),
    Code.ALREADY_SUBSCRIBED: _("The company already subscribes to this offer."),
    Code.UPDATED_WHILE_SYNCING: _("The subscription cannot be changed while it is being synchronised."),
    Code.ALREADY_EXISTS: _("A record like this already exists."),
    Code.TOO_LARGE: _("The content is too large."),
    Code.TOO_MANY_REQUESTS: _("Too many requests at once or in a short time. Wait before the next one."),
    Code.STOPPING: _("The service stopped before the request was complete. Try again."),
    Code.NO_SAML: _("SAML is not configured for this company."),
    Code.SAME_PREFIXES: _("The outgoing prefix and internal numbers begin with the same digits."),
    Code.NO_VOICE_LICENCE: _("The user has no licence for voice."),
    Code.HAS_GROUPS: _("The CloudPBX still has groups."),
    Code.HAS_WELCOME_SERVICES: _("The CloudPBX still has welcome services."),
    Code.TRUNK_LOCKED: _("The external trunk of this CloudPBX cannot be changed."),
    Code.PLAN_LOCKED: _("The numbering plan must include all numbers in use."),
    Code.OUTGOING_PREFIX_LOCKED: _("The outgoing prefix cannot be removed while an external trunk is linked."),
    Code.DEFAULT_DDI: _("The default DDI number can only be deleted as the last one."),
    Code.HAS_PUBLIC_NUMBERS: _("The CloudPBX still has DDI numbers."),
    Code.HAS_EXTENSIONS: _("The CloudPBX still has subscribers."),
    Code.HAS_DEVICES: _("The CloudPBX still has devices."),
    Code.WELCOME_IN_USE: _("The welcome service is in use."),
    Code.USER_IN_WELCOME: _("A welcome service already sends its calls to this user."),
    Code.GROUP_IN_WELCOME: _("A welcome service already sends its calls to this group."),
    Code.DDI_ELSEWHERE: _("Another company already uses this DDI number."),
    Code.INTERNAL_NUMBER_USED: _("This internal number is already in use."),
    Code.DDI_EXISTS: _("This DDI number already exists."),
    Code.HAS_CLOUDPBX: _("The company already has a CloudPBX."),
    Code.MAC_USED: _("Another device already has this MAC address."),
    Code.DEVICE_ASSIGNED: _("The device is still assigned to a subscriber."),
    Code.DEVICE_TAKEN: _("The device is already assigned to a subscriber."),
    Code.DEVICE_ELSEWHERE: _("The device belongs to another CloudPBX."),
}

#: Codes of refusals that are about one field without naming it, and that field.
FIELD_OF_CODE: dict[int | None, str] = {
    Code.RESERVED_NAME: "name",
    Code.NAME_EXISTS: "name",
    Code.VISIBILITY: "visibility",
    Code.SAME_COMPANY: "bpId",
    Code.INVALID_COUNTRY: "country",
    Code.DECREASE: "maxNumberUsers",
    Code.DIAL_IN_WITHOUT_END: "expirationDate",
}
#: errorMsg by HTTP status.
MESSAGES = {
    400: _("Bad Request"),
    401: _("Unauthorized"),
    403: _("Forbidden"),
    404: _("Resource Not Found"),
    405: _("Method Not Allowed"),
    408: _("Request Timeout"),
    409: _("Conflict"),
    413: _("Request Entity Too Large"),
    429: _("Too Many Requests"),
    431: _("Request Header Fields Too Large"),
    500: _("Internal Server Error"),
    503: _("Service Unavailable"),
}

#: errorDetails of an expired token, verbatim: clients test for it.
JWT_EXPIRED = "jwt expired"


def error_body(code: Code, details: Any = None) -> dict[str, Any]:
    """The body of a refusal on the wire."""
    return {
        "errorCode": code.status,
        "errorMsg": MESSAGES.get(code.status, _("Error")),
        "errorDetails": SENTENCES[code] if details is None else details,
        "errorDetailsCode": int(code),
    }


#: What a finding means for its subject: it is prevented, or possible with limits; or only good to know.
Effect = Literal["prevents", "limits", "notes"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason. `about` is its subject in a word, such as `Login`; `sentence` begins with the consequence.

    The reason is in `field` (the wire name) of a record of `kind`, by the rule in this section of the specification.
    `code` is the code of the refusal, where the service refuses something.
    """

    about: str
    sentence: str
    effect: Effect
    kind: str
    field: str
    rule: str
    code: Code | None = None
    #: The ID of the record, if it is one of several.
    record_id: str = ""


def items(value: Any) -> list[Mapping[str, Any]]:
    """The objects in a list of a record; none where it is something else."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []
