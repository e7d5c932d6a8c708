/** The report's JSON; `review/report_models.py` says more. Scores go from 0 to 10. */

import type { EndReason, Scores, VerdictStatus } from "./events";

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

export interface ReportedAnswer {
  readonly turn: number;
  readonly question_id: string;
  readonly question: string;
  readonly question_kind: "retrieved" | "follow_up" | "clarification" | null;
  readonly source: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly answer: string;
  readonly start_s: number | null;
  readonly end_s: number | null;
  readonly skipped: boolean;
  readonly verdicts: readonly Judgement[];
  readonly scores: Scores | null;
  /** Why there are no scores; empty when there are. */
  readonly not_scored: string;
  readonly judge: string;
  readonly fallback: boolean;
  readonly feedback: string;
  /** What of the feedback was spoken; empty when it was kept for the report. */
  readonly feedback_heard: string;
  readonly thinking_s: number | null;
  readonly waiting_s: number | null;
}

export interface MissedPoint {
  readonly point: string;
  readonly kind: PointKind;
  readonly status: VerdictStatus;
  readonly turn: number;
  readonly question_id: string;
  readonly question: string;
}

export interface Practice {
  readonly topic: string;
  readonly score: number | null;
  readonly points: readonly MissedPoint[];
}

export interface Problem {
  readonly at_s: number;
  readonly what: string;
  readonly advice: string;
}

export interface Report {
  readonly candidate_name: string;
  readonly pack_title: string;
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
  readonly topic_scores: Readonly<Record<string, number>>;
  readonly strengths: readonly string[];
  readonly areas_for_improvement: readonly string[];
  readonly performance_notes: readonly string[];
  readonly practise_next: readonly Practice[];
  readonly fallback_count: number;
  /** The candidate's part of all the talking, 0 to 1. */
  readonly talk_share: number | null;
  readonly answers: readonly ReportedAnswer[];
  readonly caveats: readonly string[];
  readonly problems: readonly Problem[];
  readonly end_reason: EndReason | null;
  readonly resumed: number;
  readonly recorded: boolean;
}
