"""The score scale of retrieval: how it is calibrated for an embedding model, and how well it tells topics apart.

Every topic title of the shipped packs is a query; its own questions are the wanted ones, those of the pack's other
topics the others. The scale (`rag.bank.score_scale`) is fitted to the two distributions of cosines. That it is no
accident of one pack is seen where it is fitted to one pack and grades the other. The labels are the authors' own and
the topic's title is a part of what is embedded, so this measures whether a title finds what its author filed under
it.

Run it after changing the embedding model (`VIVA_EMBEDDER=<folder>`), the packs, or what is embedded of a question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from rich.console import Console
from rich.table import Table

from agent.model_files.prepare import ensure_models
from agent.settings import load_settings
from domain.vocabulary import DIFFICULTIES
from rag import BankQuestion, Embedder, MiniLM, Pack, ScoreScale, load_packs
from rag.bank.bank import embedded_text
from rag.bank.score_scale import HIGH, LOW, MINILM_SCALE, fit_scale

Text = Callable[[Pack, BankQuestion], str]


@dataclass
class Cosines:
    """Cosines of topic titles with questions, one by one, and as means over the candidates of a retrieval."""

    wanted: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    wanted_means: list[float] = field(default_factory=list)
    other_means: list[float] = field(default_factory=list)

    def separation(self) -> float:
        """Share of pairs in which the wanted question is nearer than the other (area under the ROC curve)."""
        return float((np.array(self.wanted)[:, None] > np.array(self.other)[None]).mean())


def measure(packs: Iterable[Pack], embedder: Embedder, text: Text) -> Cosines:
    """Compare every topic title with every question of its pack."""
    found = Cosines()
    for pack in packs:
        questions = np.array([(question.topic, question.difficulty) for question in pack.questions])
        rows = embedder.embed([text(pack, question) for question in pack.questions])
        for topic in pack.topics:
            cosines = rows @ embedder.embed([topic.title])[0]
            is_topic = questions[:, 0] == topic.id
            found.wanted += cosines[is_topic].tolist()
            found.other += cosines[~is_topic].tolist()
            for labels in {(other.id, difficulty) for other in pack.topics for difficulty in DIFFICULTIES}:
                candidates = cosines[(questions == labels).all(axis=1)]
                if len(candidates):
                    means = found.wanted_means if labels[0] == topic.id else found.other_means
                    means.append(float(candidates.mean()))
    return found


def shares(means: list[float], scale: ScoreScale) -> str:
    """Shares of retrievals whose mean score is high, between, and low."""
    scores = np.array([scale.score(mean) for mean in means])
    return " / ".join(f"{share:.0%}" for share in _thirds(scores))


def _thirds(scores: np.ndarray) -> tuple[float, float, float]:
    high, low = float((scores >= HIGH).mean()), float((scores <= LOW).mean())
    return high, 1 - high - low, low


def main() -> None:
    """Measure and print."""
    embedder = MiniLM.load(ensure_models(load_settings()).embedder)
    packs = load_packs()
    console = Console()
    console.print(_texts(packs.values(), embedder))
    console.print(_scales(packs, embedder))
    console.print(f"Scale in use: {MINILM_SCALE}")


def _texts(packs: Iterable[Pack], embedder: Embedder) -> Table:
    table = Table("what is embedded", "wanted p10 / p50 / p90", "other p10 / p50 / p90", "wanted is nearer")
    texts: dict[str, Text] = {
        "the question's text": lambda _, question: question.text,
        "topic, text, concepts (in use)": embedded_text,
    }
    for name, text in texts.items():
        cosines = measure(packs, embedder, text)
        spreads = [
            " / ".join(f"{np.percentile(values, p):.3f}" for p in (10, 50, 90))
            for values in (cosines.wanted, cosines.other)
        ]
        table.add_row(name, *spreads, f"{cosines.separation():.1%}")
    return table


def _scales(packs: dict[str, Pack], embedder: Embedder) -> Table:
    table = Table("fitted to", "cosine at 0.45", "cosine at 0.75", "graded", "right: high/between/low", "wrong topic")
    everything = measure(packs.values(), embedder, embedded_text)
    runs = [("all packs", everything, "all packs", everything)]
    by_pack = {name: measure([pack], embedder, embedded_text) for name, pack in packs.items()}
    runs += [(one, by_pack[one], other, by_pack[other]) for one in packs for other in packs if one != other]
    for fitted_to, fitted, graded, cosines in runs:
        scale = fit_scale(fitted.wanted, fitted.other)
        table.add_row(
            fitted_to,
            f"{scale.cosine_at_low:.3f}",
            f"{scale.cosine_at_high:.3f}",
            graded,
            shares(cosines.wanted_means, scale),
            shares(cosines.other_means, scale),
        )
    return table


if __name__ == "__main__":
    main()
