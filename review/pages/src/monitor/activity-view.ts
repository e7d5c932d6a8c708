/** What happens, line by line: time, node, words. */

import { el } from "../shared/dom";
import type { ActivityLine } from "../shared/schema";
import { timeOfDay } from "./words";

/** Older ones leave the page; the record keeps them. */
const MOST_LINES = 500;
const NEAR_THE_END_PX = 40;

export class ActivityView {
  readonly #list: HTMLElement;
  #last = 0;
  /** Whoever scrolled back to read is left there. */
  #follows = true;
  #height = 0;

  constructor(list: HTMLElement) {
    this.#list = list;
    list.addEventListener("scroll", () => this.#scrolled());
  }

  /** Number of the last event that is shown. */
  get last(): number {
    return this.#last;
  }

  clear(): void {
    this.#last = 0;
    this.#list.replaceChildren();
  }

  /** Lines that are there already are left out, so that a stream may begin a little too early. */
  add(lines: readonly ActivityLine[]): void {
    const fresh = lines.filter(({ seq }) => seq > this.#last);
    if (fresh.length === 0) return;
    const list = this.#list;
    list.append(...fresh.map(row));
    while (list.childElementCount > MOST_LINES) list.firstElementChild?.remove();
    this.#last = fresh.at(-1)?.seq ?? this.#last;
    if (this.#follows) list.scrollTop = list.scrollHeight;
  }

  #scrolled(): void {
    const list = this.#list;
    if (list.clientHeight === this.#height) {
      this.#follows = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_THE_END_PX;
      return;
    }
    // It is as high as the panel beside it: nobody scrolled, it became another height.
    this.#height = list.clientHeight;
    if (this.#follows) list.scrollTop = list.scrollHeight;
  }
}

function row(line: ActivityLine): HTMLElement {
  return el(
    "li",
    { "data-testid": "line", "data-kind": line.kind },
    el("time", { datetime: new Date(line.at * 1000).toISOString() }, timeOfDay(line.at)),
    el("span", { class: "node-tag" }, `[${line.node}]`),
    el("span", {}, line.text),
  );
}
