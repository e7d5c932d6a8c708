"""Fine-tuning MiniLM into an encoder with a head of classes, on a CPU in minutes.

An example says which classes its text may be: a graded answer that is "incorrect" may be vague or beside the point,
and a neutral sentence of an entailment set likewise. The loss is the probability of all allowed classes together, so
that sets with fewer labels than ours teach what they know and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.encoders.runtime import TOKENIZER

BATCH = 32
_BUCKET = 50
"""Batches whose examples are sorted together: like lengths need little padding."""


@dataclass(frozen=True, slots=True)
class Example:
    """One text, or a pair of texts, and what it may be."""

    texts: tuple[str, ...]
    """One or two."""
    allowed: tuple[int, ...]
    """Numbers of the classes it may belong to."""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to learn."""

    classes: int
    max_tokens: int
    epochs: float = 2.0
    encoder_rate: float = 6e-5
    head_rate: float = 1e-3
    smoothing: float = 0.05
    """Share of the target that is spread over all classes: a model that is never quite sure can be calibrated."""
    seed: int = 0
    threads: int = 2


Progress = Callable[[int, int, float], None]
"""Called now and then with steps done, steps in all, and the mean loss since the last call."""


def new_model(start: Path, classes: int) -> Any:
    """An encoder with the weights of a MiniLM folder and a fresh head: mean of the last layer, then one linear map."""
    import torch  # noqa: PLC0415 - seconds and hundreds of megabytes, only for who trains
    from transformers import AutoModel  # noqa: PLC0415

    class Model(torch.nn.Module):  # type: ignore[misc, name-defined, unused-ignore] # torch is not followed
        def __init__(self) -> None:
            super().__init__()
            self.body = AutoModel.from_pretrained(str(start), local_files_only=True, attn_implementation="eager")
            self.drop = torch.nn.Dropout(0.1)
            self.head = torch.nn.Linear(self.body.config.hidden_size, classes)

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            hidden = self.body(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state
            mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
            return self.head(self.drop((hidden * mask).sum(1) / mask.sum(1)))

    torch.manual_seed(0)
    return Model()


def fine_tune(model: Any, examples: Sequence[Example], recipe: Recipe, *, progress: Progress | None = None) -> None:
    """Train a model in place. The same examples, recipe and libraries give the same weights on the same machine.

    Args:
        model: of `new_model`, or one that was trained before.
        examples: in any order.
        recipe: how.
        progress: told about every hundredth step.
    """
    import torch  # noqa: PLC0415

    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    encoded = _encoded(examples, recipe.max_tokens)
    steps = max(1, int(recipe.epochs * len(examples) / BATCH))
    # The words keep their meaning: their vectors are half of the model, and what is learned here is how to compare.
    model.body.embeddings.word_embeddings.weight.requires_grad = False
    body, head = [each for each in model.body.parameters() if each.requires_grad], list(model.head.parameters())
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": recipe.encoder_rate}, {"params": head, "lr": recipe.head_rate}], weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [recipe.encoder_rate, recipe.head_rate], total_steps=steps + 1, pct_start=0.1
    )
    model.train()
    since, loss_sum = 0, 0.0
    for step, batch in zip(range(1, steps + 1), _batches(encoded, recipe.seed), strict=False):
        loss = _loss(model, batch, encoded, examples, recipe)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        since, loss_sum = since + 1, loss_sum + float(loss.detach())
        if progress and (step % 100 == 0 or step == steps):
            progress(step, steps, loss_sum / since)
            since, loss_sum = 0, 0.0
    model.eval()


def _encoded(examples: Sequence[Example], max_tokens: int) -> list[Any]:
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    return list(tokenizer.encode_batch([each.texts if len(each.texts) > 1 else each.texts[0] for each in examples]))


def _batches(encoded: Sequence[Any], seed: int) -> Iterator[list[int]]:
    """Batches of example numbers without end, shuffled anew in each round."""
    choice = random.Random(seed)  # noqa: S311 - a shuffle, not a secret
    while True:
        order = list(range(len(encoded)))
        choice.shuffle(order)
        batches: list[list[int]] = []
        for start in range(0, len(order), BATCH * _BUCKET):
            bucket = sorted(order[start : start + BATCH * _BUCKET], key=lambda number: len(encoded[number].ids))
            batches += [bucket[at : at + BATCH] for at in range(0, len(bucket), BATCH)]
        choice.shuffle(batches)
        yield from batches


def _loss(model: Any, batch: Sequence[int], encoded: Sequence[Any], examples: Sequence[Example], recipe: Recipe) -> Any:
    import torch  # noqa: PLC0415

    longest = max(len(encoded[number].ids) for number in batch)
    ids, mask, types = (torch.zeros(len(batch), longest, dtype=torch.long) for _ in range(3))
    allowed = torch.zeros(len(batch), recipe.classes)
    for row, number in enumerate(batch):
        each = encoded[number]
        size = len(each.ids)
        ids[row, :size], types[row, :size] = torch.tensor(each.ids), torch.tensor(each.type_ids)
        mask[row, :size] = 1
        allowed[row, list(examples[number].allowed)] = 1
    weights = torch.tensor([examples[number].weight for number in batch])
    # bfloat16 halves the time on processors that have it, and changes nothing that could be measured.
    with torch.autocast("cpu", dtype=torch.bfloat16):
        scores = model(ids, mask, types)
    log_odds = torch.log_softmax(scores.float(), dim=1)
    of_allowed = torch.logsumexp(log_odds.masked_fill(allowed == 0, -1e9), dim=1)
    spread = log_odds.mean(dim=1)
    return -(((1 - recipe.smoothing) * of_allowed + recipe.smoothing * spread) * weights).sum() / weights.sum()
