/** The transcript: a click on an entry or a word plays that moment, and what is being said is marked. */

import { byId, el } from "../shared/dom";
import { clockTime, spokenTime } from "../shared/format";
import type { Entry, Transcript } from "../shared/transcript";
import type { Player } from "./player";
import { entryAt, wordAt } from "./timeline";

/** After somebody scrolled by hand, the page does not scroll for so long. */
const HANDS_OFF_MS = 4000;

const KIND: Partial<Record<Entry["kind"], string>> = {
  greeting: "greeting",
  feedback: "feedback",
  question: "question",
  closing: "closing",
  repeat: "asked to repeat",
  skip: "skipped",
  stop: "asked to stop",
  hold: "asked for time",
};

export class TranscriptView {
  readonly #list = byId("transcript", HTMLElement);
  readonly #player: Player;
  #transcript: Transcript | null = null;
  #drawn = "";
  #entry = -1;
  #word = -1;
  #scrolledAt = -Infinity;

  constructor(player: Player) {
    this.#player = player;
    player.onTime((time) => this.#mark(time));
    this.#list.addEventListener("click", (event) => this.#click(event));
    for (const kind of ["wheel", "touchmove"] as const) {
      document.addEventListener(kind, () => (this.#scrolledAt = performance.now()), { passive: true });
    }
  }

  /** `playable`: whether there is a recording to play from. */
  draw(transcript: Transcript, playable: boolean, candidate: string): void {
    // A page that follows a running interview asks again and again: what did not change stays as it is.
    const drawn = JSON.stringify([transcript, playable]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#transcript = transcript;
    this.#entry = this.#word = -1;
    this.#list.classList.toggle("playable", playable);
    if (transcript.entries.length === 0) {
      this.#list.replaceChildren(el("li", { class: "muted" }, "Nothing was said yet."));
      return;
    }
    this.#list.replaceChildren(...transcript.entries.map((entry) => entryElement(entry, playable, candidate)));
    this.#mark(this.#player.time);
  }

  #click(event: MouseEvent): void {
    const target = event.target;
    if (!(target instanceof Element) || !this.#list.classList.contains("playable")) return;
    if ((getSelection()?.toString() ?? "") !== "") return; // Somebody marks text to copy it.
    const start = target.closest<HTMLElement>("[data-start]")?.dataset["start"];
    if (start !== undefined) this.#player.playFrom(Number(start));
  }

  #mark(time: number): void {
    if (this.#transcript === null || !this.#list.classList.contains("playable")) return;
    const entries = this.#transcript.entries;
    // At rest at the beginning nothing is being said yet.
    const at = time === 0 ? -1 : entryAt(entries, time);
    const word = at < 0 ? -1 : wordAt(entries[at]?.words ?? [], time);
    if (at !== this.#entry) this.#markEntry(at);
    if (at !== this.#entry || word !== this.#word) this.#markWord(at, word);
    this.#entry = at;
    this.#word = word;
  }

  #markEntry(at: number): void {
    this.#list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const element = this.#list.children[at];
    if (!(element instanceof HTMLElement)) return;
    element.setAttribute("aria-current", "true");
    if (performance.now() - this.#scrolledAt > HANDS_OFF_MS) follow(this.#list, element);
  }

  #markWord(at: number, word: number): void {
    this.#list.querySelector(".word.now")?.classList.remove("now");
    if (word >= 0) this.#list.children[at]?.querySelectorAll(".word")[word]?.classList.add("now");
  }
}

function entryElement(entry: Entry, playable: boolean, candidate: string): HTMLElement {
  const speaker = entry.speaker === "candidate" ? candidate : "Interviewer";
  const kind = KIND[entry.kind];
  const time = clockTime(entry.start_s);
  return el(
    "li",
    { class: `entry ${entry.speaker}`, "data-kind": entry.kind, "data-start": entry.start_s, "data-testid": "entry" },
    el(
      "div",
      { class: "entry-head" },
      playable
        ? el("button", { class: "entry-time", type: "button", "data-start": entry.start_s, "aria-label": `Play from ${spokenTime(entry.start_s)}` }, time)
        : el("span", { class: "entry-time" }, time),
      el("strong", { class: "entry-speaker" }, speaker),
      kind !== undefined && el("span", { class: "entry-kind" }, kind),
      entry.interrupted && el("span", { class: "entry-kind" }, "interrupted"),
    ),
    el("p", {}, ...entryText(entry)),
  );
}

function entryText(entry: Entry): (Node | string)[] {
  if (entry.words.length === 0) return [entry.interrupted ? `${entry.text} …` : entry.text];
  return entry.words.flatMap((word) => [
    el("span", { class: "word", "data-start": word.start_s }, word.text.trim()),
    " ",
  ]);
}

/**
 * Brings the current entry into view between the window's top and the player. Where the transcript has its own
 * scroll bar only that moves, never the page under the hands of somebody who reads the report beside it.
 */
function follow(list: HTMLElement, element: HTMLElement): void {
  if (list.offsetParent === null) return; // The report is shown in its place.
  const area = list.getBoundingClientRect();
  const box = element.getBoundingClientRect();
  const player = byId("player", HTMLElement).offsetHeight;
  const top = Math.max(area.top, 0);
  const bottom = Math.min(area.bottom, innerHeight - player);
  if (box.top >= top && box.bottom <= bottom) return;
  const scroller = list.scrollHeight > list.clientHeight ? list : window;
  scroller.scrollBy({ top: box.top - top - (bottom - top) / 4, behavior: "smooth" });
}
