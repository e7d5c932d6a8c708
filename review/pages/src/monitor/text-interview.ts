/** An interview by text, held from the monitor: prompts and answers, while the panels beside it fill in. */

import { api, ApiError, sentence } from "../shared/api";
import { confirmed } from "../shared/dialog";
import { el, show } from "../shared/dom";
import type { MonitoredInterview, Pack, TextInterviewRequest, TextTurn } from "../shared/schema";
import { openTextInterview, rememberTextInterview, type OpenInterview } from "../shared/session";
import { startForm, type Candidate } from "./start-form";

const CONFLICT = 409;

/** A line of the conversation. */
export interface SaidLine {
  readonly who: "Interviewer" | "Candidate";
  readonly text: string;
  readonly kind: "reply" | "feedback" | "question" | "answer";
}

/** What the interviewer says in a turn, in its order; the open question only if it is another, or nothing else is said. */
export function linesOf(turn: TextTurn, lastQuestion: string): SaidLine[] {
  const said: SaidLine[] = [];
  if (turn.feedback !== "") said.push({ who: "Interviewer", text: turn.feedback, kind: "feedback" });
  for (const { text } of turn.replies) said.push({ who: "Interviewer", text, kind: "reply" });
  const question = turn.next_question?.as_asked ?? "";
  if (question !== "" && (question !== lastQuestion || said.length === 0)) said.push({ who: "Interviewer", text: question, kind: "question" });
  return said;
}

/** A sentence of the server's for programs, in words for whoever has a button for it. */
export function forThePage(problem: string): string {
  return problem.replace(/POST \S+\/resume/, "“Finish the last turn”");
}

export class TextInterview {
  readonly #place: HTMLElement;
  readonly #token: () => string;
  readonly #begun: () => void;
  readonly #log = el("ol", { class: "said", role: "log", "aria-label": "Interview by text", tabindex: 0, "data-testid": "text-log" });
  readonly #answer = el("textarea", { class: "input", id: "text-answer", rows: 4, required: true, "aria-describedby": "text-hint", "data-testid": "text-answer" });
  readonly #problem = el("p", { class: "problem", role: "alert", hidden: true, "data-testid": "text-problem" });
  readonly #status = el("p", { class: "muted text-status", role: "status" });
  readonly #send = el("button", { class: "button primary", "data-testid": "text-send" }, "Send");
  readonly #stop = el("button", { class: "button", type: "button", "data-testid": "text-end" }, "End the interview");
  readonly #again = el("button", { class: "button", type: "button", hidden: true }, "Finish the last turn");
  readonly #form: HTMLFormElement;
  #mine: OpenInterview | null = openTextInterview();
  /** What is drawn: the form for this person, or the conversation of this interview. */
  #shown = "";
  #lastQuestion = "";
  /** What was sent and not answered. */
  #sent = "";
  #waits = false;

