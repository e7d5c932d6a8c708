/** Where in the transcript a moment of the recording is. Times are seconds on the recording's time line. */

import type { Entry, TranscriptWord } from "../shared/schema";

/** A pause shorter than this does not take the highlight from a word: it would flicker. */
const SHORT_PAUSE_S = 0.4;

/** Index of the last item that starts at or before `time`, or -1. Items are in the order of their starts. */
export function lastStarted(items: readonly { readonly start_s: number }[], time: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start_s ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Index of the word that is being said, or -1 in a pause. */
export function wordAt(words: readonly TranscriptWord[], time: number): number {
  const index = lastStarted(words, time);
  const word = words[index];
  return word !== undefined && time < word.end_s + SHORT_PAUSE_S ? index : -1;
}

/**
 * Index of the entry that is being said, or -1 when nobody speaks. Of two voices at once it is the one that began
 * later: whoever interrupts is the news.
 */
export function entryAt(entries: readonly Entry[], time: number): number {
  for (let index = lastStarted(entries, time); index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry !== undefined && time < Math.max(entry.end_s, entry.start_s) + SHORT_PAUSE_S) return index;
  }
  return -1;
}

/** A stretch of sound in one speaker's lane. */
export interface TalkBar {
  readonly speaker: Entry["speaker"];
  readonly start_s: number;
  readonly end_s: number;
}

/** Who talks when: an entry is one bar, or several where its words have times and pauses between them. */
export function talkBars(entries: readonly Entry[]): readonly TalkBar[] {
  return entries.flatMap((entry) => {
    const spans = entry.words.length > 0 ? entry.words : [entry];
    const bars: { speaker: Entry["speaker"]; start_s: number; end_s: number }[] = [];
    for (const { start_s, end_s } of spans) {
      const last = bars.at(-1);
      if (last !== undefined && start_s - last.end_s < SHORT_PAUSE_S) last.end_s = Math.max(last.end_s, end_s);
      else bars.push({ speaker: entry.speaker, start_s, end_s });
    }
    return bars;
  });
}

/** A time that lies within the recording. */
export function within(time: number, duration: number): number {
  return Math.max(0, Math.min(duration, time));
}
