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
export async function confirmed(question: Question): Promise<boolean> {
  return shown(question, "danger");
}

/** Resolves to the secret that the person typed, and to null when they did not. */
export async function secretFor(question: Question): Promise<string | null> {
  const field = el("input", { class: "input", type: "password", required: true, autocomplete: "off", "aria-label": question.title });
  const given = await shown(question, "primary", field);
  return given && field.value.trim() !== "" ? field.value.trim() : null;
}

/** Resolves to true when the person goes on after typing `expected`, for what nobody may do by a slip. */
export async function confirmedByTyping(question: Question & { readonly goes: readonly string[] }, expected: string): Promise<boolean> {
  const field = el("input", { class: "input", autocomplete: "off", spellcheck: "false", "aria-label": `Type ${expected} to confirm` });
  const check = (): void => field.setCustomValidity(field.value.trim() === expected ? "" : `Type ${expected} to delete it.`);
  field.addEventListener("input", check);
  check();
  const list = el("ul", { class: "goes" }, ...question.goes.map((each) => el("li", {}, each)));
  return shown(question, "danger", el("div", {}, list, el("p", {}, "Type ", el("code", {}, expected), " to confirm."), field), field);
}

function shown(question: Question, confirm: "danger" | "primary", content?: HTMLElement, field = content): Promise<boolean> {
  // It submits nothing, because Enter in the field presses the first button that does.
  const cancel = el("button", { class: "button", type: "button", autofocus: field === undefined }, question.cancel);
  const dialog = el(
    "dialog",
    { class: "dialog", "aria-labelledby": "dialog-title", "data-testid": "dialog" },
    el(
      "form",
      { method: "dialog" },
      el("h2", { id: "dialog-title" }, question.title),
      el("p", {}, question.text),
      content,
      el(
        "div",
        { class: "dialog-buttons" },
        cancel,
        el("button", { class: `button ${confirm}`, value: "yes", "data-testid": "confirm" }, question.confirm),
      ),
    ),
  );
  cancel.addEventListener("click", () => dialog.close("no"));
  document.body.append(dialog);
  dialog.showModal();
  field?.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
