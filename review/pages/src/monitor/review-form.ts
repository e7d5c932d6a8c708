/** Lets a turn go on that waits for a person; the note stands in the report. */

import { sentence } from "../shared/api";
import { el } from "../shared/dom";
import type { MonitoredInterview } from "../shared/schema";

let shownFor = "";

/** Draws the form once for each turn that waits, so that nothing typed is lost, and takes it away afterwards. */
export function reviewForm(place: HTMLElement, { interview_id, state }: MonitoredInterview, release: (by: string, note: string) => Promise<void>): void {
  const now = state.waits_for === "" ? "" : `${interview_id}/${state.turn}`;
  if (now === shownFor) return;
  shownFor = now;
  place.replaceChildren(...(now === "" ? [] : [form(state.waits_for, release)]));
}

function form(why: string, release: (by: string, note: string) => Promise<void>): HTMLElement {
  const by = el("input", { class: "input", id: "review-by", name: "by", required: true, maxlength: 80, autocomplete: "name" });
  const note = el("textarea", { class: "input", id: "review-note", name: "note", rows: 2, maxlength: 2000 });
  const problem = el("p", { class: "problem", role: "alert" });
  const button = el("button", { class: "button primary small" }, "Let the interview go on");
  const shown = el(
    "form",
    { class: "review-form", "data-testid": "review-form" },
    el("h3", {}, "This turn waits for you"),
    el("p", {}, why),
    el("label", { class: "small-label", for: "review-by" }, "Your name"),
    by,
    el("label", { class: "small-label", for: "review-note" }, "A note for the report (optional)"),
    note,
    button,
    problem,
  );
  shown.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    release(by.value, note.value)
      .catch((error: unknown) => (problem.textContent = sentence(error)))
      .finally(() => (button.disabled = false));
  });
  return shown;
}
