"""Profile migrations: every form that the tables have had, one module each (https://alembic.sqlalchemy.org)."""
