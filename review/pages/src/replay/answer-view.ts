/** One answer in the report: the question, the verdicts with the words they rest on, the scores, the feedback. */

import { el } from "../shared/dom";
import { plural, scoreText, sentenceCase } from "../shared/format";
import type { ChangedVerdict, Contest, FirstJudgement, HeardAgain, HumanReview, PlacedVerdict, Report, ReportedAnswer, SaidPart } from "../shared/schema";
import { topicName } from "./findings-view";
import { playButton, quote, scoreBar, scoreRow, verdictChip, type Play } from "./report-parts";
import { toneOfScore, verdictLook } from "./verdicts";

const QUESTION_KIND = { retrieved: "", follow_up: "follow-up", clarification: "clarification" } as const;

interface Place {
  /** The answer's number in the report, from 1. */
  readonly number: number;
  readonly report: Report;
  readonly play: Play;
}

export function answerElement(answer: ReportedAnswer, place: Place): HTMLElement {
  const { report, play } = place;
  return el(
    "article",
    { class: "card answer", id: `answer-${answer.turn}`, "data-testid": "answer", tabindex: -1 },
    header(answer, place),
    answer.answer !== "" && said(answer, report, play),
    answer.heard_again !== null && heardAgain(answer.heard_again),
    answer.review !== null && el("p", { class: "aside", "data-testid": "review" }, reviewText(answer.review)),
    ...answer.contests.map((contest) => el("p", { class: "aside", "data-testid": "contest" }, contestText(contest))),
    verdicts(answer, play),
    answer.drift && secondJudge(answer, play),
    answer.before_contest !== null && beforeContest(answer.before_contest, play),
    scores(answer),
    feedback(answer, report),
    answer.before_correction !== null && beforeCorrection(answer.before_correction, report, play),
  );
}

