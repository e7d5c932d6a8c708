/** What the room's page shows, without knowing why. */

import { byId, el, keyIsTaken, show } from "../shared/dom";
import { remainingText } from "../shared/format";
import { everyFrame, showLevel } from "../shared/meter";
import { notice } from "../shared/notices";
import { hideTime, timeIsHidden } from "../shared/session";
import { Figure } from "./figure";
import { microphoneIcon } from "./icons";
import { WORDING, type RoomState } from "./state";

export interface Levels {
  readonly own: number;
  readonly interviewer: number;
}

export class RoomView {
  readonly captions = byId("captions", HTMLElement);
  readonly leave = byId("leave", HTMLButtonElement);
  readonly #mute = byId("mute", HTMLButtonElement);
  readonly #figure = new Figure();
  #remaining: number | null = null;

  constructor() {
    byId("figure", HTMLElement).append(this.#figure.element);
    byId("time-toggle", HTMLButtonElement).addEventListener("click", () => {
      hideTime(!timeIsHidden());
      this.showRemaining(this.#remaining);
    });
    this.showMuted(false);
    this.showState("connecting");
  }

  /** Calls `toggle` for a click on the microphone's button and for the key M. */
  onMute(toggle: () => void): void {
    this.#mute.disabled = false;
    this.#mute.addEventListener("click", toggle);
    document.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "m" || event.repeat || keyIsTaken(event)) return;
      event.preventDefault();
      toggle();
    });
  }

  showTitle(text: string): void {
    byId("title", HTMLElement).textContent = text;
    document.title = `${text} · Viva`;
  }

  showState(state: RoomState): void {
    const place = byId("state", HTMLElement);
    const { title, hint } = WORDING[state];
    this.#figure.show(state);
    place.dataset["state"] = state;
    // A status region is read aloud when its text changes; the same text again is no news.
    if (place.textContent !== title) place.textContent = title;
    byId("hint", HTMLElement).textContent = hint;
  }

  showProgress(text: string): void {
    byId("progress", HTMLElement).textContent = text;
  }

  showQuestion(text: string): void {
    byId("question-text", HTMLElement).textContent = text;
    show(byId("question", HTMLElement), text !== "");
  }

  /** Seconds left, or `null` while that is unknown. */
  showRemaining(seconds: number | null): void {
    this.#remaining = seconds;
    const hidden = timeIsHidden();
    const toggle = byId("time-toggle", HTMLButtonElement);
    byId("time", HTMLElement).textContent = seconds === null || hidden ? "" : remainingText(seconds);
    toggle.textContent = hidden ? "Show time" : "Hide";
    toggle.setAttribute("aria-label", hidden ? "Show time" : "Hide time");
    show(toggle, seconds !== null);
  }

  showMuted(muted: boolean): void {
    this.#mute.setAttribute("aria-pressed", String(muted));
    this.#mute.replaceChildren(
      microphoneIcon(muted),
      el("span", {}, muted ? "Unmute" : "Mute"),
      el("kbd", { "aria-hidden": "true" }, "M"),
    );
    byId("level", HTMLElement).classList.toggle("muted-level", muted);
  }

  /** Draws the voices' levels as long as the page is open. */
  drawLevels(levels: () => Levels): void {
    const own = byId("level", HTMLElement);
    everyFrame(() => {
      const now = levels();
      this.#figure.hear(Math.max(now.own * 0.7, now.interviewer));
      showLevel(own, now.own);
    });
  }

  /** For what cannot go on: the sentence stays, and everything else is quiet. */
  showProblem(text: string, wayOut: HTMLElement): void {
    this.showState("closed");
    notice("problem", "error", text, wayOut);
    show(this.leave, false);
    this.#mute.disabled = true;
  }
}
