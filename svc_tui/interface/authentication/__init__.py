"""Authentication: sessions, single sign-on, API keys, users, MFA, client versions (4.1, 5, 2.1 to 2.4)."""

from typing import TYPE_CHECKING

from svc_tui.lazy_import import lazy_names

if TYPE_CHECKING:
    from svc_tui.interface.authentication.api_keys import *
    from svc_tui.interface.authentication.client_versions import *
    from svc_tui.interface.authentication.mfa import *
    from svc_tui.interface.authentication.oauth import *
    from svc_tui.interface.authentication.sessions import *
    from svc_tui.interface.authentication.single_sign_on import *
    from svc_tui.interface.authentication.user_changes import *
    from svc_tui.interface.authentication.users import *
else:
    __getattr__ = lazy_names(
        __name__,
        "api_keys",
        "client_versions",
        "mfa",
        "oauth",
        "sessions",
        "single_sign_on",
        "user_changes",
        "users",
    )

#: The group of its operations in the usage of applications (4.8).
USAGE_GROUP = "login"
