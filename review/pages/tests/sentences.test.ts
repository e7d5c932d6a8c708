import { describe, expect, it } from "vitest";
import { toneOfScore, verdictLook } from "../src/replay/verdicts";
import { problemOf } from "../src/shared/api";
import { levelOf } from "../src/shared/meter";
import { captureSettings, microphoneProblem } from "../src/shared/microphone";
import { unreadiness } from "../src/start/health";

const named = (name: string): Error => Object.assign(new Error("raw"), { name });

describe("problems as sentences", () => {
  it("shows the server's own sentence", () => {
    expect(problemOf(503, '{"detail": "The interviewer is not ready yet."}')).toBe("The interviewer is not ready yet.");
  });

  it("tells a refused, a missing and a busy microphone apart", () => {
    const sentences = ["NotAllowedError", "NotFoundError", "NotReadableError", "InsecureContextError", "Odd"].map((name) =>
      microphoneProblem(named(name)),
    );
    expect(new Set(sentences).size).toBe(5);
    expect(sentences[0]).toContain("allow");
    expect(sentences[4]).toContain("raw");
  });

  it("says what is not ready", () => {
    const health = { status: "ok", worker: true, livekit: true } as const;
    expect(unreadiness(health)).toBeNull();
    expect(unreadiness({ ...health, worker: false })).toContain("interviewer");
    expect(unreadiness({ ...health, livekit: false })).toContain("call server");
    expect(unreadiness(null)).toContain("does not answer");
  });
});

describe("verdicts", () => {
  it("are told apart by words and not by colour alone", () => {
    const statuses = ["covered", "partly", "missing", "contradicted"] as const;
    expect(statuses.map((status) => verdictLook("key_point", status).word)).toEqual(["Covered", "Partly", "Missing", "Contradicted"]);
    const looks = [...statuses.map((status) => verdictLook("key_point", status)), verdictLook("misconception", "contradicted")];
    expect(new Set(looks.map((look) => look.icon + (look.filled ?? ""))).size).toBe(5);
    expect(new Set(looks.map((look) => look.word)).size).toBe(5);
  });

  it("name a misconception that was stated, and never as something good", () => {
    expect(verdictLook("misconception", "contradicted")).toMatchObject({ word: "Misconception", tone: "bad" });
    expect(verdictLook("misconception", "missing")).toMatchObject({ word: "Misconception not stated", tone: "none" });
  });

  it("have no tone without a score", () => {
    expect([null, 0, 5.9, 6, 7].map(toneOfScore)).toEqual(["none", "bad", "bad", "fair", "good"]);
  });
});

describe("microphone", () => {
  it("cancels echo and noise, and prefers the chosen device without insisting on it", () => {
    expect(captureSettings(undefined)).toEqual({ echoCancellation: true, noiseSuppression: true, autoGainControl: true });
    expect(captureSettings("usb").deviceId).toEqual({ ideal: "usb" });
  });

  it("shows silence as nothing, a full tone as everything, and speech between", () => {
    const tone = (loudness: number): Float32Array => Float32Array.from({ length: 1024 }, (_, n) => loudness * Math.sin(n / 5));
    expect(levelOf(new Float32Array(1024))).toBe(0);
    expect(levelOf(new Float32Array(0))).toBe(0);
    expect(levelOf(tone(1))).toBe(1);
    expect(levelOf(tone(0.05))).toBeGreaterThan(0.4);
    expect(levelOf(tone(0.05))).toBeLessThan(0.8);
  });
});
