/** The four panels: runtime state, scores, profile from the database, vector profile. */

import { scoreRow, verdictChip } from "../replay/report-parts";
import { el } from "../shared/dom";
import { dateText, plural, scoreText, sentenceCase, words } from "../shared/format";
import type { MonitoredInterview, MonitorSnapshot, RuntimeState } from "../shared/schema";
import { clockText } from "./words";

type Child = Node | string | null | false;

export function facts(...pairs: readonly (readonly [string, Child | readonly Child[]])[]): HTMLElement {
  const shown = pairs.filter(([, value]) => value !== "" && value !== null && value !== false);
  return el("dl", { class: "facts" }, ...shown.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, ...[value].flat(1)))));
}

export function statePanel(interview: MonitoredInterview, now: number): HTMLElement[] {
  const { state } = interview;
  const time = clockText(state, now);
  const parts = [
    questionPart(state),
    facts(
      ["Stage", state.stage === "" ? "none yet" : el("code", {}, state.stage)],
      ["Turn", turnText(state)],
      ["Questions done", `${state.questions_done} of ${state.target_questions || "?"}`],
      ["Elapsed", el("span", { id: "elapsed", class: "figure" }, time.elapsed)],
      ["Remaining", el("span", { id: "remaining", class: "figure" }, time.remaining)],
      ["Difficulty", state.difficulty],
      ["Average so far", state.ema === null ? "no score yet" : `${scoreText(state.ema)} of 10`],
      ["Judge", state.judge],
      ["Candidate", state.candidate_here === null ? "writes" : state.candidate_here ? "in the room" : "not in the room"],
      ["Problems", state.problems === 0 ? "none" : String(state.problems)],
    ),
  ];
  return [...parts, judgementPart(state)].filter((part) => part !== null);
}

/** Only the time has changed. */
export function tick(state: RuntimeState, now: number): void {
  const time = clockText(state, now);
  for (const name of ["elapsed", "remaining"] as const) {
    const place = document.getElementById(name);
    if (place !== null && place.textContent !== time[name]) place.textContent = time[name];
  }
}

function turnText(state: RuntimeState): string {
  if (state.turn === 0) return "none yet";
  return state.intent === "" || state.intent === "answer" ? String(state.turn) : `${state.turn}: ${words(state.intent)}`;
}

function questionPart({ question, phase }: RuntimeState): HTMLElement | null {
  if (question === null) return null;
  const tags = [question.topic, question.difficulty, words(question.kind), question.source === "" ? "" : `from ${words(question.source)}`];
  return el(
    "div",
    { class: "asked" },
    el("h3", {}, phase === "ended" ? "Last question" : "Open question"),
    el("p", { "data-testid": "question" }, question.text),
    el("p", { class: "tags" }, ...tags.filter((tag) => tag !== "").map((tag) => el("span", { class: "tag" }, tag))),
  );
}

function judgementPart({ judgement }: RuntimeState): HTMLElement | null {
  if (judgement === null) return null;
  const { verdicts, scores } = judgement;
  const score = scores === null ? `not scored: ${judgement.not_scored}` : `${scoreText(scores.overall)} of 10, between ${scoreText(scores.low)} and ${scoreText(scores.high)}`;
  return el(
    "div",
    { class: "judgement", "data-testid": "judgement" },
    el("h3", {}, `Last verdicts, turn ${judgement.turn}`),
    el("p", { class: "muted" }, `${score} (${judgement.judge}${judgement.fallback ? ", stood in for the model" : ""})`),
    el(
      "ul",
      { class: "verdict-list" },
      ...verdicts.map(({ kind, status, point, quote }) =>
        el("li", {}, verdictChip(kind, status), el("div", {}, point, quote !== null && el("q", { class: "said-words" }, quote.text))),
      ),
    ),
    judgement.feedback !== "" && el("p", { class: "feedback" }, judgement.feedback),
  );
}

