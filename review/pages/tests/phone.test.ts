import { describe, expect, it } from "vitest";
import { callText, cameToNothing, outcomeText } from "../src/start/booked-calls";
import { grouped, spelled } from "../src/start/pin-view";

describe("a PIN", () => {
  it("is read digit by digit, and seen in groups", () => {
    expect(spelled("700099")).toBe("7 0 0 0 9 9");
    expect(["700099", "12345678", "1234", "1234567"].map(grouped)).toEqual([
      "700\u00a0099",
      "1234\u00a05678",
      "1234",
      "12\u00a034\u00a056\u00a07",
    ]);
  });
});

describe("a booked call", () => {
  it("is named by whom it is for", () => {
    const call = { number: "030 12", at: 0, candidate_name: "Ada" };
    expect(callText(call).startsWith("Ada, 030 12, ")).toBe(true);
    expect(callText({ ...call, candidate_name: "" }).startsWith("030 12, ")).toBe(true);
  });

  it("says what became of it, and why where that is not plain", () => {
    expect(outcomeText({ state: "waiting", why: "" })).toBe("waits for its time");
    expect(outcomeText({ state: "waiting", why: "The line is busy." })).toBe("waits for its time: The line is busy.");
    expect(outcomeText({ state: "missed", why: "Viva was not running." })).toBe("missed: Viva was not running.");
    expect(outcomeText({ state: "held", why: "An interview was begun." })).toBe("held");
  });

  it("stands out when somebody waited for it in vain", () => {
    const states = ["waiting", "calling", "answered", "held", "unheard", "missed", "given-up", "cancelled"] as const;
    expect(states.filter((state) => cameToNothing({ state }))).toEqual(["unheard", "missed", "given-up"]);
  });
});
