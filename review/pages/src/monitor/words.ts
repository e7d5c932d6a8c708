/** Words and numbers of the monitor as people read them. */

import type { MonitoredInterview, RuntimeState } from "../shared/schema";
import { clockTime, remainingText, words } from "../shared/format";

const PHASES: Record<RuntimeState["phase"], string> = {
  created: "Not begun: nobody is there yet",
  opening: "Opening: the interview is planned and the candidate greeted",
  listening: "Listening: the candidate has the word",
  working: "Working: the answer is being handled",
  speaking: "Speaking: the interviewer has the word",
  waiting_for_person: "Waiting for a person to look at this turn",
  ended: "Over",
};

export function phaseText(state: RuntimeState): string {
  if (state.phase === "ended" && state.end_reason !== null) return `Over: ${words(state.end_reason)}`;
  return PHASES[state.phase];
}

/** `0.0123` → `12 ms`, `1.234` → `1.2 s`. */
export function durationText(seconds: number): string {
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

/** Elapsed and remaining now; both stand still with the interview. */
export function clockText({ clock, phase }: RuntimeState, now: number): { elapsed: string; remaining: string } {
  const since = clock.runs ? Math.max(0, now - clock.as_of) : 0;
  const remaining = Math.max(0, clock.remaining_s - since);
  return {
    elapsed: clockTime(clock.elapsed_s + since),
    remaining: phase === "ended" ? "none, it is over" : `${clockTime(remaining)} (${remainingText(remaining).toLowerCase()})`,
  };
}

/** Time of day with seconds, in the reader's zone. */
export function timeOfDay(epochSeconds: number, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(epochSeconds * 1000));
}

const HOW: Record<MonitoredInterview["medium"], string> = { voice: "by voice", text: "by text", phone: "by phone" };

const FEEDBACK: Record<MonitoredInterview["feedback"], string> = {
  coach: "feedback that says what was missing",
  interviewer: "feedback that gives nothing away",
  exam: "feedback only in the report",
};

export function kindText(interview: MonitoredInterview): string {
  const documents = [interview.has_resume && "with a CV", interview.has_job_description && "for a particular job"].filter((each) => each !== false);
  return [HOW[interview.medium], FEEDBACK[interview.feedback], ...documents].join(", ");
}
