/** What only whoever hosts Viva may do: without a token on the machine that runs it, else with the setting host_token. */

import { ApiError } from "./api";
import { secretFor } from "./dialog";

const TOKEN_MISSING = 401;
const TOKEN_WRONG = 403;

export class HostCalls {
  /** Kept for as long as the page is open, and nowhere else. */
  #token = "";
  readonly #ask: (problem: string) => Promise<string | null>;

  /** `ask` gets the host's token from the person at the page, who is told what was wrong with the last; null is a no. */
  constructor(ask: (problem: string) => Promise<string | null>) {
    this.#ask = ask;
  }

  /** The one that the last call went with; empty when none was asked for. */
  get token(): string {
    return this.#token;
  }

  /** Does what `call` does, with a token if the server wants one; false when the person would not give it. */
  async make(call: (token: string) => Promise<void>): Promise<boolean> {
    for (;;) {
      try {
        await call(this.#token);
        return true;
      } catch (error) {
        if (!(error instanceof ApiError) || !this.#mayHelp(error.status)) throw error;
        const token = await this.#ask(this.#token === "" ? "" : error.message);
        if (token === null) {
          this.#token = "";
          return false;
        }
        this.#token = token;
      }
    }
  }

  #mayHelp(status: number): boolean {
    return status === TOKEN_MISSING || (status === TOKEN_WRONG && this.#token !== "");
  }
}

/** Asks the person at the page; `what` only the host can do, the verbs are those of the buttons. */
export function askForToken(what: string, confirm: string, cancel: string): (problem: string) => Promise<string | null> {
  return (problem) =>
    secretFor({
      title: "The host's token",
      text: problem || `Only whoever hosts this Viva can ${what}. Type what the setting host_token says.`,
      confirm,
      cancel,
    });
}
