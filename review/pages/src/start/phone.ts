/** The same interview by phone: a PIN and the number to dial, for those who can be called the calls that are booked. */

import { api, sentence } from "../shared/api";
import { byId, show } from "../shared/dom";
import type { PhoneInfo } from "../shared/schema";
import { rememberChoices } from "../shared/session";
import { BookedCalls } from "./booked-calls";
import { pinView } from "./pin-view";
import { say, type SetupForm } from "./setup-form";

export class PhoneCard {
  readonly #form: SetupForm;
  readonly #button = byId("phone-pin", HTMLButtonElement);
  readonly #result = byId("phone-result", HTMLElement);

  constructor(form: SetupForm) {
    this.#form = form;
    this.#button.addEventListener("click", () => void this.#getPin());
  }

  async showIfThereIsOne(): Promise<void> {
    let phone: PhoneInfo;
    try {
      phone = await api.phone();
    } catch {
      return; // That the server does not answer is said elsewhere on the page.
    }
    show(byId("phone", HTMLElement), phone.enabled);
    if (phone.calls_out) new BookedCalls(this.#form, phone.number).show();
  }

  async #getPin(): Promise<void> {
    this.#result.replaceChildren();
    const interview = await this.#form.wanted("phone-problem");
    if (interview === null) return;
    this.#button.disabled = true;
    try {
      const made = await api.makePin({ interview, once: true });
      rememberChoices(interview);
      this.#result.replaceChildren(...pinView(made));
    } catch (error) {
      say("phone-problem", sentence(error));
    }
    this.#button.disabled = false;
  }
}
