import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Follower } from "../src/room/follower";
import type { InterviewEvent, Stored } from "../src/shared/schema";

const ROUND_MS = 2000;
const joined = (at: number): InterviewEvent => ({ kind: "candidate_joined", at, identity: "candidate" });
const stored = (seq: number): Stored => ({ seq, event: joined(seq) });

let answers: (readonly Stored[] | Error)[];
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  asked = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    const answer = answers.shift() ?? [];
    if (answer instanceof Error) throw answer;
    return Response.json(answer);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("who follows an interview", () => {
  it("is told what is new beside all that there was, and asks from there on", async () => {
    answers = [[stored(1), stored(4)], [], [stored(5)]];
    const told: [number, number][] = [];
    const follower = new Follower("x", (events, news) => told.push([events.length, news.length]));
    await follower.start();
    await vi.advanceTimersByTimeAsync(2 * ROUND_MS);
    expect(told).toEqual([[2, 2], [3, 1]]);
    expect(asked.map((path) => path.split("=")[1])).toEqual(["0", "4", "4"]);
  });

  it("goes on after a call that failed", async () => {
    answers = [new TypeError("gone"), [stored(1)]];
    const told = vi.fn();
    await new Follower("x", told).start();
    expect(told).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(ROUND_MS);
    expect(told).toHaveBeenCalledOnce();
  });

  it("asks no more when it is stopped", async () => {
    answers = [];
    const follower = new Follower("x", () => undefined);
    await follower.start();
    follower.stop();
    await vi.advanceTimersByTimeAsync(3 * ROUND_MS);
    await follower.start();
    expect(asked.length).toBe(1);
  });
});
