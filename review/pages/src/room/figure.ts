/** The interviewer as a calm figure: rings that breathe, a voice that moves, three dots that think. */

import { svg } from "../shared/dom";
import type { RoomState } from "./state";

const BARS = [0.45, 0.8, 1, 0.7, 0.4] as const;
const MIDDLE = 120;

export class Figure {
  readonly element: SVGSVGElement;
  #shown = 0;

  constructor() {
    this.element = svg(
      "svg",
      { class: "figure", viewBox: "0 0 240 240", "aria-hidden": "true", "data-state": "connecting" },
      svg("circle", { class: "figure-halo outer", cx: MIDDLE, cy: MIDDLE, r: 92 }),
      svg("circle", { class: "figure-halo inner", cx: MIDDLE, cy: MIDDLE, r: 78 }),
      svg("circle", { class: "figure-core", cx: MIDDLE, cy: MIDDLE, r: 62 }),
      svg("g", { class: "figure-voice" }, ...BARS.map(bar)),
      svg("g", { class: "figure-thought" }, ...[-20, 0, 20].map(dot)),
    );
  }

  show(state: RoomState): void {
    this.element.dataset["state"] = state;
  }

  /** The louder of both voices now, 0 to 1. It rises at once and falls slowly, as the eye expects of a voice. */
  hear(level: number): void {
    this.#shown = Math.max(level, this.#shown * 0.9);
    this.element.style.setProperty("--level", this.#shown.toFixed(3));
  }
}

function bar(height: number, index: number): SVGRectElement {
  const element = svg("rect", { x: MIDDLE - 31 + index * 13.5, y: MIDDLE - 32, width: 8, height: 64, rx: 4 });
  element.style.setProperty("--height", String(height));
  return element;
}

function dot(offset: number): SVGCircleElement {
  return svg("circle", { cx: MIDDLE + offset, cy: MIDDLE, r: 6 });
}
