"""Text as Markdown shows it, and times as people and players read them."""

from __future__ import annotations

_MARKDOWN_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>#|"})


def plain(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return " ".join(text.split()).translate(_MARKDOWN_SIGNS)


def bullets(title: str, items: list[str]) -> str:
    """A list under a heading; nothing for no items."""
    return f"## {title}\n\n" + "\n".join(f"- {item}" for item in items) if items else ""


def timestamp(seconds: float) -> str:
    """`3725.5` as `01:02:05.500`."""
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"
