"""Training of the intent classifier from labelled utterances: `make train-intents`.

The examples are stretches of words as the detector looks at them: whole requests, the request at the end of an answer,
and, for answers, every ending at which a request might have begun. Model answers of the question packs are answers
too. It needs the extra `training` (pip install ".[training]"), and about fifteen minutes on two cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict

from domain.vocabulary import Intent, Request
from graph.encoders.linear import learn
from graph.intents import span_boundaries
from graph.intents.classifier import BUILD_FILE, MAX_TOKENS, WEIGHTS_DIR, BuildWeights
from graph.intents.cues import INTENTS
from graph.intents.evaluation.labelled import LabelledError, LabelledUtterance, read_file
from graph.intents.features import features, request_stems
from graph.intents.normalize import Stretch, Utterance, stems_of
from graph.judging.quote_matching import locate
from rag import load_packs
from training.encoders.export import export
from training.encoders.fine_tune import Example as EncoderExample
from training.encoders.fine_tune import Progress, fine_tune
from training.encoders.fine_tune import Recipe as EncoderRecipe
from training.encoders.network import new_model

_PENALTY = 5e-5
"""On the squares of the weights, for each example."""
_NAMES_THINGS = ("answer", "unintelligible", "change_topic", "clarify", "correct_myself")
"""Intents whose words are also about what an answer is about."""
_LONG_SENTENCE = 8
"""Words from which on the end of a sentence is an example of its own."""
_PART = 0.5
"""Weight of an example that is only a part of what was said."""
FEATURE_SCALE = 0.5
"""Brings the features to a size at which the penalty meets all of them alike."""
_RECIPE = EncoderRecipe(classes=len(INTENTS), max_tokens=MAX_TOKENS, epochs=3, encoder_rate=8e-5)
EXAMPLES_FILE = Path(__file__).parents[1] / "data" / "intents" / "examples.yaml"


class TakenApart(BaseModel):
    """Requests taken apart, as in `examples.yaml`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    frames: dict[str, list[str]]
    requests: dict[Request, dict[str, list[str]]]
    answers: list[str]


@dataclass(frozen=True, slots=True)
class LabelledStretch:
    """A stretch of words and what it is."""

    stretch: Stretch
    intent: Intent
    asked: frozenset[str]
    weight: float = 1.0


def examples_of(text: str, question: str, intent: Intent, answer: str) -> Iterator[LabelledStretch]:
    """The examples that one labelled utterance gives."""
    utterance, asked = Utterance(text.split()), stems_of(question)
    last = len(utterance) - 1
    if last < 0:
        return
    context = span_boundaries.context(utterance)
    if intent == "answer":
        if not answer:
            yield LabelledStretch(context, "answer", asked)
        starts = [start for start in span_boundaries.tails(utterance) if start > context.first]
        yield from (LabelledStretch(utterance.stretch(start, last), "answer", asked, _PART) for start in starts)
        return
    place = locate(answer, utterance.words) if answer else None
    if place is None:
        yield LabelledStretch(context, intent, asked)
        return
    yield LabelledStretch(
        utterance.stretch(max(place.first_word, place.last_word + 1 - span_boundaries.SHORT), place.last_word),
        "answer",
        asked,
    )
    for first, end in ((0, place.first_word - 1), (place.last_word + 1, last)):
        part = utterance.stretch(first, end) if first <= end else None
        if part and len(part.tokens) > 1:
            yield LabelledStretch(part, intent, asked)
    if intent == "correct_myself":
        yield LabelledStretch(context, intent, asked)


def wrapped(recipe: TakenApart, each: int = 2, seed: int = 0) -> Iterator[LabelledStretch]:
    """Requests in the ways people wrap them, and the same words in statements, which are answers.

    Args:
        recipe: the parts.
        each: how often each request is used.
        seed: of the choice of wrappings.
    """
    rng = np.random.default_rng(seed)

    def pick(choices: Sequence[str]) -> str:
        return choices[int(rng.integers(len(choices)))]

    for intent, by_actor in recipe.requests.items():
        for actor, requests in by_actor.items():
            for request in requests * each:
                framed = request if actor == "say" else pick(recipe.frames[actor]).replace("{}", request)
                said = f"{pick(recipe.frames['before'])} {framed} {pick(recipe.frames['after'])}"
                yield LabelledStretch(Utterance(said.split()).whole, intent, frozenset(), _PART)
                if actor != "say":
                    stated = pick(recipe.answers).replace("{}", request)
                    yield LabelledStretch(Utterance(stated.split()).whole, "answer", frozenset(), _PART * _PART)


