/** The interview graph as it is compiled, with what ran in this turn lit. */

import { el, svg } from "../shared/dom";
import { plural } from "../shared/format";
import type { GraphDrawing, NodeRun } from "../shared/schema";
import { BOX, layOut, takenEdges, type Box, type Layout } from "./graph-layout";
import { durationText } from "./words";

const TERMINAL: Record<string, string> = { __start__: "start", __end__: "turn over" };

export class GraphView {
  /** They stay, so that whoever scrolled is left there. */
  readonly #picture = el("div", { class: "graph-scroll", tabindex: 0, role: "group", "aria-label": "Picture of the graph" });
  readonly #caption = el("figcaption", { "data-testid": "graph-runs" });
  readonly #graph: GraphDrawing;
  readonly #layout: Layout;

  constructor(place: HTMLElement, graph: GraphDrawing) {
    this.#graph = graph;
    this.#layout = layOut(graph);
    place.replaceChildren(this.#picture, this.#caption);
  }

  draw(runs: readonly NodeRun[], turn: number): void {
    const { width, height, boxes } = this.#layout;
    const taken = takenEdges(this.#graph, runs.map(({ node }) => node));
    const picture = svg(
      "svg",
      { viewBox: `-2 -2 ${width + 4} ${height + 4}`, "aria-hidden": "true", width: width + 4, height: height + 4 },
      ...this.#graph.edges.map((edge) => this.#edge(edge, taken)),
      ...[...boxes.values()].map((box) => boxOf(box, runs.find(({ node }) => node === box.name), runs.at(-1)?.node === box.name)),
    );
    this.#picture.replaceChildren(picture);
    this.#caption.textContent = captionOf(runs, turn);
  }

  #edge({ source, target, conditional }: GraphDrawing["edges"][number], taken: ReadonlySet<string>): SVGElement | null {
    const from = this.#layout.boxes.get(source);
    const to = this.#layout.boxes.get(target);
    if (from === undefined || to === undefined || from.aside) return null;
    const style = `edge${conditional ? " conditional" : ""}${taken.has(`${source} ${target}`) ? " taken" : ""}`;
    return svg("path", { d: pathOf(from, to), class: style });
  }
}

export function captionOf(runs: readonly NodeRun[], turn: number): string {
  if (runs.length === 0) return "Nothing has run in this turn yet.";
  const when = turn === 0 ? "Before the first answer" : `In turn ${turn}`;
  return `${when} ran ${plural(runs.length, "node")}: ${runs.map((run) => `${run.node} (${durationText(run.seconds)})`).join(", ")}.`;
}

function boxOf(box: Box, run: NodeRun | undefined, last: boolean): SVGElement {
  const terminal = TERMINAL[box.name];
  const state = run === undefined ? "" : last ? " ran last" : " ran";
  const middle = box.x + BOX.width / 2;
  return svg(
    "g",
    { class: `node${state}${terminal === undefined ? "" : " terminal"}`, "data-node": box.name },
    svg("rect", { x: box.x, y: box.y, width: BOX.width, height: BOX.height, rx: terminal === undefined ? 8 : BOX.height / 2 }),
    svg("text", { x: middle, y: box.y + (run === undefined ? 23 : 17), class: "node-name" }, terminal ?? box.name),
    run && svg("text", { x: middle, y: box.y + 31, class: "node-time" }, durationText(run.seconds)),
  );
}

function pathOf(from: Box, to: Box): string {
  const below = { x: from.x + BOX.width / 2, y: from.y + BOX.height };
  if (to.aside) {
    const [x, y] = [to.x, to.y + BOX.height / 2];
    const right = { x: from.x + BOX.width, y: from.y + BOX.height / 2 };
    return `M${right.x} ${right.y} C${x - 24} ${right.y} ${x - 24} ${y} ${x} ${y}`;
  }
  const above = { x: to.x + BOX.width / 2, y: to.y };
  const bend = Math.max(14, (above.y - below.y) / 2);
  return `M${below.x} ${below.y} C${below.x} ${below.y + bend} ${above.x} ${above.y - bend} ${above.x} ${above.y}`;
}
