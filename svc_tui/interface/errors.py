"""Error codes and the error body (section 7), with a sentence for each code."""

from __future__ import annotations

from enum import IntEnum
from typing import Any


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
    Code.VALIDATION: "The service did not accept a value.",
    Code.NOTHING_TO_UPDATE: "The update has no changes.",
    Code.INVALID_COUNTRY: "The country is not a three-letter ISO 3166-1 code.",
    Code.MUTUALLY_EXCLUSIVE: "Only one of these values can be set.",
    Code.RESERVED_NAME: "This company name is reserved.",
    Code.BAD_FILE: "The file cannot be read as CSV.",
    Code.BAD_COLUMN: "The first line of the file has a column that a directory does not have.",
    Code.BAD_ACTION: "The action of a row is not delete, upsert or sync.",
    Code.NO_DATA: "The file has no rows.",
    Code.NAME_EXISTS: "A company with this name already exists.",
    Code.DECREASE: "The number of licences cannot be decreased in this way.",
    Code.DIAL_IN_WITHOUT_END: "A Dial In offer needs an expirationDate.",
    Code.NOT_A_DEMO_OFFER: "The role business_admin is limited to demo offers.",
    Code.SAME_COMPANY: "A company cannot be its own BP.",
    Code.UNAUTHORIZED: "The credentials were not accepted.",
    Code.INVALID_TOKEN: "The session is not valid.",
    Code.ID_TOKEN_NOT_VERIFIED: "The identity provider's answer could not be verified.",
    Code.VOICE_ONLY: "This account has only a voice phone licence and cannot log in here.",
    Code.WRONG_CREDENTIALS: "Wrong login or password, or wrong application id or secret.",
    Code.LOCKED: "The account is locked after repeated failures; each further attempt starts the lock again.",
    Code.USER_INACTIVE: "This user is not active.",
    Code.COMPANY_INACTIVE: "The company of this user is not active.",
    Code.ACCOUNT_EXPIRED: "This account has expired.",
    Code.ROLE_MISSING: "Your role does not allow this.",
    Code.NOT_OWNER: "Only the owner can do this.",
    Code.CLIENT_TOO_OLD: "This version of the console is too old for the service. Update it.",
    Code.NOT_SAME_USER: "Only the user of the account can do this.",
    Code.VISIBILITY: "This company cannot have that visibility.",
    Code.INCONSISTENT_TEMPLATE: "The values of the template contradict each other.",
    Code.SITE_HAS_SYSTEMS: "The site still has systems.",
    Code.LINKED_COMPANIES: "Companies are still linked to this one.",
    Code.HAS_SUBSCRIPTIONS: "The company still has subscriptions.",
    Code.HAS_SITES: "The company still has sites.",
    Code.HAS_USERS: "The company still has users.",
    Code.IS_TERMINATED: "The company is terminated.",
    Code.REMOVED_WHILE_SYNCING: "The subscription cannot be ended while it is being synchronised.",
    Code.NOT_REMOVABLE: "This subscription cannot be ended now.",
    Code.NOT_IN_CATALOG: "The offer is not in the catalog of the company.",
    Code.NOT_SOLD: "This offer cannot be sold.",
    Code.NOT_ALLOWED_BY_COMPANY: "The settings of the company do not allow its administrator this change.",
    Code.NOT_ASSIGNABLE: "No licence of this subscription can be assigned.",
    Code.ASSIGNED_WHILE_SYNCING: "No licence can be assigned while the subscription is being synchronised.",
    Code.DEFAULT_LICENCE: "The licence of the default subscription stays with the user.",
    Code.NO_LICENCE_LEFT: "All licences of this subscription are assigned.",
    Code.NOT_MANAGED: "You do not manage this record.",
    Code.NOT_FOUND: "The record was not found.",
    Code.NOT_FOUND_UPDATE: "The record to change was not found.",
    Code.NOT_FOUND_DELETE: "The record to delete was not found.",
    Code.NO_OFFER: "The offer was not found.",
    Code.ALREADY_SUBSCRIBED: "The company already subscribes to this offer.",
    Code.UPDATED_WHILE_SYNCING: "The subscription cannot be changed while it is being synchronised.",
    Code.ALREADY_EXISTS: "A record like this already exists.",
    Code.TOO_LARGE: "The content is too large.",
    Code.TOO_MANY_REQUESTS: "Too many requests at once or in a short time. Wait before the next one.",
    Code.STOPPING: "The service stops before this is done. Try again.",
    Code.NO_SAML: "SAML is not configured for this company.",
    Code.SAME_PREFIXES: "The outgoing prefix and a prefix of internal numbers are the same.",
    Code.NO_VOICE_LICENCE: "The user has no licence for voice.",
    Code.HAS_GROUPS: "The CloudPBX still has groups.",
    Code.HAS_WELCOME_SERVICES: "The CloudPBX still has welcome services.",
    Code.TRUNK_LOCKED: "The external trunk of this CloudPBX cannot be changed.",
    Code.PLAN_LOCKED: "The numbering plan must include all numbers in use.",
    Code.OUTGOING_PREFIX_LOCKED: "The outgoing prefix cannot be removed while an external trunk is linked.",
    Code.DEFAULT_DDI: "The default DDI number can only be deleted as the last one.",
    Code.HAS_PUBLIC_NUMBERS: "The CloudPBX still has DDI numbers.",
    Code.HAS_EXTENSIONS: "The CloudPBX still has subscribers.",
    Code.HAS_DEVICES: "The CloudPBX still has devices.",
    Code.WELCOME_IN_USE: "The welcome service is in use.",
    Code.USER_IN_WELCOME: "A welcome service already sends its calls to this user.",
    Code.GROUP_IN_WELCOME: "A welcome service already sends its calls to this group.",
    Code.DDI_ELSEWHERE: "Another company already uses this DDI number.",
    Code.INTERNAL_NUMBER_USED: "This internal number is already in use.",
    Code.DDI_EXISTS: "This DDI number already exists.",
    Code.HAS_CLOUDPBX: "The company already has a CloudPBX.",
    Code.MAC_USED: "Another device already has this MAC address.",
    Code.DEVICE_ASSIGNED: "The device is still assigned to a subscriber.",
    Code.DEVICE_TAKEN: "The device is already assigned to a subscriber.",
    Code.DEVICE_ELSEWHERE: "The device belongs to another CloudPBX.",
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
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Resource Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
}

#: errorDetails of an expired token, verbatim: clients test for it.
JWT_EXPIRED = "jwt expired"


def error_body(code: Code, details: Any = None) -> dict[str, Any]:
    """The body of a refusal on the wire."""
    return {
        "errorCode": code.status,
        "errorMsg": MESSAGES.get(code.status, "Error"),
        "errorDetails": SENTENCES[code] if details is None else details,
        "errorDetailsCode": int(code),
    }
