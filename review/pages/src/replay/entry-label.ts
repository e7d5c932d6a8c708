/** What stands beside a speaker's name in the transcript. */

import type { Entry, EntryKind, Intent } from "../shared/schema";

const SPEECH: Partial<Record<EntryKind, string>> = {
  greeting: "greeting",
  feedback: "feedback",
  question: "question",
  closing: "closing",
};

const REQUEST: Record<Exclude<Intent, "answer">, string> = {
  repeat: "asked to repeat",
  rephrase: "asked for other words",
  clarify: "asked what is meant",
  hint: "asked for a hint",
  skip: "asked to skip",
  change_topic: "asked for another topic",
  easier: "asked for something easier",
  harder: "asked for something harder",
  technical_assessment: "asked for a technical assessment",
  about_resume: "asked for questions about their work",
  hold: "asked for time",
  go_on: "wanted to go on",
  correct_myself: "corrected an answer",
  how_am_i_doing: "asked how it is going",
  time_left: "asked for the time",
  slower: "asked for slower speech",
  faster: "asked for faster speech",
  more_patience: "asked not to be interrupted",
  less_patience: "asked for quicker answers",
  feedback_now: "asked for feedback after each answer",
  feedback_later: "asked for feedback at the end",
  feedback_coach: "asked to be told what was missing",
  feedback_interviewer: "asked that nothing be given away",
  stop: "asked to stop",
  distress: "seemed distressed",
  abuse: "was abusive",
  unintelligible: "could not be understood",
};

/** What the entry is, how it belongs to an answer, and whether it was cut off; nothing for what goes without saying. */
export function entryLabels(entry: Entry): readonly string[] {
  const labels: string[] = [];
  if (entry.parts > 0) labels.push(`answer, part ${entry.part} of ${entry.parts}`);
  const kind = kindLabel(entry);
  if (kind !== undefined) labels.push(kind);
  if (entry.words.some((word) => word.left_out)) labels.push("judged in part");
  if (entry.interrupted) labels.push("interrupted");
  return labels;
}

function kindLabel(entry: Entry): string | undefined {
  if (entry.speaker === "interviewer") return SPEECH[entry.kind];
  const request = (REQUEST as Partial<Record<EntryKind, string>>)[entry.kind];
  return request !== undefined && entry.unsure ? `perhaps ${request}` : request;
}
