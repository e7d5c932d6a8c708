"""Migration environment: Alembic runs it. The connection is the caller's, and so is the transaction."""

from __future__ import annotations

from alembic import context

from rag.profiles.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
context.run_migrations()
