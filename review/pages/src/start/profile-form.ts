/** What a CV says, in fields that can be corrected. */

import { el } from "../shared/dom";
import type { Degree, Position, Profile, Project } from "../shared/schema";

type Entry = Project | Position | Degree;
type ListName = "projects" | "experience" | "education";

interface Field {
  readonly key: string;
  readonly label: string;
  /** Takes the whole width. */
  readonly wide?: boolean;
  /** A line for each thing that was done. */
  readonly lines?: boolean;
}

interface List {
  readonly name: ListName;
  readonly title: string;
  readonly one: string;
  readonly fields: readonly Field[];
  readonly empty: Entry;
}

const DATES: readonly Field[] = [{ key: "start", label: "From" }, { key: "end", label: "To" }];
const DID: Field = { key: "did", label: "What you did, a line for each thing", wide: true, lines: true };
const WORK = { did: [], skills: [], start: "", end: "" };

export const LISTS: readonly List[] = [
  {
    name: "projects",
    title: "Projects",
    one: "project",
    fields: [{ key: "name", label: "Project" }, { key: "employer", label: "Where" }, ...DATES, DID],
    empty: { name: "", employer: "", ...WORK },
  },
  {
    name: "experience",
    title: "Experience",
    one: "position",
    fields: [{ key: "employer", label: "Employer" }, { key: "role", label: "Role" }, ...DATES, DID],
    empty: { employer: "", role: "", ...WORK },
  },
  {
    name: "education",
    title: "Education",
    one: "degree",
    fields: [{ key: "school", label: "School" }, { key: "degree", label: "Degree" }, { key: "subject", label: "Subject", wide: true }, ...DATES],
    empty: { school: "", degree: "", subject: "", start: "", end: "" },
  },
];

/** Names that were typed one after the other, with commas or on lines of their own. */
export function namesOf(text: string): string[] {
  return [...new Set(text.split(/[,;\n]/).map((name) => name.trim()).filter(Boolean))];
}

/** Lines that say something, without the signs before them. */
export function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.replace(/^\s*[-•*]\s+/, "").trim()).filter(Boolean);
}

/** What an entry is called while it is folded. */
export function titleOf(entry: Entry, list: List): string {
  const values = list.fields.slice(0, 2).map(({ key }) => String(field(entry, key)).trim());
  return values.filter(Boolean).join(" · ") || `A new ${list.one}`;
}

function field(entry: Entry, key: string): string | readonly string[] {
  return (entry as unknown as Record<string, string | readonly string[]>)[key] ?? "";
}

/** The fields of one entry, folded, with what they held before. */
class EntryFields {
  readonly element: HTMLDetailsElement;
  readonly #before: Entry;
  readonly #list: List;
  readonly #inputs = new Map<string, HTMLInputElement | HTMLTextAreaElement>();
  readonly #summary = el("summary");

  constructor(entry: Entry, list: List, remove: (gone: EntryFields) => void) {
    this.#before = entry;
    this.#list = list;
    const button = el("button", { class: "button quiet small", type: "button" }, `Remove this ${list.one}`);
    button.addEventListener("click", () => remove(this));
    const group = el("div", { role: "group" }, el("div", { class: "fields" }, ...list.fields.map((each) => this.#labelled(each))), button);
    this.element = el("details", { class: "entry", "data-testid": `entry-${list.name}` }, this.#summary, group);
    this.element.addEventListener("input", () => this.#name(group));
    this.#name(group);
  }

  value(): Entry {
    const typed = Object.fromEntries(
      this.#list.fields.map(({ key, lines }) => {
        const text = this.#inputs.get(key)?.value ?? "";
        return [key, lines === true ? linesOf(text) : text.trim()];
      }),
    );
    return { ...this.#before, ...typed };
  }

  open(): void {
    this.element.open = true;
    this.#inputs.values().next().value?.focus();
  }

  #labelled({ key, label, wide, lines }: Field): HTMLElement {
    const before = field(this.#before, key);
    const text = typeof before === "string" ? before : before.join("\n");
    const rows = Math.min(8, Math.max(3, text.length / 60 + 1));
    const input = lines === true ? el("textarea", { class: "input", rows: Math.round(rows) }) : el("input", { class: "input", type: "text", maxlength: 300 });
    input.value = text;
    this.#inputs.set(key, input);
    return el("label", { class: wide === true ? "wide" : undefined }, el("span", { class: "small-label" }, label), input);
  }

  /** Screen readers say whose fields they are. */
  #name(group: HTMLElement): void {
    const title = titleOf(this.value(), this.#list);
    this.#summary.textContent = title;
    group.setAttribute("aria-label", title);
  }
}

export class ProfileForm {
  readonly #shown: Profile;
  readonly #name = el("input", { class: "input", type: "text", maxlength: 80, "data-testid": "profile-name" });
  readonly #domain = el("input", { class: "input", type: "text", maxlength: 200, "data-testid": "profile-domain" });
  readonly #skills = el("textarea", { class: "input", rows: 3, "data-testid": "profile-skills" });
  readonly #entries = new Map<ListName, EntryFields[]>();
  /** What the fields say of themselves, before anybody has typed. */
  readonly #untouched: string;

  constructor(profile: Profile, parent: HTMLElement) {
    this.#shown = profile;
    this.#name.value = profile.name;
    this.#domain.value = profile.domain;
    this.#skills.value = profile.skills.join(", ");
    parent.replaceChildren(
      el(
        "div",
        { class: "fields" },
        labelled("Name", this.#name),
        labelled("Field of work", this.#domain),
        labelled("Skills, with commas between them", this.#skills, "wide"),
      ),
      ...LISTS.map((list) => this.#section(list)),
    );
    this.#untouched = JSON.stringify(this.value());
  }

  value(): Profile {
    const lists = Object.fromEntries(LISTS.map(({ name }) => [name, (this.#entries.get(name) ?? []).map((each) => each.value())]));
    return {
      ...this.#shown,
      name: this.#name.value.trim(),
      domain: this.#domain.value.trim(),
      skills: namesOf(this.#skills.value),
      ...lists,
    };
  }

  /** What it says now, or `null` when nobody has changed anything. */
  corrected(): Profile | null {
    const value = this.value();
    return JSON.stringify(value) === this.#untouched ? null : value;
  }

  #section(list: List): HTMLElement {
    const kept: EntryFields[] = [];
    this.#entries.set(list.name, kept);
    const box = el("div", { class: "entries" });
    const add = el("button", { class: "button small", type: "button" }, `Add a ${list.one}`);
    const remove = (gone: EntryFields): void => {
      kept.splice(kept.indexOf(gone), 1);
      gone.element.remove();
      add.focus();
    };
    const append = (entry: Entry): EntryFields => {
      const made = new EntryFields(entry, list, remove);
      kept.push(made);
      box.append(made.element);
      return made;
    };
    for (const entry of this.#shown[list.name]) append(entry);
    add.addEventListener("click", () => append(list.empty).open());
    return el("section", {}, el("h3", {}, list.title), box, add);
  }
}

function labelled(text: string, input: HTMLElement, width?: string): HTMLElement {
  return el("label", { class: width }, el("span", { class: "small-label" }, text), input);
}
