"""Alembic's entry: migrate the connection that :mod:`studies.store.database` hands over."""

from alembic import context

from studies.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=False,  # the caller's transaction holds all of it
)
context.run_migrations()
