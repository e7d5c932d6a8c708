"""Fine-tuning MiniLM into an encoder of classes, on a CPU.

An example says which classes its text may be: a graded answer that is "incorrect" may be vague or beside the point,
and a neutral sentence of an entailment set likewise. The loss is the probability of all allowed classes together, so
that sets with fewer labels than ours teach what they know and nothing else. A network that marks words learns besides
which of them carry the class, from the examples that say so.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from agent.files import write_atomically
from graph.encoders.runtime import TOKENIZER

BATCH = 32
_BUCKET = 1600
"""Examples that are sorted together by length: like lengths need little padding."""
_MARKED_WEIGHT = 2.0
"""Of a word piece that carries the class, against one that does not: there are more of the latter."""
_UNKNOWN = -1.0
_CHECKPOINT_EVERY = 200
"""Steps: some minutes."""

Span = tuple[int, int]
"""Characters, from and to."""


@dataclass(frozen=True, slots=True)
class Example:
    """One text, or a pair of texts, and what it may be."""

    texts: tuple[str, ...]
    """One or two."""
    allowed: tuple[int, ...]
    """Numbers of the classes it may belong to."""
    weight: float = 1.0
    marked: tuple[Span, ...] | None = None
    """What of the first text carries the class; an empty tuple says that nothing does, None that nobody knows."""
    unknown: tuple[Span, ...] = ()
    """Of what of the first text nobody knows whether it does."""


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
    batch_tokens: int = 1600
    """Word pieces of a batch, padding included: long texts come in smaller batches."""
    marking: float = 0.5
    """Weight of the loss on marked words, for a network that marks some."""
    seed: int = 0
    threads: int = 2


Progress = Callable[[int, int, float], None]
"""Called now and then with steps done, steps in all, and the mean loss since the last call."""


def fine_tune(
    model: Any,
    examples: Sequence[Example],
    recipe: Recipe,
    *,
    progress: Progress | None = None,
    checkpoint: Path | None = None,
) -> None:
    """Train a model in place. The same examples, recipe and libraries give the same weights on the same machine.

    Args:
        model: of `training.encoders.network`, or one that was trained before.
        examples: in any order.
        recipe: how.
        progress: told about every hundredth step.
        checkpoint: file that is written now and then; where it is there already training goes on from it, with the same
            examples and recipe. It is gone when the model has learned everything.

    Raises:
        ValueError: there are no examples.
    """
    if not examples:
        raise ValueError("there is nothing to learn from")
    import torch  # noqa: PLC0415

    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    encoded = _encoded(examples, recipe.max_tokens)
    rounds = _rounds([len(each.ids) for each in encoded], recipe)
    first = next(rounds)
    steps = max(1, int(recipe.epochs * len(first)))
    # The words keep their meaning: their vectors are half of the model, and what is learned here is how to compare.
    model.body.embeddings.word_embeddings.weight.requires_grad = False
    body = [each for each in model.body.parameters() if each.requires_grad]
    heads = [each for name, each in model.named_parameters() if not name.startswith("body.")]
    optimizer = torch.optim.AdamW(
        [{"params": body, "lr": recipe.encoder_rate}, {"params": heads, "lr": recipe.head_rate}], weight_decay=0.01
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, [recipe.encoder_rate, recipe.head_rate], total_steps=steps + 1, pct_start=0.1
    )
    model.train()
    learning = {"model": model, "optimizer": optimizer, "schedule": schedule}
    before = _restored(checkpoint, learning) if checkpoint else 0
    since, loss_sum = 0, 0.0
    for step, batch in zip(range(1, steps + 1), chain(first, chain.from_iterable(rounds)), strict=False):
        if step <= before:
            continue
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
        if checkpoint and step % _CHECKPOINT_EVERY == 0 and step < steps:
            _write(checkpoint, learning, step)
    if checkpoint:
        checkpoint.unlink(missing_ok=True)
    model.eval()


def _write(checkpoint: Path, learning: Mapping[str, Any], step: int) -> None:
    import torch  # noqa: PLC0415

    states = {name: part.state_dict() for name, part in learning.items()}
    # Dropout of the heads draws as well.
    torch.save({**states, "step": step, "rng": torch.get_rng_state()}, content := io.BytesIO())
    write_atomically(checkpoint, content.getvalue())


def _restored(checkpoint: Path, learning: Mapping[str, Any]) -> int:
    """Take up what was learned; how many steps that is."""
    import torch  # noqa: PLC0415

    if not checkpoint.is_file():
        return 0
    kept = torch.load(checkpoint, weights_only=True)
    for name, part in learning.items():
        part.load_state_dict(kept[name])
    torch.set_rng_state(kept["rng"])
    return int(kept["step"])


def _encoded(examples: Sequence[Example], max_tokens: int) -> list[Any]:
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens, strategy="longest_first")
    return list(tokenizer.encode_batch([each.texts if len(each.texts) > 1 else each.texts[0] for each in examples]))


def _rounds(lengths: Sequence[int], recipe: Recipe) -> Iterator[list[list[int]]]:
    """Batches of example numbers, all examples once in each round, shuffled anew; rounds without end."""
    choice = random.Random(recipe.seed)  # noqa: S311 - a shuffle, not a secret
    while True:
        order = list(range(len(lengths)))
        choice.shuffle(order)
        batches: list[list[int]] = []
        for start in range(0, len(order), _BUCKET):
            bucket = sorted(order[start : start + _BUCKET], key=lambda number: lengths[number])
            batches += _cut(bucket, lengths, recipe.batch_tokens)
        choice.shuffle(batches)
        yield batches


def _cut(numbers: Sequence[int], lengths: Sequence[int], tokens: int) -> list[list[int]]:
    """Batches of at most `BATCH` examples and about as many word pieces as are allowed; the last is the longest."""
    batches: list[list[int]] = [[]]
    for number in numbers:
        if len(batches[-1]) == BATCH or (batches[-1] and (len(batches[-1]) + 1) * lengths[number] > tokens):
            batches.append([])
        batches[-1].append(number)
    return batches


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
    # bfloat16 halves the time on processors that have it, and changes nothing that could be measured. On others it
    # takes ten times as long.
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=_has_bfloat16(torch.cpu.get_capabilities())):
        given = model(ids, mask, types)
    scores, marks = given if isinstance(given, tuple) else (given, None)
    log_odds = torch.log_softmax(scores.float(), dim=1)
    of_allowed = torch.logsumexp(log_odds.masked_fill(allowed == 0, -1e9), dim=1)
    spread = log_odds.mean(dim=1)
    loss = -(((1 - recipe.smoothing) * of_allowed + recipe.smoothing * spread) * weights).sum() / weights.sum()
    if marks is None:
        return loss
    wanted = torch.full((len(batch), longest), _UNKNOWN)
    for row, number in enumerate(batch):
        pieces = _marked(encoded[number], examples[number])
        wanted[row, : len(pieces)] = torch.tensor(pieces)
    return loss + recipe.marking * _marking_loss(marks.float(), wanted)


def _has_bfloat16(capabilities: Mapping[str, object]) -> bool:
    return any(bool(has) for name, has in capabilities.items() if name.endswith("bf16"))


def _marking_loss(marks: Any, wanted: Any) -> Any:
    import torch  # noqa: PLC0415

    known = (wanted != _UNKNOWN).float()
    each = torch.nn.functional.binary_cross_entropy_with_logits(marks, wanted.clamp(min=0), reduction="none")
    return (each * known * (1 + (_MARKED_WEIGHT - 1) * (wanted > 0))).sum() / known.sum().clamp(min=1)


def _marked(encoded: Any, example: Example) -> list[float]:
    """For each word piece whether it carries the class (1) or not (0); -1 where that is not known, or not asked."""
    if example.marked is None:
        return [_UNKNOWN] * len(encoded.ids)
    return [
        _UNKNOWN if text or special or _within(place, example.unknown) else float(_within(place, example.marked))
        for text, special, place in zip(encoded.type_ids, encoded.special_tokens_mask, encoded.offsets, strict=True)
    ]


def _within(piece: Span, spans: Sequence[Span]) -> bool:
    first, last = piece
    return any(start <= first < last <= end for start, end in spans)
