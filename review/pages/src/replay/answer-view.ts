/** One answer in the report: the question, the verdicts with the words they rest on, the scores, the feedback. */

import { el } from "../shared/dom";
import { scoreText, sentenceCase, words } from "../shared/format";
import type { Judgement, ReportedAnswer } from "../shared/report";
import { playButton, quote, scoreBar, scoreRow, verdictChip, type Play } from "./report-parts";
import { toneOfScore } from "./verdicts";

const QUESTION_KIND = { retrieved: "", follow_up: "follow-up", clarification: "clarification" } as const;

export function answerElement(answer: ReportedAnswer, number: number, play: Play): HTMLElement {
  return el(
    "article",
    { class: "card answer", id: `answer-${answer.turn}`, "data-testid": "answer", tabindex: -1 },
    header(answer, number),
    answer.answer !== "" && said(answer, play),
    verdicts(answer, play),
    scores(answer),
    feedback(answer),
  );
}

function header(answer: ReportedAnswer, number: number): HTMLElement {
  const kind = answer.question_kind === null ? "" : QUESTION_KIND[answer.question_kind];
  const tags = [sentenceCase(words(answer.topic)), answer.difficulty, kind].filter((tag) => tag !== "");
  return el(
    "header",
    { class: "answer-head" },
    el(
      "div",
      {},
      el("p", { class: "answer-tags" }, el("span", { class: "muted" }, `Question ${number}`), ...tags.map((tag) => el("span", { class: "tag" }, tag))),
      el("h3", {}, answer.question === "" ? "(the question was not recorded)" : answer.question),
    ),
    scoreBox(answer),
  );
}

function scoreBox(answer: ReportedAnswer): HTMLElement {
  if (answer.scores === null) {
    return el("div", { class: "answer-score none" }, el("strong", {}, answer.skipped ? "Skipped" : "Not scored"));
  }
  const { overall, low, high } = answer.scores;
  return el(
    "div",
    { class: `answer-score ${toneOfScore(overall)}` },
    el("strong", {}, scoreText(overall)),
    el("span", {}, `${scoreText(low)} to ${scoreText(high)}`),
  );
}

function said(answer: ReportedAnswer, play: Play): HTMLElement {
  return el(
    "details",
    { class: "said" },
    el("summary", {}, "The answer as it was heard"),
    el("p", {}, answer.answer),
    play !== null && answer.start_s !== null && playButton("listen", "Play this answer", answer.start_s, play),
  );
}

/** Misconceptions that nobody fell for are not worth a line each. */
function shown(judgement: Judgement): boolean {
  return judgement.kind === "key_point" || judgement.status !== "missing";
}

function verdicts(answer: ReportedAnswer, play: Play): HTMLElement | null {
  if (answer.not_scored !== "" && answer.scores === null) {
    return el("p", { class: "not-scored" }, `Not scored: ${answer.not_scored}`);
  }
  const list = answer.verdicts.filter(shown);
  if (list.length === 0) return null;
  return el("ul", { class: "verdicts" }, ...list.map((judgement) => verdictElement(judgement, play)));
}

function verdictElement(judgement: Judgement, play: Play): HTMLElement {
  const sure = `${Math.round(judgement.probability * 100)}% sure`;
  return el(
    "li",
    { class: "verdict-item" },
    verdictChip(judgement.kind, judgement.status),
    el(
      "div",
      { class: "verdict-text" },
      el("p", {}, judgement.point),
      quote(judgement, play),
      el("p", { class: "rule" }, judgement.rule === "" ? sentenceCase(sure) : `${sentenceCase(judgement.rule)} · ${sure}`),
    ),
  );
}

function scores(answer: ReportedAnswer): HTMLElement | null {
  if (answer.scores === null) return null;
  const { technical_accuracy, completeness, depth, clarity, overall, low, high } = answer.scores;
  return el(
    "details",
    { class: "score-details" },
    el("summary", {}, "Scores in detail"),
    el(
      "dl",
      { class: "score-rows" },
      scoreRow("Technical accuracy", technical_accuracy),
      scoreRow("Completeness", completeness),
      scoreRow("Depth", depth),
      scoreRow("Clarity", clarity),
      el("div", { class: "score-row" }, el("dt", {}, "Overall, with its interval"), el("dd", {}, scoreBar(overall, low, high), el("span", { class: "score-number" }, scoreText(overall)))),
    ),
    answer.fallback && el("p", { class: "rule" }, "The model judge failed here, and the built-in judge took over."),
  );
}

function feedback(answer: ReportedAnswer): HTMLElement | null {
  if (answer.feedback === "" && answer.feedback_heard === "") return null;
  const kept = answer.feedback_heard === "";
  const cut = !kept && answer.feedback_heard.length < answer.feedback.length;
  return el(
    "div",
    { class: "feedback" },
    el("h4", {}, "Feedback ", el("span", { class: "muted" }, kept ? "kept for this report" : cut ? "spoken in part" : "as it was spoken")),
    el("p", {}, answer.feedback === "" ? answer.feedback_heard : answer.feedback),
  );
}
