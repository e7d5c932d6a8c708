import { describe, expectTypeOf, it } from "vitest";
import type { Entry, InterviewEvent, InterviewRequest, Pack, Report, ReportedAnswer, Transcript } from "../src/shared/schema";

/** Checked by `npm run check`: what is wrong here does not compile. */
describe("the types that are made from the server's description", () => {
  type Of<Kind extends InterviewEvent["kind"]> = Extract<InterviewEvent, { kind: Kind }>;

  it("tell events apart by their kind", () => {
    expectTypeOf<Of<"answer_taken">["words"][number]["start_at"]>().toEqualTypeOf<number>();
    expectTypeOf<Of<"intent_detected">["asked"]>().toEqualTypeOf<boolean | null>();
    expectTypeOf<Of<"interview_ended">>().not.toHaveProperty("words");
  });

  it("have every field that is sent, also one with a default", () => {
    expectTypeOf<Transcript["notes"]>().not.toBeNullable();
    expectTypeOf<Entry["unsure"]>().toEqualTypeOf<boolean>();
  });

  it("let nothing be changed, however deep", () => {
    expectTypeOf<Report["caveats"]>().toEqualTypeOf<readonly string[]>();
    expectTypeOf<ReportedAnswer["parts"]>().not.toExtend<unknown[]>();
    expectTypeOf<Report["topic_scores"]>().toEqualTypeOf<{ readonly [topic: string]: number }>();
  });

  it("keep a field that is called like a word of the description's own", () => {
    expectTypeOf<Pack["topics"][number]["title"]>().toEqualTypeOf<string>();
  });

  it("ask for the whole of a request", () => {
    expectTypeOf<InterviewRequest["difficulty"]>().toEqualTypeOf<"easy" | "medium" | "hard">();
  });
});
