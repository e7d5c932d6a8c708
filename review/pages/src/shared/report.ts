/** The report's JSON; `review/report/models.py` says more. Scores go from 0 to 10. */

import type { EndReason, Medium, Scores, VerdictStatus } from "./events";

export type PointKind = "key_point" | "misconception";

export interface Judgement {
  readonly point: string;
  readonly kind: PointKind;
  readonly status: VerdictStatus;
  /** The candidate's words; empty when nothing was said about the point. */
  readonly quote: string;
  readonly start_s: number | null;
  readonly end_s: number | null;
  /** How sure the judge is, 0 to 1. */
  readonly probability: number;
  readonly rule: string;
}

/** A stretch of an answer that was given in several turns, or of which a part was taken back. */
export interface SaidPart {
  readonly turn: number;
  readonly text: string;
  readonly start_s: number | null;
  readonly end_s: number | null;
}

/** What a person said about a turn that one was asked to look at. */
export interface HumanReview {
  readonly why: string;
  /** False when nobody has looked at it. */
  readonly released: boolean;
  readonly by: string;
  readonly note: string;
}

/** What a person had to say against a judgement. */
export interface Contest {
  readonly note: string;
  readonly by: string;
  /** The points it is about; empty: all of them. */
  readonly points: readonly string[];
  /** Who judged again: `person`, or the judge's name. */
  readonly judge: string;
}

/** What was judged before it was contested. */
export interface FirstJudgement {
  readonly judge: string;
  readonly verdicts: readonly Judgement[];
  readonly scores: Scores | null;
  readonly not_scored: string;
}

export interface ReportedAnswer {
  readonly turn: number;
  readonly question_id: string;
  readonly question: string;
  readonly question_kind: "retrieved" | "follow_up" | "clarification" | null;
  readonly source: string;
  readonly topic: string;
  readonly difficulty: string;
  /** The whole answer; ` … ` where words between its parts do not belong to it. */
  readonly answer: string;
  /** Empty when it was said in one stretch. */
  readonly parts: readonly SaidPart[];
  readonly start_s: number | null;
  readonly end_s: number | null;
  readonly skipped: boolean;
  /** Hints that were given before it. */
  readonly hints: number;
  readonly verdicts: readonly Judgement[];
  readonly scores: Scores | null;
  /** Why there are no scores; empty when there are. */
  readonly not_scored: string;
  readonly judge: string;
  readonly fallback: boolean;
  /** The two judges differ on more than half of the key points. */
  readonly drift: boolean;
  readonly second_judge: string;
  readonly second_verdicts: readonly Judgement[];
  /** The verdicts and scores above are what stands after the last of them. */
  readonly contests: readonly Contest[];
  readonly before_contest: FirstJudgement | null;
  readonly feedback: string;
  /** What of the feedback was spoken; empty when it was kept for the report. */
  readonly feedback_heard: string;
  readonly thinking_s: number | null;
  readonly waiting_s: number | null;
  readonly review: HumanReview | null;
  /** The answer that the candidate corrected by this one; outside every average. */
  readonly before_correction: ReportedAnswer | null;
}

/** A point that was made or missed, with the words for it. */
export interface Finding {
  readonly topic: string;
  readonly point: string;
  readonly kind: PointKind;
  readonly status: VerdictStatus;
  /** The candidate's words; empty when nothing was said about the point. */
  readonly quote: string;
  readonly start_s: number | null;
  readonly end_s: number | null;
  readonly probability: number;
  /** The answer's turn. */
  readonly turn: number;
  readonly question_id: string;
  readonly question: string;
}

export interface Practice {
  readonly topic: string;
  readonly score: number | null;
  readonly points: readonly Finding[];
  /** Questions that were skipped. */
  readonly skipped: readonly string[];
}

export interface Problem {
  readonly at_s: number;
  readonly what: string;
  readonly advice: string;
}

export interface Report {
  readonly candidate_name: string;
  /** Id of the question pack; empty where the record does not say. */
  readonly pack: string;
  readonly pack_title: string;
  readonly medium: Medium;
  readonly overall_score: number | null;
  readonly overall_low: number | null;
  readonly overall_high: number | null;
  /** Weighted by the difficulty that was asked. */
  readonly adjusted_score: number | null;
  readonly questions_asked: number;
  readonly answers_scored: number;
  readonly answers_not_scored: number;
  readonly time_taken_minutes: number;
  readonly difficulty_progression: readonly string[];
  /** What people call each topic, by its id. */
  readonly topic_titles: Readonly<Record<string, string>>;
  readonly topic_scores: Readonly<Record<string, number>>;
  readonly strengths: readonly string[];
  readonly areas_for_improvement: readonly string[];
  /** The surest first, each with the candidate's words. */
  readonly best_points: readonly Finding[];
  /** The gravest first. */
  readonly gaps: readonly Finding[];
  readonly performance_notes: readonly string[];
  readonly practise_next: readonly Practice[];
  readonly fallback_count: number;
  /** The candidate's part of all the talking, 0 to 1; null where nobody talks. */
  readonly talk_share: number | null;
  readonly answers: readonly ReportedAnswer[];
  readonly caveats: readonly string[];
  readonly problems: readonly Problem[];
  readonly end_reason: EndReason | null;
  readonly resumed: number;
  readonly recorded: boolean;
}
