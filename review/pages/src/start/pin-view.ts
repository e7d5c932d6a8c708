/** A PIN as it is shown, with the number to dial. */

import { el } from "../shared/dom";
import { dateText } from "../shared/format";
import type { IssuedPin } from "../shared/schema";

/** The PIN and what to do with it: read digit by digit by screen readers, and copied without the spaces. */
export function pinView(made: Pick<IssuedPin, "pin" | "number" | "valid_until">): HTMLElement[] {
  const until = made.valid_until === null ? "" : ` until ${dateText(made.valid_until)}`;
  return [
    el(
      "dl",
      {},
      el("dt", {}, "Call"),
      el("dd", { "data-testid": "number" }, numberView(made.number)),
      el("dt", {}, "PIN"),
      el("dd", {}, el("span", { class: "visually-hidden" }, spelled(made.pin)), digitsView(made.pin), copyButton(made.pin)),
    ),
    el("p", {}, `Type it when Viva answers, and press #. It is for one interview${until}, and is not shown again.`),
  ];
}

/** `700099` → `7 0 0 0 9 9`: digits that nobody reads as seven hundred thousand. */
export function spelled(pin: string): string {
  return [...pin].join(" ");
}

/** `700099` → `700 099`: in groups of two to four digits. */
export function grouped(pin: string): string {
  const size = pin.length % 3 === 0 ? 3 : pin.length % 4 === 0 ? 4 : 2;
  return pin.match(new RegExp(`.{1,${size}}`, "g"))?.join("\u00a0") ?? pin;
}

function digitsView(pin: string): HTMLElement {
  return el("span", { class: "pin", "aria-hidden": "true", "data-testid": "pin" }, grouped(pin));
}

/** A telephone dials it when it is touched. */
function numberView(number: string): HTMLElement {
  if (number === "") return el("span", {}, "the number that your host told you");
  const dialled = number.replaceAll(/[\s()/.-]/g, "");
  if (!/^\+?[0-9*]+$/.test(dialled)) return el("span", { class: "number" }, number);
  return el("a", { class: "number", href: `tel:${dialled}` }, number);
}

function copyButton(pin: string): HTMLElement {
  const button = el("button", { class: "button small", type: "button", "aria-label": "Copy the PIN" }, "Copy");
  button.addEventListener("click", () => void copied(pin, button));
  return button;
}

/** Browsers let a page copy only when it came from this machine or over HTTPS; else the digits are marked to be copied. */
async function copied(pin: string, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(pin);
    button.textContent = "Copied";
    button.setAttribute("aria-label", "Copied");
  } catch {
    const digits = button.parentElement?.querySelector(".pin");
    if (digits) getSelection()?.selectAllChildren(digits);
    button.textContent = "Marked: press Ctrl+C";
    button.setAttribute("aria-label", "The PIN is marked: press Control and C");
  }
}
