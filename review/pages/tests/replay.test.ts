import { describe, expect, it } from "vitest";
import { answerTags, changeText, contestText, feedbackFate, reviewText } from "../src/replay/answer-view";
import { entryLabels } from "../src/replay/entry-label";
import { byQuestion, topicName } from "../src/replay/findings-view";
import { aFinding, anAnswer, anEntry } from "./samples";

describe("a verdict that better words changed", () => {
  it("is told as it was and as it is", () => {
    expect(changeText({ point: "It is near.", first: "missing", now: "covered" })).toBe("It is near. First missing, now covered.");
  });

  it("is a misconception where one of the two had no verdict", () => {
    const taken_back = changeText({ point: "It is far.", first: "contradicted", now: null });
    expect(taken_back).toBe("It is far. First misconception, now misconception not stated.");
  });
});

describe("what stands beside a name in the transcript", () => {
  it("is nothing for a plain answer and for what belongs to no turn", () => {
    expect(entryLabels(anEntry())).toEqual([]);
    expect(entryLabels(anEntry({ kind: "utterance" }))).toEqual([]);
  });

  it("is the kind of the interviewer's speech, and that it was cut off", () => {
    expect(entryLabels(anEntry({ speaker: "interviewer", kind: "question", interrupted: true }))).toEqual(["question", "interrupted"]);
    expect(entryLabels(anEntry({ speaker: "interviewer", kind: "reply" }))).toEqual([]);
  });

  it("is the request, with a doubt where the interviewer had one", () => {
    expect(entryLabels(anEntry({ kind: "hint" }))).toEqual(["asked for a hint"]);
    expect(entryLabels(anEntry({ kind: "skip", unsure: true }))).toEqual(["perhaps asked to skip"]);
  });

  it("has no doubt about a request that was granted", () => {
    expect(entryLabels(anEntry({ kind: "hold", unsure: false }))).toEqual(["asked for time"]);
  });

  it("tells the parts of an answer, and that some words are not judged", () => {
    const words = [{ text: "so", start_s: 0, end_s: 1, left_out: true }];
    expect(entryLabels(anEntry({ kind: "hint", part: 1, parts: 2, words }))).toEqual(["answer, part 1 of 2", "asked for a hint", "judged in part"]);
  });
});

describe("how an answer came about", () => {
  const part = (turn: number) => ({ turn, text: "x", start_s: null, end_s: null });

  it("is its difficulty alone where nothing happened", () => expect(answerTags(anAnswer())).toEqual(["medium"]));

  it("names hints, turns, corrections and the fallback", () => {
    const answer = anAnswer({ question_kind: "follow_up", hints: 2, parts: [part(1), part(2)], before_correction: anAnswer(), fallback: true });
    expect(answerTags(answer)).toEqual(["medium", "follow-up", "after 2 hints", "over 2 turns", "corrected", "fallback judge"]);
  });

  it("names judges that differ and verdicts that were contested", () => {
    const contests = [{ note: "n", by: "", points: [], judge: "person" }];
    expect(answerTags(anAnswer({ drift: true, contests }))).toEqual(["medium", "judges differ", "contested"]);
  });

  it("says that better words changed a verdict, and not that they changed none", () => {
    const first_heard = "a cash";
    const changed = [{ point: "It is near.", first: "missing", now: "covered" } as const];
    expect(answerTags(anAnswer({ heard_again: { first_heard, changed } }))).toEqual(["medium", "judged by better words"]);
    expect(answerTags(anAnswer({ heard_again: { first_heard, changed: [] } }))).toEqual(["medium"]);
  });

  it("does not call two parts of one turn two turns", () => {
    expect(answerTags(anAnswer({ parts: [part(3), part(3)] }))).toEqual(["medium"]);
  });
});

describe("what a person said against a verdict", () => {
  const contest = { note: "I said so.", by: "Grace", points: [], judge: "person" };

  it("says who, and why", () => expect(contestText(contest)).toBe("Grace contested the verdicts: “I said so.”"));

  it("says which judge looked again", () => {
    expect(contestText({ ...contest, by: "", judge: "built-in" })).toBe("A person contested the verdicts, and built-in judged again: “I said so.”");
  });
});

describe("a person's review", () => {
  const review = { why: "The judge failed.", released: true, by: "Grace", note: "It fits." };

  it("is told with its reason and its note", () => {
    expect(reviewText(review)).toBe("Grace looked at this answer (The judge failed): “It fits.”");
    expect(reviewText({ why: "", released: true, by: "", note: "" })).toBe("A person looked at this answer.");
  });

  it("is missed where nobody came", () => {
    expect(reviewText({ ...review, released: false })).toBe("A person was to look at this answer (The judge failed), and nobody has done so.");
  });
});

describe("feedback", () => {
  it.each([
    ["", "voice", "kept for this report"],
    ["Good.", "voice", "spoken in part"],
    ["Good. Go on.", "voice", "as it was spoken"],
    ["Good. Go on.", "text", "as it was written to the candidate"],
  ] as const)("heard as %j by %s is %s", (feedback_heard, medium, fate) => {
    expect(feedbackFate(anAnswer({ feedback: "Good. Go on.", feedback_heard }), { medium })).toBe(fate);
  });
});

describe("topics and points", () => {
  it("have the pack's title, or the id in words", () => {
    const report = { topic_titles: { "cap-theorem": "The CAP theorem" } };
    expect(topicName("cap-theorem", report)).toBe("The CAP theorem");
    expect(topicName("load-balancing", report)).toBe("Load balancing");
  });

  it("are practised question by question, in the order of the points", () => {
    const points = [aFinding({ question_id: "b", point: "1" }), aFinding({ question_id: "a", point: "2" }), aFinding({ question_id: "b", point: "3" })];
    expect(byQuestion(points).map((group) => group.map(({ point }) => point))).toEqual([["1", "3"], ["2"]]);
    expect(byQuestion([])).toEqual([]);
  });
});
