/** How a verdict is said and shown. Its meaning must not hang on a colour. */

import type { PointKind, VerdictStatus } from "../shared/schema";

export type Tone = "good" | "fair" | "bad" | "none";

export interface VerdictLook {
  readonly word: string;
  readonly tone: Tone;
  /** Lines in a 24 by 24 box. */
  readonly icon: string;
  /** What of the box is filled. */
  readonly filled?: string;
}

const TICK = "M5 12.5l4.5 4.5L19 7.5";
const LEFT_HALF = "M12 4a8 8 0 1 0 0 16z";
const RING = "M12 4a8 8 0 1 0 0 16a8 8 0 0 0 0-16z";
const CROSS = "M6.5 6.5l11 11M17.5 6.5l-11 11";
const ALERT = "M12 4L3 20h18zM12 10v4M12 17v.01";

const KEY_POINT: Record<VerdictStatus, VerdictLook> = {
  covered: { word: "Covered", tone: "good", icon: TICK },
  partly: { word: "Partly", tone: "fair", icon: RING, filled: LEFT_HALF },
  missing: { word: "Missing", tone: "none", icon: RING },
  contradicted: { word: "Contradicted", tone: "bad", icon: CROSS },
};

const MISCONCEPTION: VerdictLook = { word: "Misconception", tone: "bad", icon: ALERT };
const NOT_STATED: VerdictLook = { word: "Misconception not stated", tone: "none", icon: RING };

/**
 * A misconception has a verdict only when it was stated: its status is `contradicted` then, because what was said is
 * not so. It is `missing` after somebody contested it with success.
 */
export function verdictLook(kind: PointKind, status: VerdictStatus): VerdictLook {
  if (kind === "misconception") return status === "missing" ? NOT_STATED : MISCONCEPTION;
  return KEY_POINT[status];
}

/** How good a score from 0 to 10 is, by the bounds the report uses for strengths and areas for improvement. */
export function toneOfScore(score: number | null): Tone {
  if (score === null) return "none";
  if (score >= 7) return "good";
  return score >= 6 ? "fair" : "bad";
}
