import { describe, expect, it } from "vitest";
import { captionsAfter, recordedCaptions, turnsOf, type Caption, type CaptionEvent, type Speaker } from "../src/room/captions";
import type { InterviewEvent } from "../src/shared/schema";

const after = (events: readonly CaptionEvent[]): readonly Caption[] =>
  events.reduce<readonly Caption[]>(captionsAfter, []);
const opened = (segment: string, stream: string, speaker: Speaker): CaptionEvent => ({ kind: "opened", segment, stream, speaker });
const chunk = (segment: string, stream: string, text: string): CaptionEvent => ({ kind: "chunk", segment, stream, text });
const closed = (segment: string, stream: string, final: boolean): CaptionEvent => ({ kind: "closed", segment, stream, final });
/** One whole stream, as a recogniser sends an interim or a final text. */
const whole = (segment: string, stream: string, text: string, final: boolean): CaptionEvent[] => [
  opened(segment, stream, "candidate"),
  chunk(segment, stream, text),
  closed(segment, stream, final),
];

describe("captions", () => {
  it("adds the chunks of one stream up, and is final when the stream's end says so", () => {
    const events = [opened("a", "1", "interviewer"), chunk("a", "1", "Hello "), chunk("a", "1", "Ada.")];
    expect(after(events)[0]).toMatchObject({ text: "Hello Ada.", final: false });
    expect(after([...events, closed("a", "1", true)])[0]).toMatchObject({ text: "Hello Ada.", final: true });
  });

  it("replaces an interim text by the next one of the same segment", () => {
    const captions = after([
      ...whole("u", "1", "I come pear", false),
      ...whole("u", "2", "I compare the", false),
      ...whole("u", "3", "I compare the errors.", true),
    ]);
    expect(captions).toHaveLength(1);
    expect(captions[0]).toMatchObject({ text: "I compare the errors.", final: true, speaker: "candidate" });
  });

  it("keeps the older text readable until the newer stream says something", () => {
    const captions = after([...whole("u", "1", "I compare", false), opened("u", "2", "candidate")]);
    expect(captions[0]?.text).toBe("I compare");
  });

  it("ignores what an overtaken stream still sends", () => {
    const captions = after([
      opened("u", "1", "candidate"),
      ...whole("u", "2", "newer", true),
      chunk("u", "1", "older"),
      closed("u", "1", false),
    ]);
    expect(captions[0]).toMatchObject({ text: "newer", final: true });
  });

  it("shows two final texts of one segment once", () => {
    const captions = after([...whole("u", "1", "Yes.", true), ...whole("u", "2", "Yes.", true)]);
    expect(captions.map((caption) => caption.text)).toEqual(["Yes."]);
  });

  it("ignores chunks of a segment that it does not know", () => {
    expect(after([chunk("x", "1", "lost")])).toEqual([]);
  });

  it("keeps the latest few hundred segments of a long interview", () => {
    const events = Array.from({ length: 500 }, (_, index) => whole(String(index), "1", `word ${index}`, true)).flat();
    const captions = after(events);
    expect(captions.length).toBeLessThan(500);
    expect(captions.at(-1)?.text).toBe("word 499");
  });
});

describe("turns", () => {
  it("joins the segments of one speaker until the other speaks", () => {
    const captions = after([
      opened("a", "1", "interviewer"),
      chunk("a", "1", "Good."),
      opened("b", "2", "interviewer"),
      chunk("b", "2", "Next."),
      ...whole("u", "3", "Sure.", true),
    ]);
    expect(turnsOf(captions).map((turn) => [turn.speaker, turn.captions.map((caption) => caption.text)])).toEqual([
      ["interviewer", ["Good.", "Next."]],
      ["candidate", ["Sure."]],
    ]);
  });

  it("leaves out segments without words", () => {
    expect(turnsOf(after([opened("a", "1", "interviewer"), chunk("a", "1", "  ")]))).toEqual([]);
  });
});

describe("captions from the record", () => {
  const at = 1;
  const speech = { speech: "question", turn: 0, question_id: "q" } as const;
  const events: InterviewEvent[] = [
    { kind: "speech_started", at, ...speech, text: "How do you know that it overfits?" },
    { kind: "speech_ended", at, ...speech, heard: "How do you know", interrupted: true, words: [] },
    { kind: "utterance_heard", at, text: "The validation error rises.", words: [] },
  ];

  it("has the words that were really heard", () => {
    expect(recordedCaptions(events).map(({ speaker, text }) => [speaker, text])).toEqual([
      ["interviewer", "How do you know"],
      ["candidate", "The validation error rises."],
    ]);
  });

  it("has the speech that is going on", () => {
    const going: InterviewEvent = { kind: "speech_started", at, ...speech, text: "Why is that?" };
    expect(recordedCaptions([...events, going]).at(-1)).toMatchObject({ speaker: "interviewer", text: "Why is that?" });
  });
});
