/** The captions on the page. Elements stay in place while their words change, so that nothing jumps. */

import { el } from "../shared/dom";
import { captionsAfter, turnsOf, type Caption, type CaptionEvent, type Turn } from "./captions";

/** Nearer to the end than this, the reader is taken to follow along. */
const AT_END_PX = 80;

export class CaptionsView {
  readonly #list: HTMLElement;
  readonly #spans = new Map<string, HTMLElement>();
  #captions: readonly Caption[] = [];
  #drawing = 0;

  constructor(list: HTMLElement) {
    this.#list = list;
  }

  /** Starts from what was said before. */
  begin(captions: readonly Caption[]): void {
    this.#captions = [...captions, ...this.#captions];
    this.#drawSoon();
  }

  take(event: CaptionEvent): void {
    this.#captions = captionsAfter(this.#captions, event);
    this.#drawSoon();
  }

  #drawSoon(): void {
    // Words come faster than pictures: draw once for all that came.
    if (this.#drawing === 0) this.#drawing = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    this.#drawing = 0;
    const follows = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < AT_END_PX;
    const turns = turnsOf(this.#captions);
    turns.forEach((turn, index) => this.#drawTurn(turn, index));
    for (const block of [...this.#list.querySelectorAll(".caption-turn")].slice(turns.length)) block.remove();
    if (follows) this.#list.scrollTop = this.#list.scrollHeight;
  }

  #drawTurn(turn: Turn, index: number): void {
    const mine = turn.speaker === "candidate";
    let block = this.#list.querySelectorAll<HTMLElement>(".caption-turn")[index];
    if (block === undefined) {
      this.#list.querySelector(".caption-empty")?.remove();
      block = el("div", { class: "caption-turn" }, el("h3", { class: "caption-speaker" }), el("p"));
      this.#list.append(block);
    }
    block.classList.toggle("candidate", mine);
    block.firstElementChild?.replaceChildren(mine ? "You" : "Interviewer");
    const spans = turn.captions.map((caption) => this.#span(caption));
    const paragraph = block.lastElementChild;
    if (paragraph !== null && !sameChildren(paragraph, spans)) paragraph.replaceChildren(...spans);
    // Screen readers wait until the words stand still.
    block.setAttribute("aria-busy", String(turn.captions.some((caption) => !caption.final)));
  }

  #span(caption: Caption): HTMLElement {
    let span = this.#spans.get(caption.id);
    if (span === undefined) {
      span = el("span", { "data-segment": caption.id });
      this.#spans.set(caption.id, span);
    }
    const text = `${caption.text.trim()} `;
    if (span.textContent !== text) span.textContent = text;
    span.classList.toggle("interim", !caption.final);
    return span;
  }
}

function sameChildren(parent: Element, children: readonly Element[]): boolean {
  return parent.children.length === children.length && children.every((child, at) => parent.children[at] === child);
}
