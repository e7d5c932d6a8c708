/** A question that has to be answered before something that cannot be undone. */

import { el } from "./dom";

export interface Question {
  readonly title: string;
  readonly text: string;
  /** What the button says that goes on: a verb, never "OK". */
  readonly confirm: string;
  readonly cancel: string;
}

/** Resolves to true when the person goes on; closing the dialog by Escape is a no. */
export function confirmed(question: Question): Promise<boolean> {
  const dialog = el(
    "dialog",
    { class: "dialog", "aria-labelledby": "dialog-title", "data-testid": "dialog" },
    el(
      "form",
      { method: "dialog" },
      el("h2", { id: "dialog-title" }, question.title),
      el("p", {}, question.text),
      el(
        "div",
        { class: "dialog-buttons" },
        el("button", { class: "button", value: "no", autofocus: true }, question.cancel),
        el("button", { class: "button danger", value: "yes", "data-testid": "confirm" }, question.confirm),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
