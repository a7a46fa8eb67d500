"""API keys that an application made for a user while it had a grant of this user end with that grant.

Until now an OAuth access token could create keys. Which token made a key is not recorded, only its application: a key
belongs to the latest grant of the same user and application that is older. Keys of the service's own clients are left
out, since users make these themselves.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    connection = op.get_bind()
    applications, grants = (_documents(name) for name in ("applications", "oauth_tokens"))
    own = {each["id"] for each in applications if each.get("isSvcClientDefault")}
    keys = sa.table("api_keys", sa.column("id"), sa.column("document", sa.JSON))
    for id, key in connection.execute(sa.select(keys.c.id, keys.c.document)).all():
        application = (key.get("createdBy") or {}).get("appId")
        older = [
            (str(grant.get("creationDate") or ""), grant["id"])
            for grant in grants
            if application
            and application not in own
            and (grant.get("userId"), grant.get("appId")) == (key.get("userId"), application)
            and str(grant.get("creationDate") or "") <= str(key.get("creationDate") or "")
        ]
        if older:
            document = {**key, "grantId": max(older)[1]}
            connection.execute(keys.update().where(keys.c.id == id).values(document=document))


def downgrade() -> None:
    """The field stays: an earlier version ignores it."""


def _documents(name: str) -> list[dict[str, Any]]:
    table = sa.table(name, sa.column("document", sa.JSON))
    return [document for (document,) in op.get_bind().execute(sa.select(table.c.document))]
