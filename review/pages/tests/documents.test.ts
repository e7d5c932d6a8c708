import { describe, expect, it } from "vitest";
import { wantsOf } from "../src/start/documents";
import { linesOf, LISTS, namesOf, titleOf } from "../src/start/profile-form";

const JOB = { role: "", company: "", must_have: [], nice_to_have: [], seniority: null, years: null, made_by: "rules" };

describe("what is typed into a profile", () => {
  it("is taken apart at commas and line ends, each name once", () => {
    expect(namesOf(" Go, Rust ,\nCI/CD; Go,, ")).toEqual(["Go", "Rust", "CI/CD"]);
    expect(namesOf("  ")).toEqual([]);
  });

  it("is a line for each thing that was done, without its bullet", () => {
    expect(linesOf("- Built it.\n\n• Ran it.\n  * Sold it - twice.")).toEqual(["Built it.", "Ran it.", "Sold it - twice."]);
  });

  it("gives an entry its title", () => {
    const [projects, experience] = LISTS;
    if (projects === undefined || experience === undefined) throw new Error("there are lists");
    expect(titleOf({ ...projects.empty, name: "pgslow" } as never, projects)).toBe("pgslow");
    expect(titleOf({ ...experience.empty, employer: "Contoso", role: "Nurse" } as never, experience)).toBe("Contoso · Nurse");
    expect(titleOf(experience.empty, experience)).toBe("A new position");
  });
});

describe("what a job asks for", () => {
  it("is said in a sentence", () => {
    expect(wantsOf(JOB)).toBe("The job description was read.");
    expect(wantsOf({ ...JOB, role: "Nurse" })).toBe("Nurse.");
    expect(wantsOf({ ...JOB, role: "Developer", must_have: ["Go", "SQL"], nice_to_have: ["Rust"] })).toBe(
      "Developer: it asks for Go, SQL; it welcomes Rust.",
    );
  });
});
