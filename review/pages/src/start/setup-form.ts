/** The form that sets an interview up. */

import { api, sentence, DIFFICULTIES, FEEDBACK_MODES } from "../shared/api";
import { byId, el, show } from "../shared/dom";
import { plural } from "../shared/format";
import { MINUTES, questionsForMinutes } from "../shared/plan";
import type { InterviewRequest, Pack } from "../shared/schema";
import { lastChoices, rememberChoices, rememberInterview } from "../shared/session";
import { wishesOf } from "../shared/wishes";
import { Documents } from "./documents";
import type { MicrophoneCheck } from "./microphone-check";

export class SetupForm {
  readonly #form = byId("form", HTMLFormElement);
  readonly #name = byId("name", HTMLInputElement);
  readonly #packs = byId("packs", HTMLElement);
  readonly #minutes = byId("minutes", HTMLInputElement);
  readonly #start = byId("start", HTMLButtonElement);
  readonly #topics = byId("topics", HTMLElement);
  readonly #microphone: MicrophoneCheck;
  readonly #documents: Documents;
  readonly #wishes = wishesOf(location.search);

  constructor(microphone: MicrophoneCheck) {
    this.#microphone = microphone;
    this.#fillIn();
    this.#documents = new Documents(this.#name);
    this.#minutes.addEventListener("input", () => this.#showLength());
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  showPacks(packs: readonly Pack[]): void {
    if (packs.length === 0) {
      this.showPackProblem("There are no question packs. Put one into the packs folder and start Viva again.");
      return;
    }
    const named = (id: string | undefined): Pack | undefined => packs.find((pack) => pack.id === id);
    const chosen = named(this.#wishes.pack) ?? named(lastChoices().pack) ?? packs[0];
    this.#packs.replaceChildren(...packs.map((pack) => packCard(pack, pack === chosen)));
    this.#packs.addEventListener("change", () => this.#showTopics(named(this.#chosenPack()), []));
    this.#showTopics(chosen, this.#wishes.topics);
  }

  showPackProblem(text: string): void {
    this.#packs.replaceChildren();
    say("pack-problem", text);
  }

  #fillIn(): void {
    const last = lastChoices();
    this.#name.value = last.name ?? "";
    this.#minutes.min = String(MINUTES.least);
    this.#minutes.max = String(MINUTES.most);
    this.#minutes.step = String(MINUTES.step);
    this.#minutes.value = String(last.minutes ?? MINUTES.usual);
    const feedback = this.#form.querySelector<HTMLInputElement>(`[name=feedback][value=${last.feedback ?? "coach"}]`);
    if (feedback !== null) feedback.checked = true;
    const starts = this.#wishes.difficulty ?? last.difficulty ?? "medium";
    const difficulty = this.#form.querySelector<HTMLInputElement>(`[name=difficulty][value=${starts}]`);
    if (difficulty !== null) difficulty.checked = true;
    this.#showLength();
  }

  #chosenPack(): string {
    return String(new FormData(this.#form).get("pack") ?? "");
  }

  #showTopics(pack: Pack | undefined, wanted: readonly string[]): void {
    const topics = pack?.topics ?? [];
    this.#topics.replaceChildren(
      ...topics.map(({ id, title }) =>
        el(
          "label",
          { class: "chip" },
          el("input", { type: "checkbox", name: "topic", value: id, checked: wanted.includes(id), "data-testid": `topic-${id}` }),
          title,
        ),
      ),
    );
    show(byId("topics-field", HTMLElement), topics.length > 1);
  }

  #showLength(): void {
    const minutes = Number(this.#minutes.value);
    const text = `${plural(minutes, "minute")} · about ${plural(questionsForMinutes(minutes), "question")}`;
    byId("minutes-text", HTMLOutputElement).value = text;
    this.#minutes.setAttribute("aria-valuetext", text);
    const share = (minutes - MINUTES.least) / (MINUTES.most - MINUTES.least);
    this.#minutes.style.setProperty("--share", share.toFixed(3));
  }

  /** What was chosen, once documents are read, or `null` after saying what is missing, some of it in the element `problem`. */
  async wanted(problem: string): Promise<InterviewRequest | null> {
    say(problem, "");
    await this.#documents.settled();
    return this.#request(problem);
  }

  #request(problem: string): InterviewRequest | null {
    const data = new FormData(this.#form);
    const name = this.#name.value.trim();
    const pack = data.get("pack");
    say("name-problem", name === "" ? "Please enter a name: the interviewer greets you by it." : "");
    this.#name.setAttribute("aria-invalid", String(name === ""));
    if (name === "") this.#name.focus();
    if (typeof pack !== "string") say("pack-problem", "Please choose an interview.");
    if (name === "" || typeof pack !== "string") return null;
    const mode = data.get("mode") === "resume" ? "resume" : "plan";
    if (mode === "resume" && String(data.get("resume") ?? "").trim() === "" && !this.#documents.knowsSomebody()) {
      byId("documents", HTMLDetailsElement).open = true;
      byId("resume-file", HTMLInputElement).focus();
      say(problem, "To be asked about what you have done, add your CV.");
      return null;
    }
    const feedback = FEEDBACK_MODES.find((each) => each === data.get("feedback")) ?? "coach";
    return {
      name,
      pack,
      minutes: Number(this.#minutes.value),
      feedback,
      mode,
      difficulty: DIFFICULTIES.find((each) => each === data.get("difficulty")) ?? "medium",
      pace: Number(data.get("pace") ?? 1),
      focus_topics: data.getAll("topic").map(String),
      job_description: String(data.get("job_description") ?? ""),
      resume: String(data.get("resume") ?? ""),
      profile: this.#documents.corrected(),
      user_id: "",
    };
  }

  async #submit(): Promise<void> {
    const request = await this.wanted("start-problem");
    if (request === null) return;
    this.#busy(true);
    try {
      if (!(await this.#microphone.permitted())) {
        say("start-problem", "The interview needs a microphone; see above what is wrong with it.");
        return this.#busy(false);
      }
      const created = await api.create(request);
      rememberChoices(request);
      rememberInterview({ id: created.interview_id, key: created.key });
      this.#microphone.stop();
      location.assign("/room");
    } catch (error) {
      say("start-problem", sentence(error));
      this.#busy(false);
    }
  }

  #busy(busy: boolean): void {
    this.#start.disabled = busy;
    this.#start.textContent = busy ? "Starting…" : "Start the interview";
  }
}

function packCard(pack: Pack, checked: boolean): HTMLElement {
  return el(
    "label",
    { class: "choice", "data-testid": `pack-${pack.id}` },
    el("input", { type: "radio", name: "pack", id: `pack-${pack.id}`, value: pack.id, checked }),
    el("span", { class: "choice-title" }, pack.title),
    el("span", { class: "choice-text" }, pack.description),
  );
}

/** A sentence in one of the form's places for problems; an empty one takes it back. */
export function say(id: string, text: string): void {
  const element = byId(id, HTMLElement);
  element.textContent = text;
  show(element, text !== "");
}
