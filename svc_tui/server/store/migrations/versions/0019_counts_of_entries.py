"""The number of entries of each directory, kept by triggers of PostgreSQL, and indexes with all that a page needs."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_INDEXES = (
    ("last_name", "directory last_name first_name id"),
    ("first_name", "directory first_name last_name id"),
    ("company_name", "directory company_name last_name first_name id"),
    ("last_update_date", "directory last_update_date last_name first_name id"),
)
_TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")
_FILL = """
INSERT INTO record_counts SELECT 'directory_entries', coalesce(directory, ''), coalesce(type, ''), count(*)
FROM directory_entries GROUP BY directory, type
"""

#: In the order of the rows, so that two statements never wait for each other.
_COUNTED = (
    "INSERT INTO record_counts AS kept "
    "SELECT 'directory_entries', coalesce(directory, ''), coalesce(type, ''), {} FROM {} GROUP BY 2, 3 ORDER BY 2, 3 "
    + "ON CONFLICT (name, scope, part) DO UPDATE SET number = kept.number + excluded.number"
)
_FUNCTIONS = (
    f"""
CREATE OR REPLACE FUNCTION directory_entries_created() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    {_COUNTED.format("count(*)", "changed")};
    RETURN NULL;
END $$
""",
    f"""
CREATE OR REPLACE FUNCTION directory_entries_removed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    {_COUNTED.format("-count(*)", "changed")};
    DELETE FROM record_counts WHERE name = 'directory_entries' AND number = 0
    AND scope IN (SELECT coalesce(directory, '') FROM changed);
    RETURN NULL;
END $$
""",
    f"""
CREATE OR REPLACE FUNCTION directory_entries_moved() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    {
        _COUNTED.format(
            "sum(each)",
            "(VALUES (OLD.directory, OLD.type, -1), (NEW.directory, NEW.type, 1)) AS changed (directory, type, each)",
        )
    };
    RETURN NULL;
END $$
""",
)
_TRIGGERS = (
    "CREATE TRIGGER directory_entries_created AFTER INSERT ON directory_entries REFERENCING NEW TABLE AS changed "
    "FOR EACH STATEMENT EXECUTE FUNCTION directory_entries_created()",
    "CREATE TRIGGER directory_entries_removed AFTER DELETE ON directory_entries REFERENCING OLD TABLE AS changed "
    "FOR EACH STATEMENT EXECUTE FUNCTION directory_entries_removed()",
    "CREATE TRIGGER directory_entries_moved AFTER UPDATE ON directory_entries FOR EACH ROW "
    "WHEN ((OLD.directory, OLD.type) IS DISTINCT FROM (NEW.directory, NEW.type)) "
    "EXECUTE FUNCTION directory_entries_moved()",
)


def upgrade() -> None:
    op.create_table(
        "record_counts",
        sa.Column("name", _TEXT, nullable=False),
        sa.Column("scope", _TEXT, nullable=False),
        sa.Column("part", _TEXT, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", "scope", "part"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for statement in (_FILL, *_FUNCTIONS, *_TRIGGERS):
            op.execute(statement)
    _replace([(name, f"{columns} type") for name, columns in _INDEXES])


def downgrade() -> None:
    _replace(_INDEXES)
    if op.get_bind().dialect.name == "postgresql":
        for event in ("created", "removed", "moved"):
            op.execute(f"DROP TRIGGER directory_entries_{event} ON directory_entries")
            op.execute(f"DROP FUNCTION directory_entries_{event}()")
    op.drop_table("record_counts")


def _replace(indexes: Sequence[tuple[str, str]]) -> None:
    for name, columns in indexes:
        op.drop_index(f"ix_directory_entries_directory_{name}", table_name="directory_entries")
        op.create_index(f"ix_directory_entries_directory_{name}", "directory_entries", columns.split())
