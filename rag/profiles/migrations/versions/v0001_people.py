"""First form of the profile tables: people, what their interviews came to, and the words that prove it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_OF_USER = "users.user_id"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "users",
        sa.Column("user_id", sa.String(80), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("domain", sa.Text, nullable=False),
        *(sa.Column(name, sa.JSON, nullable=False) for name in ("skills", "strengths", "weaknesses", "categories")),
        *(sa.Column(name, sa.JSON, nullable=False) for name in ("imported", "edited")),
        sa.Column("updated_at", sa.Float, nullable=False),
    )
    op.create_table(
        "academic_summary",
        sa.Column("user_id", sa.String(80), sa.ForeignKey(_OF_USER, ondelete="CASCADE"), primary_key=True),
        sa.Column("question_attempted", sa.Integer, nullable=False),
        sa.Column("answers_scored", sa.Integer, nullable=False),
        *(
            sa.Column(name, sa.Float)
            for name in ("technical_accuracy", "reasoning_depth", "communication_clarity", "score_overall")
        ),
    )
    op.create_table(
        "counted_interviews",
        sa.Column("interview_id", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.String(80), sa.ForeignKey(_OF_USER, ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("at", sa.Float, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("question_attempted", "answers_scored")),
        *(
            sa.Column(name, sa.Float, nullable=False)
            for name in ("technical_accuracy", "reasoning_depth", "communication_clarity")
        ),
    )
    of_interview = sa.ForeignKey("counted_interviews.interview_id", ondelete="CASCADE")
    op.create_table(
        "evidence",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("user_id", sa.String(80), sa.ForeignKey(_OF_USER, ondelete="CASCADE"), nullable=False, index=True),
        sa.Column("interview_id", sa.String(64), of_interview, nullable=False, index=True),
        sa.Column("kind", sa.String(16), nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("subject", "point")),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("first_word", "last_word")),
        sa.Column("start_s", sa.Float),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table("forgotten_interviews", sa.Column("interview_id", sa.String(64), primary_key=True))


def downgrade() -> None:
    """Drop the tables, and all that is in them."""
    for table in ("evidence", "counted_interviews", "academic_summary", "forgotten_interviews", "users"):
        op.drop_table(table)
