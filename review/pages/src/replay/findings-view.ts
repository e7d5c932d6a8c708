/** Strengths, gaps and what to practise: each point with the words for it, to be played where they can be. */

import { el } from "../shared/dom";
import { plural, scoreText, sentenceCase, words } from "../shared/format";
import type { Finding, Practice, Report } from "../shared/schema";
import { addressOf } from "../shared/wishes";
import { card, quote, verdictChip, type Play } from "./report-parts";

/** Longer lists are folded: what comes first weighs most. */
export const SHOWN_AT_ONCE = 5;

export function strengths(report: Report, play: Play): HTMLElement | null {
  if (report.best_points.length === 0) return null;
  return card("What went well", ...findingList(report.best_points, report, play, "strengths"));
}

export function gaps(report: Report, play: Play): HTMLElement | null {
  if (report.gaps.length === 0) return null;
  return card("What was missing or wrong", ...findingList(report.gaps, report, play, "gaps"));
}

export function practise(report: Report): HTMLElement | null {
  if (report.practise_next.length === 0) return null;
  return card(
    "What to practise next",
    el("ul", { class: "practise", "data-testid": "practise" }, ...report.practise_next.map((practice) => practiceElement(practice, report))),
    again(report),
  );
}

/** The way to another interview about what was weak. */
function again({ pack, practise_next: next }: Report): HTMLElement | null {
  if (pack === "") return null;
  const address = addressOf({ pack, topics: next.map(({ topic }) => topic) });
  const text = next.length > 1 ? "Practise these topics" : "Practise this topic";
  return el("a", { class: "button primary again", href: address, "data-testid": "practise-again" }, text);
}

/** The topic as people read it; a report from before there were titles has ids only. */
export function topicName(topic: string, report: Pick<Report, "topic_titles">): string {
  return report.topic_titles[topic] ?? sentenceCase(words(topic));
}

/** Points by the question they were missed in, the questions in the points' order. */
export function byQuestion(points: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const point of points) {
    const group = groups.get(point.question_id);
    if (group === undefined) groups.set(point.question_id, [point]);
    else group.push(point);
  }
  return [...groups.values()];
}

function findingList(findings: readonly Finding[], report: Report, play: Play, name: string): HTMLElement[] {
  const list = (part: readonly Finding[]): HTMLElement =>
    el("ul", { class: "findings", "data-testid": name }, ...part.map((finding) => findingElement(finding, report, play)));
  const first = list(findings.slice(0, SHOWN_AT_ONCE));
  const rest = findings.slice(SHOWN_AT_ONCE);
  if (rest.length === 0) return [first];
  return [first, el("details", { class: "more" }, el("summary", {}, `${plural(rest.length, "more point")}`), list(rest))];
}

function findingElement(finding: Finding, report: Report, play: Play): HTMLElement {
  return el(
    "li",
    { class: "finding" },
    verdictChip(finding.kind, finding.status),
    el(
      "div",
      { class: "verdict-text" },
      el("p", {}, answerLink(finding, finding.point), " ", el("span", { class: "muted topic-of" }, topicName(finding.topic, report))),
      quote(finding, play) ?? el("p", { class: "rule" }, "Nothing was said about it."),
    ),
  );
}

function practiceElement(practice: Practice, report: Report): HTMLElement {
  return el(
    "li",
    {},
    el("h3", {}, topicName(practice.topic, report), " ", el("span", { class: "muted" }, scoreText(practice.score))),
    ...byQuestion(practice.points).map(questionElement),
    practice.skipped.length > 0 && skippedElement(practice.skipped),
  );
}

function questionElement(points: readonly Finding[]): HTMLElement {
  const first = points[0];
  return el(
    "div",
    { class: "practise-question" },
    first !== undefined && el("p", {}, answerLink(first, first.question === "" ? "This question" : first.question)),
    el("ul", { class: "bullets" }, ...points.map((point) => el("li", {}, practicePoint(point)))),
  );
}

function practicePoint(point: Finding): string {
  return point.kind === "misconception" ? `Why this is not so: ${point.point}` : point.point;
}

function skippedElement(questions: readonly string[]): HTMLElement {
  return el(
    "div",
    { class: "practise-question" },
    el("p", { class: "muted" }, "Skipped this time:"),
    el("ul", { class: "bullets" }, ...questions.map((question) => el("li", {}, question))),
  );
}

function answerLink(finding: Finding, text: string): HTMLElement {
  return el("a", { class: "answer-link", href: `#answer-${finding.turn}` }, text);
}
