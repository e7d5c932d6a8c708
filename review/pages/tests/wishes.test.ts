import { describe, expect, it } from "vitest";
import { addressOf, wishesOf } from "../src/shared/wishes";

describe("what an address asks the start page to have chosen", () => {
  it("is what the way from a report says", () => {
    const address = addressOf({ pack: "backend", topics: ["caching", "apis & more"] });
    expect(wishesOf(address.slice(1))).toEqual({ pack: "backend", topics: ["caching", "apis & more"] });
  });

  it("leaves out what is not understood", () => {
    expect(wishesOf("?difficulty=brutal&colour=red")).toEqual({ topics: [] });
    expect(wishesOf("?difficulty=hard")).toEqual({ difficulty: "hard", topics: [] });
  });
});
