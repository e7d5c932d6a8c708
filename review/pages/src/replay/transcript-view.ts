/** The transcript: a click on an entry or a word plays that moment, and what is being said is marked. */

import { byId, el } from "../shared/dom";
import { clockTime, spokenTime } from "../shared/format";
import type { Entry, Note, Transcript, TranscriptWord } from "../shared/schema";
import { entryLabels } from "./entry-label";
import type { Player } from "./player";
import { entryAt, wordAt } from "./timeline";

/** After somebody scrolled by hand, the page does not scroll for so long. */
const HANDS_OFF_MS = 4000;

export class TranscriptView {
  readonly #list = byId("transcript", HTMLElement);
  readonly #player: Player;
  #transcript: Transcript | null = null;
  /** One element for each entry; the list holds notes besides. */
  #elements: readonly HTMLElement[] = [];
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
    if (transcript.entries.length === 0 && transcript.notes.length === 0) {
      this.#list.replaceChildren(el("li", { class: "muted" }, "Nothing was said yet."));
      return;
    }
    const times = transcript.medium === "text" ? "none" : playable ? "play" : "shown";
    this.#elements = transcript.entries.map((entry) => entryElement(entry, times, candidate));
    this.#list.replaceChildren(...withNotes(this.#elements, transcript.notes));
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
    const element = this.#elements[at];
    if (element === undefined) return;
    element.setAttribute("aria-current", "true");
    if (performance.now() - this.#scrolledAt > HANDS_OFF_MS) follow(this.#list, element);
  }

  #markWord(at: number, word: number): void {
    this.#list.querySelector(".word.now")?.classList.remove("now");
    if (word >= 0) this.#elements[at]?.querySelectorAll(".word")[word]?.classList.add("now");
  }
}

/** The entries with the notes where they belong. */
function withNotes(entries: readonly HTMLElement[], notes: readonly Note[]): HTMLElement[] {
  const before = (place: number): HTMLElement[] => notes.filter((note) => note.before_entry === place).map(noteElement);
  return [...entries.flatMap((entry, place) => [...before(place), entry]), ...before(entries.length)];
}

function noteElement(note: Note): HTMLElement {
  return el("li", { class: "entry-note", "data-testid": "note" }, el("span", { class: "visually-hidden" }, "Note: "), note.text);
}

function entryElement(entry: Entry, times: "none" | "shown" | "play", candidate: string): HTMLElement {
  const speaker = entry.speaker === "candidate" ? candidate : "Interviewer";
  return el(
    "li",
    { class: `entry ${entry.speaker}`, "data-kind": entry.kind, "data-start": entry.start_s, "data-testid": "entry" },
    el(
      "div",
      { class: "entry-head" },
      entryTime(entry, times),
      el("strong", { class: "entry-speaker" }, speaker),
      ...entryLabels(entry).map((label) => el("span", { class: "entry-kind" }, label)),
    ),
    el("p", {}, ...entryText(entry)),
  );
}

function entryTime(entry: Entry, times: "none" | "shown" | "play"): HTMLElement | null {
  if (times === "none") return null;
  const time = clockTime(entry.start_s);
  if (times === "shown") return el("span", { class: "entry-time" }, time);
  const label = `Play from ${spokenTime(entry.start_s)}`;
  return el("button", { class: "entry-time", type: "button", "data-start": entry.start_s, "aria-label": label }, time);
}

function entryText(entry: Entry): (Node | string)[] {
  if (entry.words.length === 0) return [entry.interrupted ? `${entry.text} …` : entry.text];
  const spoken = stretches(entry.words).map((stretch) => {
    const words = stretch.flatMap((word) => [el("span", { class: "word", "data-start": word.start_s }, word.text.trim()), " "]);
    if (stretch[0]?.left_out !== true) return el("span", {}, ...words);
    const label = (text: string): HTMLElement => el("span", { class: "visually-hidden" }, text);
    return el("span", { class: "left-out", title: "Not judged with the answer" }, label("(not judged: "), ...words, label(") "));
  });
  return entry.interrupted ? [...spoken, "…"] : spoken;
}

/** Words in a row that are judged, and words in a row that are not. */
function stretches(words: readonly TranscriptWord[]): TranscriptWord[][] {
  const result: TranscriptWord[][] = [];
  for (const word of words) {
    const last = result.at(-1);
    if (last?.[0]?.left_out === word.left_out) last.push(word);
    else result.push([word]);
  }
  return result;
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
