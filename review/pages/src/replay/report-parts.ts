/** The small pieces that a report is made of. */

import { el, svg } from "../shared/dom";
import { clockTime, scoreText, spokenTime } from "../shared/format";
import type { PlacedVerdict, PointKind, VerdictStatus } from "../shared/schema";
import { toneOfScore, verdictLook } from "./verdicts";

/** Plays a moment of the recording; `null` where there is none to play. */
export type Play = ((time: number) => void) | null;

export function card(title: string, ...children: (Node | string | null | false)[]): HTMLElement {
  return el("section", { class: "card report-card" }, el("h2", {}, title), ...children);
}

export function bulletList(sentences: readonly string[]): HTMLElement {
  return el("ul", { class: "bullets" }, ...sentences.map((sentence) => el("li", {}, sentence)));
}

/** The score's bar from 0 to 10; with the interval's ends, the interval lies over it. */
export function scoreBar(score: number | null, low?: number | null, high?: number | null): HTMLElement {
  const bar = el("div", { class: `score-bar ${toneOfScore(score)}`, "aria-hidden": "true" }, el("span", { class: "score-fill" }));
  bar.style.setProperty("--score", String((score ?? 0) / 10));
  if (low !== null && low !== undefined && high !== null && high !== undefined) {
    const interval = el("span", { class: "score-interval" });
    interval.style.setProperty("--low", String(low / 10));
    interval.style.setProperty("--high", String(high / 10));
    bar.append(interval);
  }
  return bar;
}

/** A name, its bar, its number. */
export function scoreRow(name: string, score: number | null, note?: string): HTMLElement {
  return el(
    "div",
    { class: "score-row" },
    el("dt", {}, name, note !== undefined && el("span", { class: "tag" }, note)),
    el("dd", {}, scoreBar(score), el("span", { class: "score-number" }, scoreText(score))),
  );
}

/** The verdict by icon and word. */
export function verdictChip(kind: PointKind, status: VerdictStatus): HTMLElement {
  const look = verdictLook(kind, status);
  return el(
    "span",
    { class: `verdict ${look.tone}`, "data-status": status },
    svg(
      "svg",
      { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("path", { d: look.icon }),
      look.filled !== undefined && svg("path", { d: look.filled, fill: "currentcolor" }),
    ),
    look.word,
  );
}

/** What was said for a point, as a button that plays it. */
export function quote(said: Pick<PlacedVerdict, "quote" | "start_s">, play: Play): HTMLElement | null {
  if (said.quote === null) return null;
  const text = `“${said.quote.text}”`;
  const start = said.start_s;
  if (play === null || start === null) return el("q", { class: "quote still" }, said.quote.text);
  return playButton("quote", text, start, play);
}

export function playButton(style: string, text: string, start: number, play: (time: number) => void): HTMLElement {
  const button = el(
    "button",
    { class: style, type: "button", "data-testid": style, "data-start": start },
    svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M8 5l11 7-11 7z", fill: "currentcolor" })),
    el("span", {}, text),
    el("span", { class: "quote-time" }, el("span", { class: "visually-hidden" }, `Play from ${spokenTime(start)}`), el("span", { "aria-hidden": "true" }, clockTime(start))),
  );
  button.addEventListener("click", () => play(start));
  return button;
}
