"""Where Alembic starts: it works on the connection that the server hands it, inside the server's transaction."""

from alembic import context

from svc_tui.server.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
