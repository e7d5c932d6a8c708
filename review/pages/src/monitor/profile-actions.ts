/** What can be done with what is kept of a person: remove a proof, or delete all of it. */

import { api, sentence } from "../shared/api";
import { confirmed, confirmedByTyping } from "../shared/dialog";
import { el, show } from "../shared/dom";
import { clockTime, plural } from "../shared/format";
import type { MonitorSnapshot, Person } from "../shared/schema";

type Evidence = Person["evidence"][number];

/** Strengths and weaknesses with the words that prove them, each of which can be removed. */
export function evidenceList(person: Person, token: () => string, changed: () => void): HTMLElement | null {
  if (person.evidence.length === 0) return null;
  return el("div", { "data-testid": "evidence" }, el("h3", {}, "What shows it"), el("ul", { class: "evidence" }, ...person.evidence.map((one) => proof(one, person.user_id, token, changed))));
}

function proof(one: Evidence, user: string, token: () => string, changed: () => void): HTMLElement {
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const remove = el("button", { class: "button quiet small", type: "button", "aria-label": `Remove: ${one.subject}, “${one.words}”` }, "Remove");
  remove.addEventListener("click", () => {
    void guarded(problem, async () => {
      const sure = await confirmed({ title: "Remove this proof?", text: `If it is the last one for it, ${one.subject} is no ${one.kind} any more.`, confirm: "Remove", cancel: "Keep it" });
      if (!sure) return;
      await api.removeEvidence(user, one.id, token());
      changed();
    });
  });
  return el(
    "li",
    {},
    el("div", {}, el("span", { class: `tag ${one.kind}` }, one.kind), " ", el("strong", {}, one.subject), el("span", { class: "why" }, one.point), el("q", { class: "said-words" }, one.words), el("a", { class: "why", href: `/replay/${encodeURIComponent(one.interview_id)}` }, placeText(one))),
    remove,
    problem,
  );
}

export function placeText({ turn, start_s }: Pick<Evidence, "turn" | "start_s">): string {
  return start_s === null ? `Turn ${turn}, in writing` : `Turn ${turn}, at ${clockTime(start_s)}`;
}

/** Everything that goes with a person, a line each. */
export function whatGoes({ person, vector, interviews, user_id }: Pick<MonitorSnapshot, "person" | "vector" | "interviews" | "user_id">): string[] {
  const recorded = interviews.some(({ medium }) => medium !== "text");
  const most = 20;
  const number = interviews.length >= most ? "all their interviews" : plural(interviews.length, "interview");
  return [
    person !== null && `the profile of ${person.profile.name || user_id}: what their CV says, what was corrected, means, strengths and weaknesses${person.evidence.length > 0 ? `, and ${plural(person.evidence.length, "proof")} in their words` : ""}`,
    (person !== null || vector !== null) && `the vector profile_${user_id}`,
    interviews.length > 0 && `${number} with record, report, checkpoints${recorded ? " and recording" : ""}, and every note about them`,
  ].filter((each) => each !== false);
}

/** A button that deletes a person, after their id was typed. */
export function deletePerson(now: () => MonitorSnapshot, token: () => string, deleted: () => void): HTMLElement {
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const button = el("button", { class: "button danger small", type: "button", "data-testid": "delete-person" }, "Delete this person…");
  const remove = async (): Promise<void> => {
    await guarded(problem, async () => {
      const snapshot = now();
      const question = { title: `Delete ${snapshot.person?.profile.name || snapshot.user_id}?`, text: "This cannot be undone. It deletes:", goes: whatGoes(snapshot), confirm: "Delete for good", cancel: "Keep it" };
      if (!(await confirmedByTyping(question, snapshot.user_id))) return;
      button.disabled = true;
      await api.removePerson(snapshot.user_id, token());
      deleted();
    });
    button.disabled = false;
  };
  button.addEventListener("click", () => void remove());
  return el("div", { class: "danger-zone" }, button, problem);
}

async function guarded(problem: HTMLElement, work: () => Promise<void>): Promise<void> {
  show(problem, false);
  try {
    await work();
  } catch (error) {
    problem.textContent = sentence(error);
    show(problem, true);
  }
}
