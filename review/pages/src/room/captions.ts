/**
 * Live captions from text streams on the topic `lk.transcription`.
 *
 * A segment is one stretch of speech and may come as one stream that grows (the interviewer's, chunk by chunk) or
 * as several whole streams with the same segment id (a candidate's interim texts, each in place of the one before).
 * One rule covers both: chunks add up within a stream, and a newer stream replaces what an older one said.
 */

import type { InterviewEvent } from "../shared/schema";

export type Speaker = "interviewer" | "candidate";

export interface Caption {
  /** The segment's id. */
  readonly id: string;
  readonly speaker: Speaker;
  readonly text: string;
  /** False while words may still be added or replaced. */
  readonly final: boolean;
  /** The stream that may write; chunks of older streams come too late. */
  readonly stream: string;
  /** True until the stream's first chunk: the older text stays readable until there is something better. */
  readonly stale: boolean;
}

export type CaptionEvent =
  | { readonly kind: "opened"; readonly segment: string; readonly stream: string; readonly speaker: Speaker }
  | { readonly kind: "chunk"; readonly segment: string; readonly stream: string; readonly text: string }
  | { readonly kind: "closed"; readonly segment: string; readonly stream: string; readonly final: boolean };

/** What consecutive segments of one speaker make. */
export interface Turn {
  readonly speaker: Speaker;
  readonly captions: readonly Caption[];
}

/** Enough to scroll back over the interview so far, and few enough to stay quick. */
const KEPT = 300;

export function captionsAfter(captions: readonly Caption[], event: CaptionEvent): readonly Caption[] {
  switch (event.kind) {
    case "opened":
      return opened(captions, event.segment, event.stream, event.speaker);
    case "chunk":
      return changed(captions, event.segment, event.stream, (caption) => ({
        ...caption,
        text: caption.stale ? event.text : caption.text + event.text,
        stale: false,
      }));
    case "closed":
      return changed(captions, event.segment, event.stream, (caption) => ({ ...caption, final: event.final }));
  }
}

/**
 * What was said before this page was loaded, from the interview's events: a stream that began before somebody
 * joined is not sent to them.
 */
export function recordedCaptions(events: readonly InterviewEvent[]): readonly Caption[] {
  const captions: Caption[] = [];
  const add = (speaker: Speaker, text: string): void => {
    captions.push({ id: `recorded-${captions.length}`, speaker, text, final: true, stream: "", stale: false });
  };
  let speaking = "";
  for (const event of events) {
    if (event.kind === "utterance_heard") add("candidate", event.text);
    else if (event.kind === "speech_started") speaking = event.text;
    else if (event.kind === "speech_ended") {
      add("interviewer", event.heard);
      speaking = "";
    }
  }
  if (speaking !== "") add("interviewer", speaking);
  return captions.slice(-KEPT);
}

/** Captions with words in them, grouped by who speaks. */
export function turnsOf(captions: readonly Caption[]): readonly Turn[] {
  const turns: { speaker: Speaker; captions: Caption[] }[] = [];
  for (const caption of captions) {
    if (caption.text.trim() === "") continue;
    const last = turns.at(-1);
    if (last?.speaker === caption.speaker) last.captions.push(caption);
    else turns.push({ speaker: caption.speaker, captions: [caption] });
  }
  return turns;
}

function opened(captions: readonly Caption[], id: string, stream: string, speaker: Speaker): readonly Caption[] {
  if (captions.some((caption) => caption.id === id)) {
    return captions.map((caption) => (caption.id === id ? { ...caption, stream, stale: true, final: false } : caption));
  }
  const fresh: Caption = { id, speaker, text: "", final: false, stream, stale: true };
  return [...captions, fresh].slice(-KEPT);
}

function changed(
  captions: readonly Caption[],
  id: string,
  stream: string,
  change: (caption: Caption) => Caption,
): readonly Caption[] {
  return captions.map((caption) => (caption.id === id && caption.stream === stream ? change(caption) : caption));
}
