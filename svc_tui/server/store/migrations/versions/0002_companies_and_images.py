"""Companies in full, sites, catalogs, offers, subscriptions, customisation templates and pictures."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

TEXT = sa.String().with_variant(sa.String(collation="C"), "postgresql")

#: New columns of companies, and the field of the document that each one holds.
_COLUMNS = {
    "bp_type": "bpType",
    "visibility": "visibility",
    "country": "country",
    "city": "city",
    "offer_type": "offerType",
    "catalog_id": "catalogId",
    "external_reference": "externalReference",
    "external_reference2": "externalReference2",
    "selected_app_customisation_template": "selectedAppCustomisationTemplate",
    "creation_date": "creationDate",
    "status_updated_date": "statusUpdatedDate",
}


def upgrade() -> None:
    op.create_table(
        "catalogs",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("is_default", sa.Boolean(), nullable=True),
        sa.Column("offers_list", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_catalogs_is_default", "catalogs", ["is_default", "id"], unique=False)
    op.create_index("ix_catalogs_name", "catalogs", ["name", "id"], unique=False)
    op.create_index("ix_catalogs_offers_list", "catalogs", ["offers_list", "id"], unique=False)
    op.create_table(
        "images",
        sa.Column("purpose", TEXT, nullable=False),
        sa.Column("entity_id", TEXT, nullable=False),
        sa.Column("media_type", TEXT, nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("hash", TEXT, nullable=False),
        sa.Column("date", TEXT, nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("purpose", "entity_id"),
    )
    op.create_table(
        "offers",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("can_be_sold", sa.Boolean(), nullable=True),
        sa.Column("auto_subscribe", sa.Boolean(), nullable=True),
        sa.Column("is_exclusive", sa.Boolean(), nullable=True),
        sa.Column("is_prepaid", sa.Boolean(), nullable=True),
        sa.Column("is_default", sa.Boolean(), nullable=True),
        sa.Column("profile_id", TEXT, nullable=True),
        sa.Column("offer_reference", TEXT, nullable=True),
        sa.Column("sap_reference", TEXT, nullable=True),
        sa.Column("business_specific", TEXT, nullable=True),
        sa.Column("group_name", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_offers_auto_subscribe", "offers", ["auto_subscribe", "id"], unique=False)
    op.create_index("ix_offers_business_specific", "offers", ["business_specific", "id"], unique=False)
    op.create_index("ix_offers_can_be_sold", "offers", ["can_be_sold", "id"], unique=False)
    op.create_index("ix_offers_group_name", "offers", ["group_name", "id"], unique=False)
    op.create_index("ix_offers_is_default", "offers", ["is_default", "id"], unique=False)
    op.create_index("ix_offers_is_exclusive", "offers", ["is_exclusive", "id"], unique=False)
    op.create_index("ix_offers_is_prepaid", "offers", ["is_prepaid", "id"], unique=False)
    op.create_index("ix_offers_name", "offers", ["name", "id"], unique=False)
    op.create_index("ix_offers_offer_reference", "offers", ["offer_reference", "id"], unique=False)
    op.create_index("ix_offers_profile_id", "offers", ["profile_id", "id"], unique=False)
    op.create_index("ix_offers_sap_reference", "offers", ["sap_reference", "id"], unique=False)
    op.create_table(
        "sites",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("status", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_sites_company_id", "sites", ["company_id", "id"], unique=False)
    op.create_index("ix_sites_name", "sites", ["name", "id"], unique=False)
    op.create_index("ix_sites_status", "sites", ["status", "id"], unique=False)
    op.create_table(
        "splash_screens",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("company_id", TEXT, nullable=True),
        sa.Column("offer_id", TEXT, nullable=True),
        sa.Column("offer_name", TEXT, nullable=True),
        sa.Column("status", TEXT, nullable=True),
        sa.Column("is_default", sa.Boolean(), nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_subscriptions_company_id", "subscriptions", ["company_id", "id"], unique=False)
    op.create_index("ix_subscriptions_is_default", "subscriptions", ["is_default", "id"], unique=False)
    op.create_index("ix_subscriptions_offer_id", "subscriptions", ["offer_id", "id"], unique=False)
    op.create_index("ix_subscriptions_offer_name", "subscriptions", ["offer_name", "id"], unique=False)
    op.create_index("ix_subscriptions_status", "subscriptions", ["status", "id"], unique=False)
    op.create_table(
        "templates",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("type", TEXT, nullable=True),
        sa.Column("visibility", TEXT, nullable=True),
        sa.Column("visible_by", TEXT, nullable=True),
        sa.Column("owned_by_company", TEXT, nullable=True),
        sa.Column("creation_date", TEXT, nullable=True),
        sa.Column("document", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_templates_creation_date", "templates", ["creation_date", "id"], unique=False)
    op.create_index("ix_templates_name", "templates", ["name", "id"], unique=False)
    op.create_index("ix_templates_owned_by_company", "templates", ["owned_by_company", "id"], unique=False)
    op.create_index("ix_templates_type", "templates", ["type", "id"], unique=False)
    op.create_index("ix_templates_visibility", "templates", ["visibility", "id"], unique=False)
    op.create_index("ix_templates_visible_by", "templates", ["visible_by", "id"], unique=False)
    for column in _COLUMNS:
        op.add_column("companies", sa.Column(column, TEXT, nullable=True))
    _fill()
    op.create_index("ix_companies_bp_type", "companies", ["bp_type", "id"], unique=False)
    op.create_index("ix_companies_catalog_id", "companies", ["catalog_id", "id"], unique=False)
    op.create_index("ix_companies_city", "companies", ["city", "id"], unique=False)
    op.create_index("ix_companies_country", "companies", ["country", "id"], unique=False)
    op.create_index("ix_companies_creation_date", "companies", ["creation_date", "id"], unique=False)
    op.create_index("ix_companies_external_reference", "companies", ["external_reference", "id"], unique=False)
    op.create_index("ix_companies_external_reference2", "companies", ["external_reference2", "id"], unique=False)
    op.create_index("ix_companies_offer_type", "companies", ["offer_type", "id"], unique=False)
    op.create_index(
        "ix_companies_selected_app_customisation_template",
        "companies",
        ["selected_app_customisation_template", "id"],
        unique=False,
    )
    op.create_index("ix_companies_status_updated_date", "companies", ["status_updated_date", "id"], unique=False)
    op.create_index("ix_companies_visibility", "companies", ["visibility", "id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_companies_visibility", table_name="companies")
    op.drop_index("ix_companies_status_updated_date", table_name="companies")
    op.drop_index("ix_companies_selected_app_customisation_template", table_name="companies")
    op.drop_index("ix_companies_offer_type", table_name="companies")
    op.drop_index("ix_companies_external_reference2", table_name="companies")
    op.drop_index("ix_companies_external_reference", table_name="companies")
    op.drop_index("ix_companies_creation_date", table_name="companies")
    op.drop_index("ix_companies_country", table_name="companies")
    op.drop_index("ix_companies_city", table_name="companies")
    op.drop_index("ix_companies_catalog_id", table_name="companies")
    op.drop_index("ix_companies_bp_type", table_name="companies")
    for column in _COLUMNS:
        op.drop_column("companies", column)
    op.drop_index("ix_templates_visible_by", table_name="templates")
    op.drop_index("ix_templates_visibility", table_name="templates")
    op.drop_index("ix_templates_type", table_name="templates")
    op.drop_index("ix_templates_owned_by_company", table_name="templates")
    op.drop_index("ix_templates_name", table_name="templates")
    op.drop_index("ix_templates_creation_date", table_name="templates")
    op.drop_table("templates")
    op.drop_index("ix_subscriptions_status", table_name="subscriptions")
    op.drop_index("ix_subscriptions_offer_name", table_name="subscriptions")
    op.drop_index("ix_subscriptions_offer_id", table_name="subscriptions")
    op.drop_index("ix_subscriptions_is_default", table_name="subscriptions")
    op.drop_index("ix_subscriptions_company_id", table_name="subscriptions")
    op.drop_table("subscriptions")
    op.drop_table("splash_screens")
    op.drop_index("ix_sites_status", table_name="sites")
    op.drop_index("ix_sites_name", table_name="sites")
    op.drop_index("ix_sites_company_id", table_name="sites")
    op.drop_table("sites")
    op.drop_index("ix_offers_sap_reference", table_name="offers")
    op.drop_index("ix_offers_profile_id", table_name="offers")
    op.drop_index("ix_offers_offer_reference", table_name="offers")
    op.drop_index("ix_offers_name", table_name="offers")
    op.drop_index("ix_offers_is_prepaid", table_name="offers")
    op.drop_index("ix_offers_is_exclusive", table_name="offers")
    op.drop_index("ix_offers_is_default", table_name="offers")
    op.drop_index("ix_offers_group_name", table_name="offers")
    op.drop_index("ix_offers_can_be_sold", table_name="offers")
    op.drop_index("ix_offers_business_specific", table_name="offers")
    op.drop_index("ix_offers_auto_subscribe", table_name="offers")
    op.drop_table("offers")
    op.drop_table("images")
    op.drop_index("ix_catalogs_offers_list", table_name="catalogs")
    op.drop_index("ix_catalogs_name", table_name="catalogs")
    op.drop_index("ix_catalogs_is_default", table_name="catalogs")
    op.drop_table("catalogs")


def _fill() -> None:
    """Fill the new columns of existing companies from their documents."""
    companies = sa.table("companies", sa.column("id"), sa.column("document", sa.JSON), *map(sa.column, _COLUMNS))
    connection = op.get_bind()
    for id, document in connection.execute(sa.select(companies.c.id, companies.c.document)).all():
        found = {column: document.get(wire) for column, wire in _COLUMNS.items()}
        if found["city"]:
            found["city"] = str(found["city"]).casefold()
        connection.execute(companies.update().where(companies.c.id == id).values(**found))