function header(answer: ReportedAnswer, { number, report }: Place): HTMLElement {
  const tags = [topicName(answer.topic, report), ...answerTags(answer)].filter((tag) => tag !== "");
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

/** How the question was, and how the answer came about. */
export function answerTags(answer: ReportedAnswer): readonly string[] {
  const turns = new Set(answer.parts.map((part) => part.turn)).size;
  return [
    answer.difficulty,
    answer.question_kind === null ? "" : QUESTION_KIND[answer.question_kind],
    answer.hints > 0 ? `after ${plural(answer.hints, "hint")}` : "",
    turns > 1 ? `over ${plural(turns, "turn")}` : "",
    answer.before_correction === null ? "" : "corrected",
    answer.fallback ? "fallback judge" : "",
    (answer.heard_again?.changed ?? []).length > 0 ? "judged by better words" : "",
    answer.drift ? "judges differ" : "",
    answer.contests.length > 0 ? "contested" : "",
  ].filter((tag) => tag !== "");
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

function said(answer: ReportedAnswer, report: Report, play: Play): HTMLElement {
  return el(
    "details",
    { class: "said" },
    el("summary", {}, `The answer as it was ${report.medium === "text" ? "written" : "heard"}`),
    el("p", {}, answer.answer),
    listening(answer, play),
  );
}

/** A button for the answer, or one for each part of it. */
function listening(answer: ReportedAnswer, play: Play): HTMLElement | null {
  if (play === null) return null;
  const places: readonly Pick<SaidPart, "start_s">[] = answer.parts.length > 1 ? answer.parts : [answer];
  const buttons = places.flatMap(({ start_s }, index) => {
    if (start_s === null) return [];
    return [playButton("listen", places.length > 1 ? `Play part ${index + 1}` : "Play this answer", start_s, play)];
  });
  return buttons.length > 0 ? el("div", { class: "listening" }, ...buttons) : null;
}

/** What a person said about the turn, or that nobody has. */
export function reviewText(review: HumanReview): string {
  const why = review.why === "" ? "" : ` (${review.why.replace(/\.$/, "")})`;
  if (!review.released) return `A person was to look at this answer${why}, and nobody has done so.`;
  const by = review.by === "" ? "A person" : review.by;
  return `${by} looked at this answer${why}${review.note === "" ? "." : `: “${review.note}”`}`;
}

/** Misconceptions that nobody fell for are not worth a line each. */
function shown(verdict: PlacedVerdict): boolean {
  return verdict.kind === "key_point" || verdict.status !== "missing";
}

/** What a person said against the verdict. */
export function contestText(contest: Contest): string {
  const by = contest.by === "" ? "A person" : contest.by;
  const again = contest.judge === "person" ? "" : `, and ${contest.judge} judged again`;
  return `${by} contested the verdicts${again}: “${contest.note}”`;
}

/** The verdicts of the judge that saw it differently. */
function secondJudge(answer: ReportedAnswer, play: Play): HTMLElement {
  return el(
    "details",
    { class: "before-correction", "data-testid": "second-judge" },
    el("summary", {}, `Judged differently by ${answer.second_judge}`),
    el("p", { class: "rule" }, `The two judges differ on more than half of the key points. The verdicts of ${answer.judge} count.`),
    verdictList(answer.second_verdicts, play),
  );
}

/** What the second decode changed: the words that were heard first, and the verdicts that rested on them. */
function heardAgain(again: HeardAgain): HTMLElement {
  const changed = again.changed.length;
  return el(
    "details",
    { class: "before-correction", "data-testid": "heard-again" },
    el("summary", {}, changed === 0 ? "Heard again with better words" : `Heard again: ${plural(changed, "verdict")} changed`),
    el("p", { class: "rule" }, "Once all of the answer was there it was recognised again as a whole. What was said aloud rests on these words:"),
    el("p", {}, again.first_heard),
    changed > 0 && el("ul", { class: "changes" }, ...again.changed.map((each) => el("li", {}, changeText(each)))),
  );
}

/** A verdict before and after. A misconception that was not stated had none. */
export function changeText({ point, first, now }: ChangedVerdict): string {
  const kind = first === null || now === null ? "misconception" : "key_point";
  const word = (status: ChangedVerdict["now"]): string => verdictLook(kind, status ?? "missing").word.toLowerCase();
  return `${point} First ${word(first)}, now ${word(now)}.`;
}

/** What was judged first: it counts no more. */
function beforeContest(first: FirstJudgement, play: Play): HTMLElement {
  const score = first.scores === null ? "not scored" : scoreText(first.scores.overall);
  return el(
    "details",
    { class: "before-correction", "data-testid": "before-contest" },
    el("summary", {}, `Before it was contested: ${score}, by ${first.judge}`),
    verdictList(first.verdicts, play),
  );
}

function verdicts(answer: ReportedAnswer, play: Play): HTMLElement | null {
  if (answer.not_scored !== "" && answer.scores === null) {
    return el("p", { class: "aside" }, `Not scored: ${answer.not_scored}`);
  }
  return verdictList(answer.verdicts, play);
}

function verdictList(verdicts: readonly PlacedVerdict[], play: Play): HTMLElement | null {
  const list = verdicts.filter(shown);
  if (list.length === 0) return null;
  return el("ul", { class: "verdicts" }, ...list.map((verdict) => verdictElement(verdict, play)));
}

function verdictElement(verdict: PlacedVerdict, play: Play): HTMLElement {
  const sure = `${Math.round(verdict.probability * 100)}% sure`;
  return el(
    "li",
    { class: "verdict-item" },
    verdictChip(verdict.kind, verdict.status),
    el(
      "div",
      { class: "verdict-text" },
      el("p", {}, verdict.point),
      quote(verdict, play),
      el("p", { class: "rule" }, verdict.rule === "" ? sentenceCase(sure) : `${sentenceCase(verdict.rule)} · ${sure}`),
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
    answer.fallback && el("p", { class: "rule" }, "The model judge failed here, and the built-in judge took over. This score is outside every average."),
  );
}

function feedback(answer: ReportedAnswer, report: Report): HTMLElement | null {
  if (answer.feedback === "" && answer.feedback_heard === "") return null;
  const text = answer.feedback === "" ? answer.feedback_heard : answer.feedback;
  return el(
    "div",
    { class: "feedback" },
    el("h4", {}, "Feedback ", el("span", { class: "muted" }, feedbackFate(answer, report))),
    el("p", {}, text),
  );
}

/** How the feedback reached the candidate. */
export function feedbackFate(answer: ReportedAnswer, report: Pick<Report, "medium">): string {
  if (answer.feedback_heard === "") return "kept for this report";
  if (report.medium === "text") return "as it was written to the candidate";
  return answer.feedback_heard.length < answer.feedback.length ? "spoken in part" : "as it was spoken";
}

/** The answer that the candidate corrected: to be read, but outside every average. */
function beforeCorrection(answer: ReportedAnswer, report: Report, play: Play): HTMLElement {
  const score = answer.scores === null ? "not scored" : scoreText(answer.scores.overall);
  return el(
    "details",
    { class: "before-correction", id: `answer-${answer.turn}`, "data-testid": "before-correction" },
    el("summary", {}, `Before the correction: ${score}, outside every average`),
    el("blockquote", {}, answer.answer),
    listening(answer, play),
    verdicts(answer, play),
    feedback(answer, report),
    answer.before_correction !== null && beforeCorrection(answer.before_correction, report, play),
  );
}
