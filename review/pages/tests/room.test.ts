import { DisconnectReason } from "livekit-client";
import { describe, expect, it } from "vitest";
import { lossOf, retryDelay } from "../src/room/connection";
import { progressOf, progressText } from "../src/room/progress";
import { stateOfAgent } from "../src/room/state";
import type { InterviewEvent } from "../src/shared/schema";

const question = (at: number, question_id: string, text: string): InterviewEvent => ({
  kind: "speech_started",
  at,
  speech: "question",
  text,
  turn: 1,
  question_id,
});
const supervised = (at: number, remaining_s: number): InterviewEvent => ({
  kind: "supervised",
  at,
  turn: 1,
  goes_on: true,
  end_reason: "",
  question_count: 1,
  difficulty: "medium",
  difficulty_reason: "",
  ema: null,
  remaining_s,
});

describe("progress", () => {
  it("knows nothing of time before the interview begins", () => {
    expect(progressOf([], 20)).toEqual({ question: "", asked: 0, deadline: null, ended: null });
  });

  it("counts from the first beginning, also after a crash", () => {
    const started = (at: number, resumed: boolean): InterviewEvent => ({ kind: "interview_started", at, judge: "built-in", resumed });
    expect(progressOf([started(100, false), started(400, true)], 20).deadline).toBe(1300);
  });

  it("trusts the supervisor's remaining time", () => {
    expect(progressOf([supervised(200, 300), supervised(260, 200)], 20).deadline).toBe(460);
  });

  it("counts a question that is asked again once", () => {
    const progress = progressOf([question(1, "a", "First?"), question(2, "a", "First?"), question(3, "b", "Second?")], 20);
    expect(progress).toMatchObject({ question: "Second?", asked: 2 });
  });

  it("sees the end", () => {
    expect(progressOf([{ kind: "interview_ended", at: 9, reason: "time_up" }], 20).ended).toBe("time_up");
  });

  it("does not count past the plan when follow-ups come", () => {
    expect([progressText(0, 5), progressText(2, 5), progressText(6, 5)]).toEqual([
      "About 5 questions",
      "Question 2 of about 5",
      "Question 6",
    ]);
  });
});

describe("connection", () => {
  it.each([
    [DisconnectReason.CLIENT_INITIATED, "left"],
    [DisconnectReason.DUPLICATE_IDENTITY, "elsewhere"],
    [DisconnectReason.ROOM_DELETED, "closed"],
    [DisconnectReason.PARTICIPANT_REMOVED, "closed"],
    [DisconnectReason.SERVER_SHUTDOWN, "lost"],
    [undefined, "lost"],
  ] as const)("reason %s means %s", (reason, loss) => expect(lossOf(reason)).toBe(loss));

  it("tries again soon at first, and never less often than every 15 s", () => {
    expect([1, 2, 3, 4, 5, 50].map(retryDelay)).toEqual([1, 2, 4, 8, 15, 15]);
  });
});

it("shows what the interviewer does, and waits for one who has not begun", () => {
  expect(["speaking", "listening", "thinking", "initializing", undefined].map(stateOfAgent)).toEqual([
    "speaking",
    "listening",
    "thinking",
    "waiting",
    "waiting",
  ]);
});
