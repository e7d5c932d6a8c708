import { describe, expect, it } from "vitest";
import type { InterviewSummary } from "../src/shared/schema";
import { titleOf, whatGoes } from "../src/start/history";

const HELD: InterviewSummary = {
  id: "a",
  candidate_name: "Ada",
  pack_title: "Backend",
  user_id: "ada",
  created_at: 1,
  minutes: 10,
  status: "ended",
  overall: 7,
  medium: "voice",
};
const UNREADABLE: InterviewSummary = { ...HELD, candidate_name: "", pack_title: "", minutes: 0, status: "unreadable", overall: null };

describe("what is deleted", () => {
  it("is named by its candidate and its pack", () => {
    expect(titleOf(HELD)).toBe("Ada, Backend");
    expect(whatGoes(HELD)).toBe("The record, the recording and the report of Ada's interview “Backend” will be gone for good.");
    expect(whatGoes({ ...HELD, medium: "text" })).toContain("The record, and the report of Ada's");
  });

  it("can be an interview of which nothing can be read", () => {
    expect(titleOf(UNREADABLE)).toBe("an interview");
    expect(whatGoes(UNREADABLE)).toBe("The record, the recording and the report of this interview will be gone for good.");
  });
});
