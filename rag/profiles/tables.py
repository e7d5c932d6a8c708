"""Profile tables, as the newest migration leaves them. Lists and profiles are JSON; times are seconds since the epoch.

A person's means and lists can be derived from the rows of their interviews. They are kept beside them, in the same
transaction, so that other programs can read them.
"""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Integer, MetaData, String, Table, Text

HEAD = "0001"
"""The newest migration."""

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("user_id", String(80), primary_key=True),
    Column("name", Text, nullable=False),
    Column("domain", Text, nullable=False),
    Column("skills", JSON, nullable=False),
    Column("strengths", JSON, nullable=False),
    Column("weaknesses", JSON, nullable=False),
    Column("categories", JSON, nullable=False),
    Column("imported", JSON, nullable=False),
    Column("edited", JSON, nullable=False),
    Column("updated_at", Float, nullable=False),
)
academic_summary = Table(
    "academic_summary",
    metadata,
    Column("user_id", String(80), ForeignKey("users.user_id", ondelete="CASCADE"), primary_key=True),
    Column("question_attempted", Integer, nullable=False),
    Column("answers_scored", Integer, nullable=False),
    Column("technical_accuracy", Float),
    Column("reasoning_depth", Float),
    Column("communication_clarity", Float),
    Column("score_overall", Float),
)
counted_interviews = Table(
    "counted_interviews",
    metadata,
    Column("interview_id", String(64), primary_key=True),
    Column("user_id", String(80), ForeignKey("users.user_id", ondelete="CASCADE"), nullable=False, index=True),
    Column("at", Float, nullable=False),
    Column("question_attempted", Integer, nullable=False),
    Column("answers_scored", Integer, nullable=False),
    Column("technical_accuracy", Float, nullable=False),
    Column("reasoning_depth", Float, nullable=False),
    Column("communication_clarity", Float, nullable=False),
)
"""What each interview added: sums over its scored answers. An interview that is in it is not counted again."""
evidence = Table(
    "evidence",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("user_id", String(80), ForeignKey("users.user_id", ondelete="CASCADE"), nullable=False, index=True),
    Column(
        "interview_id",
        String(64),
        ForeignKey("counted_interviews.interview_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("kind", String(16), nullable=False),
    Column("subject", Text, nullable=False),
    Column("point", Text, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("words", Text, nullable=False),
    Column("first_word", Integer, nullable=False),
    Column("last_word", Integer, nullable=False),
    Column("start_s", Float),
    Column("at", Float, nullable=False),
)
forgotten_interviews = Table("forgotten_interviews", metadata, Column("interview_id", String(64), primary_key=True))
"""Interviews that were deleted: whoever counts one late adds nothing. Only the id is kept."""
