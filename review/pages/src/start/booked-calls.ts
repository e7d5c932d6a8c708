/** Calls that Viva makes at a booked time: booking one, and what became of those of the last week. Only for the host. */

import { api, sentence, serverNow } from "../shared/api";
import { byId, el, show } from "../shared/dom";
import { dateText } from "../shared/format";
import { askForToken, HostCalls } from "../shared/host";
import type { BookedCall } from "../shared/schema";
import { pinView } from "./pin-view";
import { say, type SetupForm } from "./setup-form";

/** A day: so long a call that came to nothing is shown without being looked for. */
const TOLD_FOR_S = 24 * 3600;

const STATE: Record<BookedCall["state"], string> = {
  waiting: "waits for its time",
  calling: "rings",
  answered: "answered",
  held: "held",
  unheard: "no key was pressed",
  missed: "missed",
  "given-up": "nobody was reached",
  cancelled: "cancelled",
};

export class BookedCalls {
  readonly #form: SetupForm;
  readonly #viva: string;
  readonly #number = byId("call-number", HTMLInputElement);
  readonly #at = byId("call-at", HTMLInputElement);
  readonly #button = byId("call-book", HTMLButtonElement);
  readonly #result = byId("call-result", HTMLElement);
  readonly #list = byId("calls", HTMLUListElement);
  readonly #host = new HostCalls(askForToken("have somebody called", "Go on", "Leave it"));

  /** `viva` is the number at which Viva is called back. */
  constructor(form: SetupForm, viva: string) {
    this.#form = form;
    this.#viva = viva;
    byId("call-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#book();
    });
  }

  show(): void {
    const details = byId("phone-call", HTMLDetailsElement);
    show(details, true);
    details.addEventListener("toggle", () => {
      if (details.open) void this.#refresh();
    });
    void this.#refresh().then((calls) => {
      // Whoever waited for a call finds out why it did not come without looking for it.
      if (calls.some((call) => cameToNothing(call) && serverNow() - call.at < TOLD_FOR_S)) details.open = true;
    });
  }

  async #book(): Promise<void> {
    this.#result.replaceChildren();
    const interview = await this.#form.wanted("call-problem");
    if (interview === null) return;
    const number = this.#number.value.trim();
    const at = Date.parse(this.#at.value) / 1000;
    if (number === "" || Number.isNaN(at)) {
      say("call-problem", number === "" ? "Whom is Viva to call? Enter a number." : "When is Viva to call? Enter day and time.");
      return (number === "" ? this.#number : this.#at).focus();
    }
    await this.#asHost(async (token) => {
      const booked = await api.bookCall({ interview, number, at, account: "" }, token);
      this.#result.replaceChildren(
        el("p", {}, `Booked: Viva calls ${booked.number} on ${dateText(booked.at)}. If the line breaks, call back:`),
        ...pinView({ pin: booked.pin, number: this.#viva, valid_until: null }),
      );
    });
  }

  async #refresh(): Promise<readonly BookedCall[]> {
    let calls: readonly BookedCall[] = [];
    try {
      calls = await api.bookedCalls(this.#host.token);
    } catch {
      // Somebody else than the host sees none, and is not told why before they ask.
    }
    this.#list.replaceChildren(...calls.map((call) => this.#row(call)));
    return calls;
  }

  async #asHost(call: (token: string) => Promise<void>): Promise<void> {
    this.#button.disabled = true;
    say("call-problem", "");
    try {
      await this.#host.make(call);
      await this.#refresh();
    } catch (error) {
      say("call-problem", sentence(error));
    }
    this.#button.disabled = false;
  }

  #row(call: BookedCall): HTMLElement {
    const label = callText(call);
    const cancel = el("button", { class: "button quiet small", type: "button", "aria-label": `Cancel: ${label}` }, "Cancel");
    cancel.addEventListener("click", () => void this.#asHost((token) => api.cancelCall(call.id, token)));
    return el(
      "li",
      { class: cameToNothing(call) ? "call nothing" : "call", "data-testid": `call-${call.id}` },
      el("span", { class: "call-text" }, el("span", {}, label), el("span", { class: "muted call-state" }, outcomeText(call))),
      call.state === "waiting" && cancel,
    );
  }
}

export function callText(call: Pick<BookedCall, "number" | "at" | "candidate_name">): string {
  const whom = call.candidate_name === "" ? call.number : `${call.candidate_name}, ${call.number}`;
  return `${whom}, ${dateText(call.at)}`;
}

/** What became of it: the reason, if there is one, says more than the state. */
export function outcomeText(call: Pick<BookedCall, "state" | "why">): string {
  return call.why === "" || call.state === "held" || call.state === "cancelled" ? STATE[call.state] : `${STATE[call.state]}: ${call.why}`;
}

/** Somebody waited for it. */
export function cameToNothing(call: Pick<BookedCall, "state">): boolean {
  return call.state === "missed" || call.state === "given-up" || call.state === "unheard";
}
