/** How far the interview is, from its events. */

import type { EndReason, InterviewEvent } from "../shared/schema";

export interface Progress {
  /** The question that stands, as it was put; empty before the first. */
  readonly question: string;
  /** How many different questions were put. */
  readonly asked: number;
  /** When the interview's time is over, in seconds since the epoch by the server's clock; null before it began. */
  readonly deadline: number | null;
  readonly ended: EndReason | null;
}

export function progressOf(events: readonly InterviewEvent[], minutes: number): Progress {
  const asked = new Set<string>();
  let question = "";
  let deadline: number | null = null;
  let ended: EndReason | null = null;
  for (const event of events) {
    if (event.kind === "interview_started") deadline ??= event.at + minutes * 60;
    else if (event.kind === "supervised") deadline = event.at + event.remaining_s;
    else if (event.kind === "interview_ended") ended = event.reason;
    else if (event.kind === "speech_started" && event.speech === "question") {
      asked.add(event.question_id);
      question = event.text;
    }
  }
  return { question, asked: asked.size, deadline, ended };
}

/** `Question 2 of about 5`: follow-ups count, and who answers briefly is asked more than was planned. */
export function progressText(asked: number, planned: number): string {
  if (asked === 0) return `About ${planned} questions`;
  return asked > planned ? `Question ${asked}` : `Question ${asked} of about ${planned}`;
}
