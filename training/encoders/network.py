"""Network that is fine-tuned: MiniLM with a head of classes, and one that marks the words they rest on."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent.files import write_atomically

_CLS, _SEP = 101, 102
"""Numbers of the word pieces that frame the texts: they are not said, so no verdict rests on them."""


def new_model(start: Path, classes: int, *, marks: bool = False, dropout: float = 0.1, layers: int = 6) -> Any:
    """An encoder with the weights of a MiniLM folder and fresh heads.

    It gives scores of the classes: a linear map of the mean of the last layer. With `marks` it gives two things, the
    scores and a number for each word piece of the first text, the log-odds that the piece carries the class; the
    scores then look at the marked pieces as well as at the mean: a verdict rests on what it quotes.

    Args:
        start: folder of the sentence-transformers model.
        classes: how many there are.
        marks: whether words are marked.
        dropout: share of each layer that is dropped while it learns.
        layers: the first of so many; each takes the same time.
    """
    import torch  # noqa: PLC0415 - seconds and hundreds of megabytes, only for who trains
    from transformers import AutoModel  # noqa: PLC0415

    def special(input_ids: Any) -> Any:
        return (input_ids == _CLS) | (input_ids == _SEP)

    class Model(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore] # torch is not followed
        def __init__(self) -> None:
            super().__init__()
            self.body = AutoModel.from_pretrained(
                str(start), local_files_only=True, attn_implementation="eager", hidden_dropout_prob=dropout,
                attention_probs_dropout_prob=dropout, num_hidden_layers=layers,
            )  # fmt: skip
            size = self.body.config.hidden_size
            self.drop = torch.nn.Dropout(0.1)
            self.head = torch.nn.Linear(size, classes)
            self.gives = ("scores", "marks") if marks else ("scores",)
            if marks:
                self.mark = torch.nn.Linear(size, 1)
                self.marked = torch.nn.Linear(size, classes)
                torch.nn.init.zeros_(self.marked.weight)
                torch.nn.init.zeros_(self.marked.bias)

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            hidden = self.body(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
            scores = self.head(self.drop((hidden * mask).sum(1) / mask.sum(1)))
            if not marks:
                return scores
            log_odds = self.mark(hidden).squeeze(-1)
            of_first_text = (attention_mask * (1 - token_type_ids)).to(torch.bool) & ~special(input_ids)
            shares = torch.softmax(log_odds.float().masked_fill(~of_first_text, -1e4), 1).to(hidden.dtype)
            return scores + self.marked(self.drop((hidden * shares.unsqueeze(-1)).sum(1))), log_odds

    torch.manual_seed(0)
    return Model()


def keep(model: Any, path: Path) -> None:
    """Write a network's weights, whole or not at all."""
    import torch  # noqa: PLC0415

    torch.save(model.state_dict(), content := io.BytesIO())
    write_atomically(path, content.getvalue())


def averaged(paths: Sequence[Path]) -> dict[str, Any]:
    """The mean of weights that were kept, of networks that set out from the same ones."""
    import torch  # noqa: PLC0415

    states = [torch.load(path, weights_only=True) for path in paths]
    return {
        name: torch.stack([state[name].double() for state in states]).mean(0).to(first.dtype)
        for name, first in states[0].items()
    }
