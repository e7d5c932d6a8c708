/** The microphone's card: opens it, shows how loud it is, lets another one be chosen. */

import { byId, el, show } from "../shared/dom";
import { everyFrame, LevelMeter, showLevel } from "../shared/meter";
import { microphoneProblem, microphones, openMicrophone } from "../shared/microphone";
import { chosenMicrophone, rememberMicrophone } from "../shared/session";

/** Louder than the noise of most rooms, softer than speech. */
const SPEECH_LEVEL = 0.4;

export class MicrophoneCheck {
  readonly #text = byId("microphone-text", HTMLElement);
  readonly #problem = byId("microphone-problem", HTMLElement);
  readonly #live = byId("microphone-live", HTMLElement);
  readonly #level = byId("microphone-level", HTMLElement);
  readonly #devices = byId("device", HTMLSelectElement);
  readonly #button = byId("microphone-check", HTMLButtonElement);
  #stop: (() => void) | null = null;

  constructor() {
    this.#button.addEventListener("click", () => void (this.#stop === null ? this.#start() : this.stop()));
    this.#devices.addEventListener("change", () => {
      rememberMicrophone(this.#devices.value);
      void this.#start();
    });
  }

  /** Opens the microphone once, so that the browser asks for permission here and not in the room. */
  async permitted(): Promise<boolean> {
    if (this.#stop !== null) return true;
    try {
      for (const track of (await openMicrophone(chosenMicrophone())).getTracks()) track.stop();
      show(this.#problem, false);
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  stop(): void {
    this.#stop?.();
    this.#stop = null;
    show(this.#live, false);
    this.#button.textContent = "Check microphone";
  }

  async #start(): Promise<void> {
    this.stop();
    show(this.#problem, false);
    try {
      const stream = await openMicrophone(chosenMicrophone());
      await this.#listDevices(stream);
      this.#run(stream);
    } catch (error) {
      this.#fail(error);
    }
  }

  #run(stream: MediaStream): void {
    const [track] = stream.getAudioTracks();
    if (track === undefined) return;
    const context = new AudioContext();
    const meter = new LevelMeter(context, track);
    let heard = false;
    const stopDrawing = everyFrame(() => {
      const level = meter.level();
      showLevel(this.#level, level);
      if (!heard && level > SPEECH_LEVEL) {
        heard = true;
        this.#text.textContent = "Viva can hear you.";
      }
    });
    this.#stop = () => {
      stopDrawing();
      meter.close();
      track.stop();
      void context.close();
    };
    this.#text.textContent = "Say a few words: the bar should move.";
    this.#button.textContent = "Stop the check";
    show(this.#live, true);
  }

  async #listDevices(stream: MediaStream): Promise<void> {
    const inUse = stream.getAudioTracks()[0]?.getSettings().deviceId;
    const options = (await microphones()).map((device) =>
      el("option", { value: device.deviceId, selected: device.deviceId === inUse }, device.label || "Microphone"),
    );
    this.#devices.replaceChildren(...options);
  }

  #fail(error: unknown): void {
    this.stop();
    this.#problem.textContent = microphoneProblem(error);
    show(this.#problem, true);
  }
}
