/** CV and job description: read by the server, shown to be corrected, and sent with the wish for an interview. */

import { api, ApiError, sentence } from "../shared/api";
import { byId, show } from "../shared/dom";
import type { Profile, ReadJob } from "../shared/schema";
import { ProfileForm } from "./profile-form";

const NOTHING_KEPT = 404;

export class Documents {
  readonly #name: HTMLInputElement;
  readonly #resume = byId("resume", HTMLTextAreaElement);
  readonly #job = byId("job-description", HTMLTextAreaElement);
  readonly #box = byId("profile", HTMLFieldSetElement);
  #form: ProfileForm | null = null;
  /** Profiles are the host's: whoever is refused once is not asked for again. */
  #mayAsk = true;
  /** The text that was read last. */
  #read = "";
  /** The last of what is under way. */
  #work: Promise<void> = Promise.resolve();

  constructor(name: HTMLInputElement) {
    this.#name = name;
    const file = (id: string, take: (file: File) => Promise<void>): void => {
      const input = byId(id, HTMLInputElement);
      input.addEventListener("change", () => {
        const [chosen] = input.files ?? [];
        if (chosen !== undefined) this.#begin(() => take(chosen));
      });
    };
    file("resume-file", (chosen) => this.#readResume(chosen, chosen.name));
    file("job-file", (chosen) => this.#readJob(chosen, chosen.name));
    this.#resume.addEventListener("change", () => this.#begin(() => this.#typed()));
    this.#job.addEventListener("change", () => this.#begin(() => this.#jobTyped()));
    this.#name.addEventListener("change", () => this.#begin(() => this.#lookUp()));
    this.#begin(() => this.#lookUp());
  }

  /** Waits for what is being read. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** True when Viva keeps something of them, so that no CV is needed. */
  knowsSomebody(): boolean {
    return this.#form !== null;
  }

  /** The profile, if they have changed anything in it. */
  corrected(): Profile | null {
    return this.#form?.corrected() ?? null;
  }

  #begin(work: () => Promise<void>): void {
    this.#work = this.#work.then(work);
  }

  async #typed(): Promise<void> {
    const text = this.#resume.value.trim();
    if (text === this.#read) return;
    if (text !== "") return this.#readResume(new Blob([text]), "cv.txt");
    this.#read = "";
    this.#hide();
    await this.#lookUp();
  }

  async #readResume(file: Blob, name: string): Promise<void> {
    say("resume", "Reading your CV…");
    try {
      const { text, notes, profile } = await api.readResume(file, name);
      this.#resume.value = text;
      this.#read = this.#resume.value.trim();
      this.#show(profile, "What Viva read in your CV");
      say("resume", ["Your CV was read.", ...notes].join(" "));
      if (this.#name.value.trim() === "") this.#name.value = profile.name;
    } catch (error) {
      say("resume", "", sentence(error));
    }
  }

  async #jobTyped(): Promise<void> {
    const text = this.#job.value.trim();
    if (text === "") return say("job", "");
    await this.#readJob(new Blob([text]), "job.txt");
  }

  async #readJob(file: Blob, name: string): Promise<void> {
    say("job", "Reading the job description…");
    try {
      const job = await api.readJob(file, name);
      this.#job.value = job.text;
      say("job", [wantsOf(job.requirements), ...job.notes].join(" "));
    } catch (error) {
      say("job", "", sentence(error));
    }
  }

  /** Shows what is kept of whoever bears the name, unless they have added a CV. */
  async #lookUp(): Promise<void> {
    const name = this.#name.value.trim();
    if (!this.#mayAsk || this.#resume.value.trim() !== "") return;
    try {
      if (name === "") return this.#hide();
      const { profile } = await api.person(name);
      if (profile.projects.length + profile.experience.length + profile.education.length + profile.skills.length === 0) return this.#hide();
      this.#show(profile, `What Viva keeps of ${name}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== NOTHING_KEPT) this.#mayAsk = false;
      this.#hide();
    }
  }

  #show(profile: Profile, title: string): void {
    this.#form = new ProfileForm(profile, byId("profile-fields", HTMLElement));
    byId("profile-title", HTMLLegendElement).textContent = title;
    show(this.#box, true);
  }

  #hide(): void {
    this.#form = null;
    show(this.#box, false);
  }
}

/** What a job asks for, as a sentence. */
export function wantsOf({ role, must_have, nice_to_have }: ReadJob["requirements"]): string {
  const parts = [
    must_have.length > 0 && `it asks for ${must_have.join(", ")}`,
    nice_to_have.length > 0 && `it welcomes ${nice_to_have.join(", ")}`,
  ].filter((part) => part !== false);
  const job = role === "" ? "The job description was read" : role;
  return parts.length === 0 ? `${job}.` : `${job}: ${parts.join("; ")}.`;
}

function say(what: "resume" | "job", status: string, problem = ""): void {
  byId(`${what}-status`, HTMLElement).textContent = status;
  const element = byId(`${what}-problem`, HTMLElement);
  element.textContent = problem;
  show(element, problem !== "");
}
