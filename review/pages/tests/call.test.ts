/** What the replay page says of a call. */

import { expect, test } from "vitest";
import { callFacts } from "../src/replay/report-view";

const CALL = { calls: 1, number: "••••••••56", codec: "PCMA", loss: 0.0123, jitter_ms: 8.6, keys: { "1": 2, "9": 1 }, on_hold_s: 0 };

test("the line and the keys are told in words", () => {
  expect(callFacts(CALL)).toEqual([
    ["By phone", "••••••••56, PCMA"],
    ["The line", "1.2% of the packets lost, jitter 9 ms"],
    ["Keys pressed", "1 (2 times), 9"],
  ]);
});

test("what is not known is not told", () => {
  const bare = { calls: 2, number: "", codec: "", loss: null, jitter_ms: null, keys: {}, on_hold_s: 31.4 };
  expect(callFacts(bare)).toEqual([
    ["By phone", "2 calls"],
    ["Keys pressed", "none"],
    ["On hold", "31 s"],
  ]);
});
