import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as session from "../src/shared/session";

/** A browser's storage. */
function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

beforeEach(() => {
  vi.stubGlobal("localStorage", storage());
  vi.stubGlobal("sessionStorage", storage());
});

afterEach(() => vi.unstubAllGlobals());

describe("what a browser remembers", () => {
  const choices = { name: "Ada", pack: "backend", minutes: 30, feedback: "exam", difficulty: "hard" } as const;

  it("is what was chosen last, and no document", () => {
    session.rememberChoices({ ...choices, ...{ resume: "My résumé" } });
    expect(session.lastChoices()).toEqual(choices);
    expect(localStorage.getItem("viva.choices")).not.toContain("résumé");
  });

  it.each(["", "no json", "null", "3", '{"difficulty": "brutal", "feedback": "shout", "minutes": "30"}'])("is nothing that it does not understand: %j", (left) => {
    localStorage.setItem("viva.choices", left);
    expect(session.lastChoices()).toEqual({});
  });

  it("is the interview that this tab is in, until it is over", () => {
    expect(session.openInterview()).toBeNull();
    session.rememberInterview({ id: "1", key: "k" });
    expect(session.openInterview()).toEqual({ id: "1", key: "k" });
    session.forgetInterview();
    expect(session.openInterview()).toBeNull();
  });

  it("is the microphone, and whether the time is hidden", () => {
    expect([session.chosenMicrophone(), session.timeIsHidden()]).toEqual([undefined, false]);
    session.rememberMicrophone("usb");
    session.hideTime(true);
    expect([session.chosenMicrophone(), session.timeIsHidden()]).toEqual(["usb", true]);
  });
});
