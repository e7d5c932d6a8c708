/** Sentences that concern the whole page, in its element `notices`. */

import { byId, el } from "./dom";

export type NoticeKind = "info" | "warning" | "error";

/** Shows a notice, in place of the one of the same name. */
export function notice(name: string, kind: NoticeKind, text: string, ...actions: HTMLElement[]): void {
  const shown = named(name);
  if (shown?.firstElementChild?.textContent === text) return; // Screen readers would say it again.
  shown?.remove();
  byId("notices", HTMLElement).append(
    el("div", { class: `notice ${kind}`, "data-notice": name }, el("p", {}, text), ...actions),
  );
}

export function withdraw(name: string): void {
  named(name)?.remove();
}

/** A button for a notice. */
export function action(text: string, pressed: () => void): HTMLElement {
  const button = el("button", { class: "button small", type: "button" }, text);
  button.addEventListener("click", pressed);
  return button;
}

/** A link for a notice. */
export function way(text: string, address: string): HTMLElement {
  return el("a", { class: "button small", href: address }, text);
}

function named(name: string): Element | null {
  return document.querySelector(`[data-notice="${name}"]`);
}