  /**
   * @param place where it is drawn.
   * @param token the host's, if there is one.
   * @param begun told when an interview has begun, so that the panels follow it.
   */
  constructor(place: HTMLElement, token: () => string, begun: () => void) {
    this.#place = place;
    this.#token = token;
    this.#begun = begun;
    this.#form = el(
      "form",
      { class: "text-form" },
      el("label", { class: "small-label", for: "text-answer" }, "What the candidate says"),
      this.#answer,
      el("p", { id: "text-hint", class: "hint muted" }, "An answer, or what one may say to an interviewer: “could you repeat that”, “a hint, please”. Ctrl+Enter sends it."),
      el("div", { class: "buttons" }, this.#send, this.#stop, this.#again),
    );
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#say();
    });
    this.#answer.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.#form.requestSubmit();
      }
    });
    this.#stop.addEventListener("click", () => void this.#end());
    this.#again.addEventListener("click", () => void this.#resume());
  }

  /** Follows what the monitor shows: the conversation of an interview that this tab holds, else a way to begin one. */
  follow(candidate: Candidate, interview: MonitoredInterview | null, packs: readonly Pack[]): void {
    const goesOn = interview !== null && interview.state.phase !== "ended";
    if (interview !== null && goesOn && this.#mine?.id === interview.interview_id) return this.#goOn(interview);
    if (goesOn) return this.#elsewhere(candidate, interview, packs);
    if (this.#shown === this.#mine?.id) return this.#over();
    if (this.#shown === "form") return;
    this.#shown = "form";
    this.#place.replaceChildren(startForm(candidate, packs, (request) => this.#begin(request)));
  }

  #goOn(interview: MonitoredInterview): void {
    if (this.#shown !== interview.interview_id) {
      this.#show(interview.interview_id);
      void this.#comeBack();
    }
    if (this.#waits && interview.state.waits_for === "") {
      this.#waits = false;
      void this.#resume();
    }
  }

  /** Somebody else holds it, or has left it open: it is watched, and another one can be begun all the same. */
  #elsewhere(candidate: Candidate, interview: MonitoredInterview, packs: readonly Pack[]): void {
    const now = `elsewhere ${interview.interview_id}`;
    if (this.#shown === now) return;
    this.#shown = now;
    const how = interview.medium === "text" ? "by text, elsewhere" : `by ${interview.medium}`;
    const begin = el("button", { class: "button", type: "button" }, "Start another all the same");
    begin.addEventListener("click", () => this.#place.replaceChildren(startForm(candidate, packs, (request) => this.#begin(request))));
    this.#place.replaceChildren(el("p", { class: "muted" }, `The interview that goes on is held ${how}, and only watched here.`), begin);
  }

  #over(): void {
    if (this.#form.hidden) return;
    const wasHere = this.#place.contains(document.activeElement);
    show(this.#form, false);
    const again = el("button", { class: "button", type: "button" }, "Start another");
    again.addEventListener("click", () => {
      this.#shown = "";
      this.#begun();
    });
    this.#status.textContent = "The interview is over; its report is behind “Replay”.";
    this.#place.append(again);
    if (wasHere) again.focus();
  }

  async #begin(request: TextInterviewRequest): Promise<void> {
    const begun = await api.beginByText(request, this.#token());
    this.#mine = { id: begun.session_id, key: begun.token };
    rememberTextInterview(this.#mine);
    this.#show(begun.session_id);
    this.#lastQuestion = begun.question.as_asked;
    this.#add([
      { who: "Interviewer", text: begun.greeting, kind: "reply" },
      { who: "Interviewer", text: begun.question.as_asked, kind: "question" },
    ]);
    this.#answer.focus();
    this.#begun();
  }

  #show(id: string): void {
    this.#shown = id;
    this.#log.replaceChildren();
    this.#answer.value = "";
    this.#status.textContent = "";
    show(this.#form, true);
    show(this.#again, false);
    show(this.#problem, false);
    this.#place.replaceChildren(this.#log, this.#status, this.#form, this.#problem);
  }

  /** After a reload the page knows only the key: the server tells the open question. */
  async #comeBack(): Promise<void> {
    const mine = this.#mine;
    if (mine === null) return;
    await this.#try(async () => {
      const session = await api.byText(mine.id, mine.key);
      this.#waits = session.waits_for_review;
      if (session.needs_resume) return this.#take(await api.resumeByText(mine.id, mine.key));
      if (session.question !== null) this.#ask(session.question.as_asked);
    });
  }

  #ask(question: string): void {
    this.#lastQuestion = question;
    this.#add([{ who: "Interviewer", text: question, kind: "question" }]);
  }

  async #say(): Promise<void> {
    const text = this.#answer.value.trim();
    const mine = this.#mine;
    if (text === "" || mine === null || this.#send.disabled) return;
    const done = await this.#try(async () => {
      this.#sent = text;
      this.#take(await api.sayByText(mine.id, text, mine.key));
    });
    if (done) this.#answer.focus();
  }

  async #resume(): Promise<void> {
    const mine = this.#mine;
    if (mine !== null) await this.#try(async () => this.#take(await api.resumeByText(mine.id, mine.key)));
  }

  async #end(): Promise<void> {
    const mine = this.#mine;
    if (mine === null) return;
    const sure = await confirmed({ title: "End this interview?", text: "The interviewer says goodbye, and the report is made.", confirm: "End it", cancel: "Go on" });
    if (!sure) return;
    await this.#try(async () => {
      const { closing } = await api.endByText(mine.id, mine.key);
      this.#add([{ who: "Interviewer", text: closing, kind: "reply" }]);
    });
  }

  #take(turn: TextTurn): void {
    if (this.#sent !== "") this.#add([{ who: "Candidate", text: this.#sent, kind: "answer" }]);
    if (this.#answer.value.trim() === this.#sent) this.#answer.value = "";
    this.#sent = "";
    this.#add(linesOf(turn, this.#lastQuestion));
    this.#lastQuestion = turn.next_question?.as_asked ?? this.#lastQuestion;
    this.#waits = turn.waits_for_review;
    this.#status.textContent = turn.waits_for_review ? "This turn waits for a person: let it go on under “Runtime state”." : "";
  }

  /** Does something with the server, one thing at a time; false when it failed, which is told as a sentence. */
  async #try(work: () => Promise<void>): Promise<boolean> {
    this.#busy(true);
    show(this.#problem, false);
    show(this.#again, false);
    try {
      await work();
      return true;
    } catch (error) {
      this.#problem.textContent = forThePage(sentence(error));
      show(this.#problem, true);
      show(this.#again, error instanceof ApiError && (error.status === CONFLICT || error.status >= 500));
      return false;
    } finally {
      this.#busy(false);
    }
  }

  #busy(busy: boolean): void {
    for (const button of [this.#send, this.#stop, this.#again]) button.disabled = busy;
    this.#send.textContent = busy ? "Working…" : "Send";
  }

  #add(lines: readonly SaidLine[]): void {
    this.#log.append(...lines.filter(({ text }) => text !== "").map(({ who, text, kind }) => el("li", { class: `line-${kind}`, "data-testid": `said-${kind}` }, el("span", { class: "who" }, who), el("p", {}, text))));
    this.#log.scrollTop = this.#log.scrollHeight;
  }
}
