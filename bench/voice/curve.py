"""The picture: cut-offs over median dead air, one line for each family of policies, as SVG.

Cut-offs are drawn on a scale of square roots: what matters happens below ten per cent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

from bench.voice.turns import Balance

WIDTH, HEIGHT = 760, 480
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 44, 56
MOST_S = 2.5
"""Dead air at the right edge, seconds; beyond it nothing is drawn."""
GOAL_S, GOAL_SHARE = 0.6, 0.05
_TICKS_S = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5)
_TICKS_SHARE = (0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 1.0)
_COLOURS = ("#1f6feb", "#8a8f98", "#d97706", "#2da44e")
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24292f }
  .small { font-size: 12px } .title { font-size: 15px; font-weight: 600 }
  .grid { stroke: #8884; stroke-width: 1 } .goal { fill: #2da44e33 }
  .paper { fill: #ffffff }
  @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .paper { fill: #0d1117 } }
"""

Curve = Sequence[tuple[float, Balance]]


def draw(curves: Mapping[str, Curve], marks: Mapping[str, Balance], title: str) -> str:
    """The picture's source.

    Args:
        curves: by the name of the family, each with its points in the order of the knob.
        marks: single policies that are named in the picture.
        title: what it is of.
    """
    svg = ET.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", width=str(WIDTH)
    )
    ET.SubElement(svg, "title").text = title
    ET.SubElement(svg, "style").text = _STYLE
    ET.SubElement(svg, "rect", {"class": "paper", "width": str(WIDTH), "height": str(HEIGHT)})
    _text(svg, _LEFT, 24, title, kind="title")
    _axes(svg)
    for number, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        _line(svg, curve, colour)
        _legend(svg, number, name, colour)
    for name, balance in marks.items():
        _mark(svg, name, balance)
    return ET.tostring(svg, encoding="unicode") + "\n"


def x_of(dead_air_s: float) -> float:
    """Where seconds of dead air are drawn."""
    return _LEFT + dead_air_s / MOST_S * (WIDTH - _LEFT - _RIGHT)


def y_of(share: float) -> float:
    """Where a share of cut-offs (0 to 1) is drawn."""
    return HEIGHT - _BOTTOM - float(share**0.5) * (HEIGHT - _TOP - _BOTTOM)


def _axes(svg: ET.Element) -> None:
    goal = {"x": x_of(0), "y": y_of(GOAL_SHARE), "width": x_of(GOAL_S) - x_of(0), "height": y_of(0) - y_of(GOAL_SHARE)}
    ET.SubElement(svg, "rect", {"class": "goal", **{name: f"{value:.1f}" for name, value in goal.items()}})
    for seconds in _TICKS_S:
        _grid(svg, x_of(seconds), y_of(1), x_of(seconds), y_of(0))
        _text(svg, x_of(seconds), y_of(0) + 18, f"{seconds:g}", anchor="middle", kind="small")
    for share in _TICKS_SHARE:
        _grid(svg, x_of(0), y_of(share), x_of(MOST_S), y_of(share))
        _text(svg, x_of(0) - 8, y_of(share) + 4, f"{share:.0%}", anchor="end", kind="small")
    _text(svg, x_of(MOST_S / 2), HEIGHT - 16, "median dead air after the answer, seconds", anchor="middle")
    _text(svg, 8, _TOP - 6, "answers cut off", kind="small")


def _line(svg: ET.Element, curve: Curve, colour: str) -> None:
    seen = [each for _, each in curve if each.median_dead_air_s <= MOST_S]
    places = " ".join(f"{x_of(each.median_dead_air_s):.1f},{y_of(each.cut_share):.1f}" for each in seen)
    ET.SubElement(svg, "polyline", {"points": places, "fill": "none", "stroke": colour, "stroke-width": "2"})
    for each in seen:
        _dot(svg, each, colour, 2.5)


def _mark(svg: ET.Element, name: str, balance: Balance) -> None:
    if balance.median_dead_air_s > MOST_S:
        return
    _dot(svg, balance, "#cf222e", 5)
    _text(svg, x_of(balance.median_dead_air_s) + 9, y_of(balance.cut_share) - 7, name, kind="small")


def _dot(svg: ET.Element, balance: Balance, colour: str, radius: float) -> None:
    place = {"cx": f"{x_of(balance.median_dead_air_s):.1f}", "cy": f"{y_of(balance.cut_share):.1f}"}
    ET.SubElement(svg, "circle", {**place, "r": f"{radius:g}", "fill": colour})


def _legend(svg: ET.Element, number: int, name: str, colour: str) -> None:
    y = _TOP + 14 + 20 * number
    ET.SubElement(svg, "rect", {"x": str(WIDTH - 190), "y": str(y - 9), "width": "22", "height": "4", "fill": colour})
    _text(svg, WIDTH - 160, y, name, kind="small")


def _grid(svg: ET.Element, x1: float, y1: float, x2: float, y2: float) -> None:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    ET.SubElement(svg, "line", {"class": "grid", **{name: f"{value:.1f}" for name, value in ends.items()}})


def _text(svg: ET.Element, x: float, y: float, text: str, *, anchor: str = "start", kind: str = "") -> None:
    made = ET.SubElement(svg, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "class": kind})
    made.text = text
