/** The transcript's JSON; `review/transcript.py` says more. Times are seconds on the recording's time line. */

import type { IntentDetected, SpeechKind } from "./events";

export interface TranscriptWord {
  readonly text: string;
  readonly start_s: number;
  readonly end_s: number;
}

export type EntryKind = SpeechKind | IntentDetected["intent"] | "utterance";

/** One stretch of speech. */
export interface Entry {
  readonly speaker: "interviewer" | "candidate";
  readonly kind: EntryKind;
  /** What was heard: of an interrupted sentence only the part before the interruption. */
  readonly text: string;
  readonly start_s: number;
  readonly end_s: number;
  readonly interrupted: boolean;
  readonly turn: number | null;
  readonly question_id: string;
  /** Empty where words have no times of their own. */
  readonly words: readonly TranscriptWord[];
}

export interface Transcript {
  /** True when second 0 is the recording's first sample. */
  readonly recorded: boolean;
  /** Second 0, in seconds since the epoch. */
  readonly started_at: number;
  readonly duration_s: number;
  readonly entries: readonly Entry[];
}
