"""Linear model of classes: multinomial logistic regression with a penalty on large weights.

It has one solution, whatever the order of the examples and the machine: the weights change only with the examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.floating[Any]]


def probabilities(scores: Matrix) -> Matrix:
    """Softmax of each row."""
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def learn(
    rows: Matrix, wanted: Sequence[int], *, classes: int, penalty: float, weights: Sequence[float] | None = None
) -> Matrix:
    """Weights: a row for each column of `rows` and one for the constant, a column for each class.

    Args:
        rows: one for each example, of numbers about 0 to 1.
        wanted: the class of each.
        classes: how many there are.
        penalty: on the squares of the weights, for each example; none on the constant.
        weights: how much each example counts; all alike by default.
    """
    # Half a second that only who trains should pay: an interview loads this module as well.
    from scipy.optimize import minimize  # noqa: PLC0415

    size = rows.shape[1]
    target = np.eye(classes)[np.asarray(wanted)]
    share = np.ones(len(rows)) if weights is None else np.asarray(weights, float)
    share = (share / share.sum())[:, None]

    def loss(flat: Matrix) -> tuple[float, Matrix]:
        model = flat.reshape(size + 1, classes)
        odds = probabilities(rows @ model[:-1] + model[-1])
        error = (odds - target) * share
        value = -(share[:, 0] * np.log((odds * target).sum(axis=1) + 1e-12)).sum()
        slope = np.vstack([rows.T @ error + penalty * model[:-1], error.sum(axis=0)])
        return float(value + penalty / 2 * (model[:-1] ** 2).sum()), slope.ravel()

    found = minimize(loss, np.zeros((size + 1) * classes), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    return np.asarray(found.x).reshape(size + 1, classes)
