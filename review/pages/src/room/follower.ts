/** Follows an interview's events while it runs. */

import { api } from "../shared/api";
import type { InterviewEvent } from "../shared/schema";

const EVERY_MS = 2000;

export class Follower {
  readonly #id: string;
  readonly #changed: (events: readonly InterviewEvent[], news: readonly InterviewEvent[]) => void;
  readonly #events: InterviewEvent[] = [];
  #last = 0;
  #timer: number | undefined;
  #stopped = false;

  /** `changed` gets all events so far and those that are new; the first call brings everything that had happened. */
  constructor(id: string, changed: (events: readonly InterviewEvent[], news: readonly InterviewEvent[]) => void) {
    this.#id = id;
    this.#changed = changed;
  }

  async start(): Promise<void> {
    if (this.#stopped) return;
    try {
      const stored = await api.events(this.#id, this.#last);
      const news = stored.map((one) => one.event);
      this.#last = stored.at(-1)?.seq ?? this.#last;
      this.#events.push(...news);
      if (news.length > 0) this.#changed(this.#events, news);
    } catch {
      // The call itself does not depend on this; the next round tries again.
    }
    if (!this.#stopped) this.#timer = window.setTimeout(() => void this.start(), EVERY_MS);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}
