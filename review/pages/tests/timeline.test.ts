import { describe, expect, it } from "vitest";
import { entryAt, lastStarted, talkBars, within, wordAt } from "../src/replay/timeline";
import type { Entry, TranscriptWord } from "../src/shared/schema";
import { anEntry } from "./samples";

const word = (text: string, start_s: number, end_s: number): TranscriptWord => ({ text, start_s, end_s, left_out: false });
const entry = (speaker: Entry["speaker"], start_s: number, end_s: number, words: TranscriptWord[] = []): Entry =>
  anEntry({ speaker, kind: speaker === "candidate" ? "answer" : "question", start_s, end_s, words });

describe("which word is said", () => {
  const said = [word("the", 1, 1.2), word("error", 1.3, 1.7), word("rises", 3, 3.5)];

  it.each([
    [0, -1],
    [1, 0],
    [1.25, 0],
    [1.3, 1],
    [1.69, 1],
    [3.2, 2],
  ])("at %d s it is word %d", (time, index) => expect(wordAt(said, time)).toBe(index));

  it("is none in a pause, and none long after the end", () => {
    expect(wordAt(said, 2.5)).toBe(-1);
    expect(wordAt(said, 10)).toBe(-1);
  });

  it("is none where no word has a time", () => expect(wordAt([], 1)).toBe(-1));
});

describe("who speaks", () => {
  const entries = [entry("interviewer", 0, 5), entry("candidate", 4, 9), entry("interviewer", 20, 22)];

  it.each([
    [1, 0],
    [4.5, 1],
    [9.2, 1],
    [12, -1],
    [20, 2],
    [30, -1],
  ])("at %d s it is entry %d", (time, index) => expect(entryAt(entries, time)).toBe(index));

  it("comes back to a long entry after a short one inside it", () => {
    expect(entryAt([entry("interviewer", 0, 10), entry("candidate", 3, 4)], 6)).toBe(0);
  });
});

describe("lastStarted", () => {
  it("finds the same as a search from the front", () => {
    const items = [0, 0, 1, 2.5, 2.5, 7].map((start_s) => ({ start_s }));
    for (let time = -1; time < 9; time += 0.25) {
      expect(lastStarted(items, time)).toBe(items.findLastIndex((item) => item.start_s <= time));
    }
  });
});

describe("talk bars", () => {
  it("has one bar for speech without word times", () => {
    expect(talkBars([entry("interviewer", 2, 5)])).toEqual([{ speaker: "interviewer", start_s: 2, end_s: 5 }]);
  });

  it("shows the pauses between words", () => {
    const bars = talkBars([entry("candidate", 1, 6, [word("so", 1, 1.2), word("yes", 1.3, 2), word("well", 5, 6)])]);
    expect(bars.map(({ start_s, end_s }) => [start_s, end_s])).toEqual([
      [1, 2],
      [5, 6],
    ]);
  });
});

it("keeps a time within the recording", () => {
  expect([within(-3, 10), within(4, 10), within(12, 10)]).toEqual([0, 4, 10]);
});
