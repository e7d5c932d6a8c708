/** Plays the recording: the browser's own audio element with controls that people can reach by keyboard. */

import { byId, keyIsTaken } from "../shared/dom";
import { clockTime } from "../shared/format";
import { everyFrame } from "../shared/meter";
import { within } from "./timeline";

const STEP_S = 5;

export class Player {
  readonly #audio = byId("audio", HTMLAudioElement);
  readonly #button = byId("play", HTMLButtonElement);
  readonly #speed = byId("speed", HTMLSelectElement);
  readonly #position = byId("position", HTMLElement);
  readonly #listeners: ((time: number) => void)[] = [];
  #duration = 0;
  #stopFrames: (() => void) | null = null;

  constructor() {
    this.#button.addEventListener("click", () => this.toggle());
    byId("back", HTMLButtonElement).addEventListener("click", () => this.seek(this.time - STEP_S));
    byId("forward", HTMLButtonElement).addEventListener("click", () => this.seek(this.time + STEP_S));
    this.#speed.addEventListener("change", () => (this.#audio.playbackRate = Number(this.#speed.value)));
    this.#audio.addEventListener("play", () => this.#playing(true));
    this.#audio.addEventListener("pause", () => this.#playing(false));
    this.#audio.addEventListener("seeked", () => this.#tell());
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  get time(): number {
    return this.#audio.currentTime;
  }

  get duration(): number {
    return this.#duration;
  }

  /** `duration` comes from the record: the length of a stream is unknown to the browser before its end. */
  load(address: string, duration: number): void {
    this.#duration = duration;
    if (this.#audio.getAttribute("src") !== address) this.#audio.src = address;
    this.#tell();
  }

  /** Calls `listener` with the time whenever that changes: for every picture while playing. */
  onTime(listener: (time: number) => void): void {
    this.#listeners.push(listener);
  }

  onFailure(listener: () => void): void {
    this.#audio.addEventListener("error", listener);
  }

  seek(time: number): void {
    this.#audio.currentTime = within(time, this.#duration);
    this.#tell();
  }

  playFrom(time: number): void {
    this.seek(time);
    void this.#audio.play().catch(() => this.#playing(false)); // A failure shows by the error event.
  }

  toggle(): void {
    if (this.#audio.paused) this.playFrom(this.time >= this.#duration - 0.05 ? 0 : this.time);
    else this.#audio.pause();
  }

  #playing(playing: boolean): void {
    this.#button.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.#button.dataset["playing"] = String(playing);
    this.#stopFrames?.();
    this.#stopFrames = playing ? everyFrame(() => this.#tell()) : null;
  }

  #tell(): void {
    this.#position.textContent = `${clockTime(this.time)} / ${clockTime(this.#duration)}`;
    for (const listener of this.#listeners) listener(this.time);
  }

  #key(event: KeyboardEvent): void {
    if (this.#duration === 0 || keyIsTaken(event)) return; // Without a recording the keys are the page's.
    const onControl = event.target instanceof HTMLElement && event.target.closest("button, a, summary") !== null;
    if (event.key === " " && !onControl) this.toggle();
    else if (event.key === "ArrowLeft") this.seek(this.time - STEP_S);
    else if (event.key === "ArrowRight") this.seek(this.time + STEP_S);
    else return;
    event.preventDefault();
  }
}
