/** The few helpers that the pages need to build and find elements. */

type Child = Node | string | null | undefined | false;

interface Attributes {
  readonly [name: string]: string | number | boolean | undefined;
}

/** An element with attributes and children; `false` and `undefined` leave an attribute out, `true` sets it empty. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** The same for a part of a drawing. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** A field under its name. */
export function labelled(text: string, field: HTMLElement): HTMLElement {
  return el("div", {}, el("label", { class: "small-label", for: field.id }, text), field);
}

/** The element with this id, which the page's HTML promises to have, as the type that it promises. */
export function byId<T extends Element>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`This page has no ${type.name} with the id "${id}".`);
  return element;
}

/** Show or hide; hidden elements are hidden from screen readers too. */
export function show(element: HTMLElement, visible: boolean): void {
  element.hidden = !visible;
}

/** True when a key press is meant for what has the focus (a field, a button, an open dialog) and not for the page. */
export function keyIsTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.querySelector("dialog[open]") !== null) return true;
  const target = event.target;
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}