export function scoresPanel({ person, interview }: MonitorSnapshot): HTMLElement[] {
  const sofar = person?.achievement ?? null;
  const marks = interview?.marks ?? null;
  return [
    el("h3", {}, "Academic summary"),
    sofar === null || sofar.interviews === 0
      ? el("p", { class: "muted" }, "No interview of theirs has been counted yet: one is when it has ended.")
      : el(
          "div",
          { "data-testid": "academic" },
          metricRows(sofar.technical_accuracy, sofar.reasoning_depth, sofar.communication_clarity, sofar.score_overall),
          el("p", { class: "muted" }, `${plural(sofar.interviews, "interview")}, ${plural(sofar.question_attempted, "question")} attempted, ${plural(sofar.answers_scored, "answer")} scored`),
        ),
    el("h3", {}, "This interview"),
    marks === null || marks.answers.length === 0
      ? el("p", { class: "muted" }, "No answer yet.")
      : el(
          "div",
          { "data-testid": "marks" },
          metricRows(marks.technical_accuracy, marks.reasoning_depth, marks.communication_clarity, marks.combined),
          answersTable(marks.answers),
        ),
  ];
}

function metricRows(accuracy: number | null, depth: number | null, clarity: number | null, together: number | null): HTMLElement {
  return el(
    "dl",
    { class: "score-rows" },
    scoreRow("Technical accuracy", accuracy),
    scoreRow("Reasoning depth", depth),
    scoreRow("Communication clarity", clarity),
    scoreRow("Together", together),
  );
}

function answersTable(answers: MonitoredInterview["marks"]["answers"]): HTMLElement {
  const head = ["Turn", "Topic", "Accuracy", "Depth", "Clarity"];
  const figure = (value: number | null): string => (value === null ? "–" : value.toFixed(1));
  return el(
    "div",
    { class: "table-scroll", tabindex: 0, role: "group", "aria-label": "Scores of each answer" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
      el(
        "tbody",
        {},
        ...answers.map((one) =>
          el(
            "tr",
            {},
            el("th", { scope: "row" }, String(one.turn)),
            el("td", {}, one.topic, one.not_scored !== "" && el("span", { class: "why" }, one.not_scored), one.not_scored === "" && !one.counts && el("span", { class: "why" }, "outside the means")),
            ...[one.technical_accuracy, one.reasoning_depth, one.communication_clarity].map((value) => el("td", { class: "figure" }, figure(value))),
          ),
        ),
      ),
    ),
  );
}

export function profilePanel({ person, profile_problem }: MonitorSnapshot): HTMLElement[] {
  if (profile_problem !== "") return [el("p", { class: "problem", role: "alert" }, profile_problem)];
  if (person === null) return [el("p", { class: "muted" }, "Nothing is kept of them yet. A profile begins with a CV that is read, or when an interview ends.")];
  const { profile } = person;
  const work = [...profile.experience.map((one) => [one.role, one.employer].filter((part) => part !== "").join(", ")), ...profile.projects.map((one) => one.name)];
  return [
    facts(
      ["Name", profile.name],
      ["Field", profile.domain],
      ["Years", profile.years === null ? "" : String(profile.years)],
      ["Changed", dateText(person.updated_at)],
    ),
    profile.summary !== "" && el("p", {}, profile.summary),
    tagList("Skills", profile.skills),
    tagList("Categories", profile.categories),
    tagList("Work and projects", work),
    tagList("Strengths", person.strengths),
    tagList("Weaknesses", person.weaknesses),
    person.edited.length > 0 && el("p", { class: "muted" }, `Corrected by themselves: ${person.edited.map(words).join(", ")}.`),
  ].filter((part) => part !== false && part !== null);
}

function tagList(title: string, names: readonly string[]): HTMLElement | null {
  if (names.length === 0) return null;
  return el("div", {}, el("h3", {}, title), el("ul", { class: "tags" }, ...names.map((name) => el("li", { class: "tag wrap" }, name))));
}

export function vectorPanel({ vector, user_id }: MonitorSnapshot): HTMLElement[] {
  if (vector === null) return [el("p", { class: "muted" }, `There is no vector profile_${user_id} yet: it is made when an interview ends, and anew with each change of the profile.`)];
  const pairs = Object.entries(vector.metadata).filter(([, value]) => value !== "").sort(([one], [other]) => one.localeCompare(other));
  return [
    el("p", {}, el("code", {}, vector.id), ` · ${plural(vector.dimensions, "dimension")}`),
    el(
      "dl",
      { class: "metadata" },
      ...pairs.map(([name, value]) => el("div", {}, el("dt", {}, sentenceCase(words(name))), el("dd", {}, name === "updated_at" ? dateText(Number(value)) : String(value)))),
    ),
  ];
}
