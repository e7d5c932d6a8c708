import { describe, expect, it } from "vitest";
import { clockTime, dateText, plural, remainingText, scoreText, sentenceCase, spokenTime, words } from "../src/shared/format";
import { questionsForMinutes } from "../src/shared/plan";

describe("times", () => {
  it.each([
    [0, "0:00"],
    [9.99, "0:09"],
    [83.4, "1:23"],
    [3599.9, "59:59"],
    [3723, "1:02:03"],
    [-2, "0:00"],
  ])("%d s on a clock is %s", (seconds, text) => expect(clockTime(seconds)).toBe(text));

  it.each([
    [0, "0 seconds"],
    [1, "1 second"],
    [83, "1 minute 23 seconds"],
    [3660, "1 hour 1 minute"],
  ])("%d s read aloud is %s", (seconds, text) => expect(spokenTime(seconds)).toBe(text));

  it.each([
    [1200, "About 20 minutes left"],
    [1141, "About 20 minutes left"],
    [61, "About 2 minutes left"],
    [60, "Less than a minute left"],
    [0, "Time is up"],
    [-5, "Time is up"],
  ])("%d s left is said without ticking: %s", (seconds, text) => expect(remainingText(seconds)).toBe(text));

  it("shows a date in the reader's language", () => {
    expect(dateText(1_700_000_000, "en-GB", "UTC")).toBe("14 Nov 2023, 22:13");
  });
});

describe("numbers and words", () => {
  it("does not show a missing score as zero", () => {
    expect(scoreText(null)).toBe("not scored");
    expect(scoreText(0)).toBe("0.0");
    expect(scoreText(7.25)).toBe("7.3");
  });

  it("counts", () => {
    expect([plural(0, "question"), plural(1, "question"), plural(2, "question")]).toEqual(["0 questions", "1 question", "2 questions"]);
  });

  it("turns names of the record into words", () => {
    expect(sentenceCase(words("gradient-descent_methods"))).toBe("Gradient descent methods");
  });
});

describe("questions for minutes", () => {
  it.each([
    [5, 5],
    [20, 5],
    [23, 5],
    [24, 6],
    [30, 7],
    [48, 12],
    [60, 12],
  ])("%d minutes are %d questions", (minutes, questions) => expect(questionsForMinutes(minutes)).toBe(questions));
});
