/** The transcript's JSON; `review/transcript/build.py` says more. Times are seconds on the recording's time line. */

import type { Intent, Medium, SpeechKind } from "./events";

export interface TranscriptWord {
  readonly text: string;
  readonly start_s: number;
  readonly end_s: number;
  /** True in an answer for what is not judged with it: a request, or what was taken back. */
  readonly left_out: boolean;
}

export type EntryKind = SpeechKind | Intent | "utterance";

/** One stretch of speech, or one message. In an interview by text its times mean nothing to people. */
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
  /** True for a request that the interviewer was not sure of, and asked about. */
  readonly unsure: boolean;
  /** The turn whose judgement these words are part of. */
  readonly answer_turn: number | null;
  /** Which part of an answer that was given in several turns, from 1; 0 when it was given in one. */
  readonly part: number;
  readonly parts: number;
}

/** Something that nobody said, but that changed the interview. */
export interface Note {
  readonly kind: "plan" | "setting" | "review" | "voided";
  readonly text: string;
  readonly at_s: number;
  /** Index of the entry that it stands before. */
  readonly before_entry: number;
}

export interface Transcript {
  /** True when second 0 is the recording's first sample. */
  readonly recorded: boolean;
  /** Second 0, in seconds since the epoch. */
  readonly started_at: number;
  readonly duration_s: number;
  readonly entries: readonly Entry[];
  readonly notes: readonly Note[];
  readonly medium: Medium;
}
