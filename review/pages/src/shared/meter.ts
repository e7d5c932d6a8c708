/** How loud a track of sound is, for the eye. */

const FLOOR_DB = -60;
const CEILING_DB = -12;

/** Loudness of samples (-1 to 1) as 0 to 1, linear in decibels as ears are: -60 dBFS and less is 0, -12 and more is 1. */
export function levelOf(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / samples.length + 1e-12);
  return Math.max(0, Math.min(1, (decibels - FLOOR_DB) / (CEILING_DB - FLOOR_DB)));
}

/** Reads the level of one track whenever it is asked. */
export class LevelMeter {
  readonly #source: MediaStreamAudioSourceNode;
  readonly #analyser: AnalyserNode;
  readonly #samples: Float32Array<ArrayBuffer>;

  constructor(context: AudioContext, track: MediaStreamTrack) {
    this.#source = context.createMediaStreamSource(new MediaStream([track]));
    this.#analyser = context.createAnalyser();
    this.#analyser.fftSize = 1024;
    this.#samples = new Float32Array(this.#analyser.fftSize);
    this.#source.connect(this.#analyser);
  }

  /** 0 (silence) to 1 (loud). */
  level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    return levelOf(this.#samples);
  }

  close(): void {
    this.#source.disconnect();
  }
}

/** Draws a level into an element with the role `meter`; what assistive software reads changes in steps of ten. */
export function showLevel(meter: HTMLElement, level: number): void {
  meter.style.setProperty("--level", level.toFixed(3));
  const read = String(Math.round(level * 10) * 10);
  if (meter.getAttribute("aria-valuenow") !== read) meter.setAttribute("aria-valuenow", read);
}

/** Calls `draw` for every picture that the screen shows, until the returned function is called. */
export function everyFrame(draw: () => void): () => void {
  let handle = 0;
  const step = (): void => {
    draw();
    handle = requestAnimationFrame(step);
  };
  handle = requestAnimationFrame(step);
  return () => cancelAnimationFrame(handle);
}
