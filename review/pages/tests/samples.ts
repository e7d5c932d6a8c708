/** Made-up pieces of a report and a transcript, for tests that care about one of their fields. */

import type { Entry, Finding, ReportedAnswer } from "../src/shared/schema";

export function anEntry(fields: Partial<Entry> = {}): Entry {
  return {
    speaker: "candidate",
    kind: "answer",
    text: "",
    start_s: 0,
    end_s: 1,
    interrupted: false,
    turn: 1,
    question_id: "q",
    words: [],
    unsure: false,
    answer_turn: null,
    part: 0,
    parts: 0,
    ...fields,
  };
}

export function anAnswer(fields: Partial<ReportedAnswer> = {}): ReportedAnswer {
  return {
    turn: 1,
    question_id: "q",
    question: "Why?",
    question_kind: "retrieved",
    source: "plan",
    topic: "caching",
    difficulty: "medium",
    answer: "Because.",
    parts: [],
    start_s: 1,
    end_s: 2,
    skipped: false,
    hints: 0,
    verdicts: [],
    scores: null,
    metrics: null,
    not_scored: "",
    judge: "built-in",
    fallback: false,
    feedback: "",
    feedback_heard: "",
    thinking_s: null,
    waiting_s: null,
    review: null,
    drift: false,
    second_judge: "",
    second_verdicts: [],
    contests: [],
    before_contest: null,
    heard_again: null,
    before_correction: null,
    ...fields,
  };
}

export function aFinding(fields: Partial<Finding> = {}): Finding {
  return {
    topic: "caching",
    point: "A point",
    kind: "key_point",
    status: "missing",
    quote: null,
    start_s: null,
    end_s: null,
    probability: 0.9,
    rule: "",
    counts: null,
    told: null,
    turn: 1,
    question_id: "q",
    question: "Why?",
    ...fields,
  };
}
