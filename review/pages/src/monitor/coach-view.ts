/** What whoever watches can do: have a topic asked about next, and write notes for the report. */

import { sentence } from "../shared/api";
import { el, labelled, show } from "../shared/dom";
import { sentenceCase } from "../shared/format";
import type { AskableTopic, MonitoredInterview, NoteRequest, TakenNote, TopicRequest, WishedTopic } from "../shared/schema";

export interface Coaching {
  wish(interview: string, word: TopicRequest): Promise<unknown>;
  note(interview: string, word: NoteRequest): Promise<unknown>;
}

const WHOLE = "0";

export class CoachView {
  readonly #place: HTMLElement;
  readonly #coaching: Coaching;
  readonly #by = el("input", { class: "input", id: "coach-by", name: "by", maxlength: 80, required: true, autocomplete: "name" });
  readonly #topic = el("select", { class: "input", id: "coach-topic" });
  readonly #note = el("textarea", { class: "input", id: "coach-note", rows: 2, maxlength: 2000, required: true });
  readonly #about = el("select", { class: "input", id: "coach-about" }, el("option", { value: "" }, "the last turn"), el("option", { value: WHOLE }, "the interview as a whole"));
  readonly #wishes = el("ul", { class: "coach-list", "data-testid": "wishes", role: "status", "aria-label": "Topics wished for" });
  readonly #notes = el("ul", { class: "coach-list", "data-testid": "notes", "aria-label": "Notes for the report" });
  readonly #wishForm: HTMLFormElement;
  #interview: MonitoredInterview | null = null;
  #drawnFor = "";

  constructor(place: HTMLElement, coaching: Coaching) {
    this.#place = place;
    this.#coaching = coaching;
    const by = (): string => this.#by.value.trim();
    this.#wishForm = form("wish-form", [labelled("Ask about this next", this.#topic)], "Ask about it next", (id) => coaching.wish(id, { topic: this.#topic.value, by: by() }), () => this.#interview);
    const noteForm = form(
      "note-form",
      [labelled("Your name", this.#by), labelled("A note for the report", this.#note), labelled("It is about", this.#about)],
      "Add the note",
      async (id) => {
        await this.#coaching.note(id, { by: by(), note: this.#note.value.trim(), turn: this.#about.value === "" ? null : Number(this.#about.value) });
        this.#note.value = "";
      },
      () => this.#interview,
    );
    this.#place.replaceChildren(
      el("p", { class: "muted" }, "The candidate hears nothing of either. What they ask for themselves goes first."),
      this.#wishForm,
      this.#wishes,
      noteForm,
      this.#notes,
    );
  }

  /** Draws what has changed; what is typed stays. */
  draw(interview: MonitoredInterview, topics: readonly AskableTopic[]): void {
    this.#interview = interview;
    if (this.#drawnFor !== interview.interview_id) {
      this.#drawnFor = interview.interview_id;
      this.#topic.replaceChildren(...optionGroups(topics));
    }
    show(this.#wishForm, interview.state.phase !== "ended" && topics.length > 0);
    redraw(this.#wishes, interview.wishes.map(wishText));
    redraw(this.#notes, interview.notes.map(noteText));
  }
}

export function wishText({ title, by, status, turn, why }: WishedTopic): string {
  const whose = by === "" ? title : `${title} (${by})`;
  if (status === "waits") return `${whose}: waits for the next question.`;
  return status === "asked" ? `${whose}: asked about after turn ${turn}.` : `${whose}: not asked about. ${why}`;
}

export function noteText({ by, note, turn }: TakenNote): string {
  return `${by} on ${turn === 0 ? "the interview" : `turn ${turn}`}: “${note}”`;
}

function optionGroups(topics: readonly AskableTopic[]): HTMLElement[] {
  const groups = [
    ["Topics of the pack", topics.filter(({ source }) => source !== "resume")],
    ["From the CV", topics.filter(({ source }) => source === "resume")],
  ] as const;
  return groups
    .filter(([, some]) => some.length > 0)
    .map(([name, some]) => el("optgroup", { label: name }, ...some.map(({ id, title }) => el("option", { value: id }, sentenceCase(title)))));
}

function form(name: string, fields: readonly HTMLElement[], verb: string, send: (interview: string) => Promise<unknown>, shown: () => MonitoredInterview | null): HTMLFormElement {
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const button = el("button", { class: "button small" }, verb);
  const made = el("form", { class: "coach-form", "data-testid": name }, ...fields, button, problem);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const interview = shown();
    if (interview === null) return;
    button.disabled = true;
    show(problem, false);
    send(interview.interview_id)
      .catch((error: unknown) => {
        problem.textContent = sentence(error);
        show(problem, true);
      })
      .finally(() => (button.disabled = false));
  });
  return made;
}

/** Only what is new, so that a screen reader says no line twice. */
function redraw(list: HTMLElement, lines: readonly string[]): void {
  const rows = [...list.children];
  lines.forEach((line, place) => {
    const row = rows[place];
    if (row === undefined) list.append(el("li", {}, line));
    else if (row.textContent !== line) row.textContent = line;
  });
  rows.slice(lines.length).forEach((row) => row.remove());
}
