/** What the candidate waited for in each turn, beside what it may take. */

import { el } from "../shared/dom";
import { words } from "../shared/format";
import type { TurnLatency } from "../shared/schema";
import { durationText } from "./words";

/** The bar is so many budgets long; what is longer ends at its edge. */
const BAR_BUDGETS = 3;

export function latencyPanel(latencies: readonly TurnLatency[], byText: boolean): HTMLElement[] {
  const first = latencies[0];
  if (first === undefined) return [el("p", { class: "muted" }, "No answer yet.")];
  const from = byText ? "From sending an answer" : "From the end of speech";
  const heard = latencies.flatMap(({ first_sound_s }) => (first_sound_s === null ? [] : [first_sound_s]));
  const within = heard.filter((seconds) => seconds <= first.budget_s).length;
  return [
    el("p", {}, `${from} to the first ${byText ? "words" : "sound"}; the budget is ${durationText(first.budget_s)}. Within it: ${within} of ${heard.length}.`),
    el(
      "div",
      { class: "table-scroll", tabindex: 0, role: "group", "aria-label": "Waiting in each turn" },
      el(
        "table",
        { class: "latency" },
        el("thead", {}, el("tr", {}, ...["Turn", "", byText ? "First words" : "First sound", "Question"].map((name) => el("th", { scope: "col" }, name === "" ? el("span", { class: "visually-hidden" }, "Bar") : name)))),
        el("tbody", {}, ...[...latencies].reverse().map(latencyRow)),
      ),
    ),
    el(
      "p",
      { class: "legend muted" },
      ...[
        ["over", byText ? "taken up" : "until the answer counted as over"],
        ["judged", "judged"],
        ["rest", byText ? "worded" : "worded and spoken"],
        ["budget", "budget"],
      ].map(([style, text]) => el("span", {}, el("span", { class: `swatch ${style}` }), text)),
    ),
  ];
}

export function verdictOn({ first_sound_s, budget_s }: TurnLatency): "pending" | "within" | "late" {
  if (first_sound_s === null) return "pending";
  return first_sound_s <= budget_s ? "within" : "late";
}

/** Where each part of the bar ends, from 0 to 1. */
export function partsOf({ over_s, judged_s, first_sound_s, budget_s }: TurnLatency): { over: number; judged: number; rest: number } {
  const whole = BAR_BUDGETS * budget_s;
  const end = first_sound_s ?? Math.max(over_s, judged_s ?? 0);
  const place = (seconds: number): number => Math.min(1, Math.max(0, Math.min(seconds, end) / whole));
  return { over: place(over_s), judged: place(Math.max(over_s, judged_s ?? over_s)), rest: place(end) };
}

function latencyRow(latency: TurnLatency): HTMLElement {
  const parts = partsOf(latency);
  const bar = el("span", { class: "latency-bar", "aria-hidden": "true" }, ...(["rest", "judged", "over"] as const).map((name) => part(name, parts[name])), el("span", { class: "budget" }));
  bar.style.setProperty("--budget", String(1 / BAR_BUDGETS));
  const verdict = verdictOn(latency);
  const text = latency.first_sound_s === null ? "not yet" : `${durationText(latency.first_sound_s)} (${words(latency.first_sound)})${verdict === "late" ? ", late" : ""}`;
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, String(latency.turn)),
    el("td", { class: "bar-cell" }, bar),
    el("td", { class: `figure ${verdict}`, "data-testid": "first-sound" }, text),
    el("td", { class: "figure" }, latency.question_s === null ? "–" : durationText(latency.question_s)),
  );
}

function part(name: string, share: number): HTMLElement {
  const element = el("span", { class: `part ${name}` });
  element.style.setProperty("--share", String(share));
  return element;
}
