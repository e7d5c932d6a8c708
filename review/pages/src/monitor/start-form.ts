/** Begins an interview by text with a person: what is known of them is not asked for again. */

import { api, sentence } from "../shared/api";
import { el, labelled, show } from "../shared/dom";
import { plural } from "../shared/format";
import { MINUTES } from "../shared/plan";
import type { MonitorSnapshot, Pack, Person, Profile, ReadResume, TextInterviewRequest } from "../shared/schema";

/** Who the interview is with. */
export interface Candidate {
  readonly userId: string;
  readonly person: Person | null;
  readonly toAsk: MonitorSnapshot["to_ask"];
}

export const EVERYTHING: Candidate["toAsk"] = ["domain", "resume"];

/** The form; `begin` gets what was asked for, and fails with a sentence. */
export function startForm(candidate: Candidate, packs: readonly Pack[], begin: (request: TextInterviewRequest) => Promise<void>): HTMLElement {
  const known = candidate.person;
  const name = el("input", { class: "input", id: "text-name", name: "name", required: true, maxlength: 80, value: known?.profile.name || candidate.userId, autocomplete: "off" });
  const pack = el("select", { class: "input", id: "text-pack", name: "pack" }, ...packs.map(({ id, title }) => el("option", { value: id }, title)));
  const minutes = el("input", { class: "input", id: "text-minutes", type: "number", min: MINUTES.least, max: MINUTES.most, value: MINUTES.usual, required: true });
  const mode = el("select", { class: "input", id: "text-mode" }, el("option", { value: "plan" }, "About the topics of the pack"), el("option", { value: "resume" }, "About what they have done"));
  const domain = el("input", { class: "input", id: "text-domain", maxlength: 200, placeholder: "Backend engineering" });
  const resume = el("input", { class: "input", id: "text-resume", type: "file", accept: ".pdf,.docx,.md,.txt" });
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const button = el("button", { class: "button primary", "data-testid": "text-start" }, "Start an interview by text");
  const form = el(
    "form",
    { class: "text-start", "data-testid": "text-start-form" },
    el("p", { class: "muted" }, greetingText(candidate)),
    labelled("What the interviewer calls them", name),
    labelled("Question pack", pack),
    el("div", { class: "two-fields" }, labelled("Minutes", minutes), labelled("Questions", mode)),
    candidate.toAsk.includes("domain") && labelled("Their field (optional)", domain),
    candidate.toAsk.includes("resume") && labelled("Their CV as PDF, Word, Markdown or text (optional)", resume),
    button,
    problem,
  );
  const submit = async (): Promise<void> => {
    show(problem, false);
    button.disabled = true;
    button.textContent = "Starting…";
    try {
      const [file] = resume.files ?? [];
      const read = file === undefined ? null : await api.readResume(file, file.name);
      await begin({
        user_id: candidate.userId,
        candidate_name: name.value.trim(),
        pack: pack.value,
        time_budget_minutes: Number(minutes.value),
        mode: mode.value === "resume" ? "resume" : "plan",
        ...broughtAlong(known, read, domain.value.trim()),
      });
    } catch (error) {
      problem.textContent = sentence(error);
      show(problem, true);
    } finally {
      button.disabled = false;
      button.textContent = "Start an interview by text";
    }
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  return form;
}

/** What is sent beside the wish: the text of a CV, and a profile only where a field was typed, with all else as it is. */
export function broughtAlong(known: Person | null, read: ReadResume | null, domain: string): Pick<TextInterviewRequest, "resume" | "profile"> {
  const resume = read === null ? {} : { resume: read.text };
  if (domain === "") return resume;
  return { ...resume, profile: { ...(read?.profile ?? known?.profile), domain } as Profile }; // The server fills in the rest.
}

export function greetingText({ person, toAsk }: Candidate): string {
  const times = person?.achievement.interviews ?? 0;
  const been = times === 0 ? "" : `They have been here for ${plural(times, "interview")}, and are welcomed back. `;
  if (toAsk.length === 0) return `${been}Their field and what they have done are known, and not asked for again.`;
  if (person === null) return "Nothing is known of them yet: add their field and a CV, or begin without.";
  return `${been}Only what is not known yet is asked for.`;
}
