/** The talk of both voices over time, one lane each; a click or a key goes to that moment. */

import { byId, svg } from "../shared/dom";
import { clockTime, spokenTime } from "../shared/format";
import type { Transcript } from "../shared/schema";
import type { Player } from "./player";
import { talkBars } from "./timeline";

const LANE = { interviewer: 6, candidate: 34 } as const;
const LANE_HEIGHT = 20;
const HEIGHT = 60;
/** Shorter bars cannot be seen in a long recording. */
const LEAST_SHARE = 0.0015;

export class Lanes {
  readonly #slider = byId("lanes", HTMLElement);
  readonly #player: Player;
  #dragging = false;

  constructor(player: Player) {
    this.#player = player;
    player.onTime((time) => this.#show(time));
    this.#slider.addEventListener("pointerdown", (event) => {
      this.#dragging = true;
      this.#slider.setPointerCapture(event.pointerId);
      this.#seekTo(event);
    });
    this.#slider.addEventListener("pointermove", (event) => this.#dragging && this.#seekTo(event));
    this.#slider.addEventListener("pointerup", () => (this.#dragging = false));
    this.#slider.addEventListener("pointercancel", () => (this.#dragging = false));
    this.#slider.addEventListener("keydown", (event) => this.#key(event));
  }

  draw(transcript: Transcript): void {
    const width = Math.max(transcript.duration_s, 1);
    const drawing = svg(
      "svg",
      { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      ...transcript.entries.filter((entry) => entry.kind === "question").map((entry) =>
        svg("rect", { class: "question-mark", x: entry.start_s, y: 0, width: width * 0.001, height: HEIGHT }),
      ),
      ...talkBars(transcript.entries).map((bar) =>
        svg("rect", {
          class: `talk ${bar.speaker}`,
          x: bar.start_s,
          y: LANE[bar.speaker],
          width: Math.max(bar.end_s - bar.start_s, width * LEAST_SHARE),
          height: LANE_HEIGHT,
        }),
      ),
    );
    this.#slider.querySelector("svg")?.remove();
    this.#slider.prepend(drawing);
    this.#slider.setAttribute("aria-valuemax", String(Math.round(width)));
    this.#show(this.#player.time);
  }

  #show(time: number): void {
    const share = this.#player.duration > 0 ? Math.min(1, time / this.#player.duration) : 0;
    this.#slider.style.setProperty("--played", share.toFixed(5));
    const second = String(Math.floor(time));
    if (this.#slider.getAttribute("aria-valuenow") === second) return;
    this.#slider.setAttribute("aria-valuenow", second);
    this.#slider.setAttribute("aria-valuetext", spokenTime(time));
    this.#slider.title = clockTime(time);
  }

  #seekTo(event: PointerEvent): void {
    const box = this.#slider.getBoundingClientRect();
    this.#player.seek(((event.clientX - box.left) / box.width) * this.#player.duration);
  }

  #key(event: KeyboardEvent): void {
    const target: Record<string, number> = {
      Home: 0,
      End: this.#player.duration,
      PageUp: this.#player.time + 30,
      PageDown: this.#player.time - 30,
    };
    const time = target[event.key];
    if (time === undefined) return;
    event.preventDefault();
    this.#player.seek(time);
  }
}