def spoken_answers(answers: Iterable[tuple[str, str]]) -> Iterator[LabelledStretch]:
    """Examples of plain answers: each sentence, and each place where a request might begin.

    Args:
        answers: question and answer.
    """
    for question, answer in answers:
        asked = stems_of(question)
        sentences = [each.strip() for each in answer.replace("!", ".").replace("?", ".").split(".") if each.strip()]
        for sentence in sentences:
            words = sentence.replace(",", "").split()
            yield from (
                LabelledStretch(each.stretch, "answer", asked, _PART * each.weight)
                for each in examples_of(" ".join(words), question, "answer", "")
            )
            if len(words) > _LONG_SENTENCE:
                yield LabelledStretch(Utterance(words[len(words) // 2 :]).whole, "answer", asked, _PART * _PART)


def learn_build(examples: Sequence[LabelledStretch]) -> BuildWeights:
    """Weights of the linear model over how stretches are built. It has one solution, whatever the order."""
    stems = request_stems(e.stretch for e in examples if e.intent not in _NAMES_THINGS)
    rows = np.stack([features(e.stretch, e.asked, stems) for e in examples])
    wanted = [INTENTS.index(e.intent) for e in examples]
    weights = learn(
        FEATURE_SCALE * rows,
        wanted,
        classes=len(INTENTS),
        penalty=_PENALTY,
        weights=[e.weight for e in examples],
    )
    weights[:-1] *= FEATURE_SCALE
    by_build = [[round(float(value), 3) for value in row] for row in weights]
    return BuildWeights(intents=list(INTENTS), request_stems=sorted(stems), by_build=by_build)


def learn_reader(examples: Sequence[LabelledStretch], minilm: Path, progress: Progress) -> Any:
    """The encoder, fine-tuned from MiniLM."""
    model = new_model(minilm, len(INTENTS))
    texts = [EncoderExample((e.stretch.text,), (INTENTS.index(e.intent),), e.weight) for e in examples]
    fine_tune(model, texts, _RECIPE, progress=progress)
    return model


def all_examples(utterances: Iterable[LabelledUtterance], answers: Iterable[tuple[str, str]]) -> list[LabelledStretch]:
    """Everything there is to learn from.

    Args:
        utterances: labelled ones.
        answers: questions with spoken answers to them.
    """
    labelled = [
        example
        for each in utterances
        if each.intent is not None
        for example in examples_of(each.text, each.question, each.intent, each.answer)
    ]
    recipe = TakenApart.model_validate(yaml.safe_load(EXAMPLES_FILE.read_text(encoding="utf-8")))
    return [*labelled, *spoken_answers(answers), *wrapped(recipe)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn from a file of labelled utterances and store the weights."""
    parser = argparse.ArgumentParser(prog="python -m training.intents.train", description=main.__doc__)
    parser.add_argument("file", type=Path, help="labelled utterances, one JSON object a line")
    parser.add_argument("minilm", type=Path, help="folder of the sentence-transformers model to start from")
    parser.add_argument("--out", type=Path, default=WEIGHTS_DIR, help="folder for the weights")
    chosen = parser.parse_args(arguments)
    answers = [(each.text, each.model_answer) for pack in load_packs().values() for each in pack.questions]
    try:
        examples = all_examples(read_file(chosen.file), answers)
    except LabelledError as error:
        parser.error(str(error))
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / BUILD_FILE).write_text(learn_build(examples).model_dump_json(), encoding="utf-8")

    def told(step: int, steps: int, loss: float) -> None:
        sys.stdout.write(f"step {step} of {steps}, loss {loss:.3f}\n")
        sys.stdout.flush()

    export(learn_reader(examples, chosen.minilm, told), chosen.out)
    sys.stdout.write(f"Learned from {len(examples)} examples; the weights are in {chosen.out}.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
