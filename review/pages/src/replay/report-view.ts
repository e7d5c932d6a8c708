/** The report: what came out, what it rests on, what to do next. */

import { byId, el } from "../shared/dom";
import { clockTime, plural, scoreText } from "../shared/format";
import type { EndReason, Report, ReportedCall } from "../shared/schema";
import { answerElement } from "./answer-view";
import { gaps, practise, strengths, topicName } from "./findings-view";
import { bulletList, card, scoreBar, scoreRow, type Play } from "./report-parts";
import { toneOfScore } from "./verdicts";

const ENDS: Record<EndReason, string> = {
  completed: "All questions were asked",
  time_up: "The time was up",
  stopped: "Stopped by the candidate",
  candidate_left: "The candidate left",
  silence: "Nothing was heard any more",
  failed: "A failure ended it",
};

export function showReport(report: Report, play: Play): void {
  const parts = [
    overall(report),
    topics(report),
    strengths(report, play),
    gaps(report, play),
    report.notes.length > 0 && card("From who watched", bulletList(report.notes.map(notedText))),
    practise(report),
    answers(report, play),
    report.caveats.length > 0 && card("How to read these scores", bulletList(report.caveats)),
    problems(report),
  ];
  byId("report", HTMLElement).replaceChildren(...parts.filter((part) => part !== null && part !== false));
}

/** What somebody who watched noted, and about which answer. */
export function notedText({ answer, by, note }: Report["notes"][number]): string {
  return `${by}${answer === 0 ? "" : ` on answer ${answer}`}: “${note}”`;
}

function overall(report: Report): HTMLElement {
  const { overall_score: score, overall_low: low, overall_high: high } = report;
  const figure =
    score === null
      ? el("p", { class: "overall-number none" }, "Not scored")
      : el("p", { class: `overall-number ${toneOfScore(score)}`, "data-testid": "overall" }, el("strong", {}, scoreText(score)), el("span", {}, " of 10"));
  const between = low === null || high === null ? "" : `Between ${scoreText(low)} and ${scoreText(high)}: the less sure the judge was, the wider this range.`;
  return card(
    "Overall",
    el(
      "div",
      { class: "overall" },
      figure,
      score !== null && el("div", { class: "overall-bar" }, scoreBar(score, low, high), el("p", { class: "muted" }, between)),
    ),
    facts(report),
    report.performance_notes.length > 0 && bulletList(report.performance_notes),
  );
}

function facts(report: Report): HTMLElement {
  const shown: [string, string][] = [
    ["Questions", String(report.questions_asked)],
    ["Answers scored", report.answers_not_scored > 0 ? `${report.answers_scored}, ${report.answers_not_scored} not` : String(report.answers_scored)],
    ["Length", plural(Math.round(report.time_taken_minutes), "minute")],
  ];
  if (report.adjusted_score !== null) shown.push(["Weighted by difficulty", scoreText(report.adjusted_score)]);
  if (report.talk_share !== null) shown.push(["Candidate’s share of the talk", `${Math.round(report.talk_share * 100)}%`]);
  if (report.end_reason !== null) shown.push(["End", ENDS[report.end_reason]]);
  if (report.call !== null) shown.push(...callFacts(report.call));
  return el(
    "dl",
    { class: "facts" },
    ...shown.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );
}

/** What is known of the phone, in names and values. */
export function callFacts(call: ReportedCall): [string, string][] {
  const line = [call.number, call.codec, call.calls === 1 ? "" : plural(call.calls, "call")].filter((each) => each !== "");
  const quality = [
    call.loss === null ? "" : `${(100 * call.loss).toFixed(1)}% of the packets lost`,
    call.jitter_ms === null ? "" : `jitter ${Math.round(call.jitter_ms)} ms`,
  ].filter((each) => each !== "");
  const keys = Object.entries(call.keys).map(([key, times]) => (times === 1 ? key : `${key} (${times} times)`));
  const shown: [string, string][] = [["By phone", line.join(", ") || "number withheld"]];
  if (quality.length > 0) shown.push(["The line", quality.join(", ")]);
  shown.push(["Keys pressed", keys.join(", ") || "none"]);
  if (call.on_hold_s > 0) shown.push(["On hold", `${Math.round(call.on_hold_s)} s`]);
  return shown;
}

function topics(report: Report): HTMLElement | null {
  const scores = Object.entries(report.topic_scores);
  if (scores.length === 0) return null;
  const note = (topic: string): string | undefined => {
    if (report.strengths.includes(topic)) return "strength";
    return report.areas_for_improvement.includes(topic) ? "to improve" : undefined;
  };
  return card(
    "Topics",
    el("dl", { class: "score-rows" }, ...scores.map(([topic, score]) => scoreRow(topicName(topic, report), score, note(topic)))),
  );
}

function answers(report: Report, play: Play): HTMLElement | null {
  if (report.answers.length === 0) return null;
  return el(
    "section",
    { class: "answers" },
    el("h2", {}, "Answers"),
    ...report.answers.map((answer, index) => answerElement(answer, { number: index + 1, report, play })),
  );
}

function problems(report: Report): HTMLElement | null {
  if (report.problems.length === 0) return null;
  const time = (at_s: number): string => (report.medium === "text" ? "" : `${clockTime(at_s)}: `);
  return card(
    "What went wrong on our side",
    bulletList(report.problems.map((problem) => `${time(problem.at_s)}${problem.what} ${problem.advice}`.trim())),
  );
}
