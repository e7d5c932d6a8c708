/** Reading of server-sent events with a header of one's own, which the browser's EventSource does not send. */

import { ApiError, problemOf } from "../shared/api";

export interface SentEvent {
  readonly event: string;
  readonly data: string;
  /** The last id that was sent with or before it; empty when there was none. */
  readonly id: string;
}

/** Puts events together from pieces of text, wherever these are broken. */
export class EventParser {
  #rest = "";
  #id = "";

  push(text: string): SentEvent[] {
    const blocks = (this.#rest + text).replaceAll("\r\n", "\n").split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.map((block) => this.#event(block)).filter((event) => event.data !== "");
  }

  #event(block: string): SentEvent {
    let event = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      if (colon <= 0) continue; // A comment keeps the line open and says nothing.
      const value = line.slice(colon + 1).replace(/^ /, "");
      const field = line.slice(0, colon);
      if (field === "event") event = value;
      if (field === "data") data.push(value);
      if (field === "id") this.#id = value;
    }
    return { event, data: data.join("\n"), id: this.#id };
  }
}

/** Hands over each event until the stream ends; fails when it cannot be had. A broken line is an end like any other. */
export async function follow(
  address: string,
  { token, after, signal, take }: { token: string; after: number; signal: AbortSignal; take: (event: SentEvent) => void },
): Promise<void> {
  const headers: Record<string, string> = { "Last-Event-ID": String(after) };
  if (token !== "") headers["Authorization"] = `Bearer ${token}`;
  const response = await fetch(address, { headers, signal });
  if (!response.ok || response.body === null) throw new ApiError(response.status, problemOf(response.status, await response.text()));
  const parser = new EventParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of parser.push(value)) take(event);
  }
}
