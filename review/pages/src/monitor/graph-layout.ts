/**
 * Where the boxes of the interview graph go: from top to bottom, each as late as it can be before what follows it, so that
 * branches which run beside each other stand beside each other. Replies that end the turn at once have a column of their own.
 */

import type { GraphDrawing } from "../shared/schema";

export const BOX = { width: 146, height: 38, gapX: 14, gapY: 22 } as const;
const START = "__start__";
const END = "__end__";

export interface Box {
  readonly name: string;
  /** Its upper left corner. */
  readonly x: number;
  readonly y: number;
  /** A reply that ends the turn at once. */
  readonly aside: boolean;
}

export interface Layout {
  readonly boxes: ReadonlyMap<string, Box>;
  readonly width: number;
  readonly height: number;
}

export function layOut(graph: GraphDrawing): Layout {
  const aside = new Set(graph.nodes.filter((node) => isAside(graph, node)));
  const rows = rowsOf(graph, aside);
  const columns = Math.max(...rows.map((row) => row.length));
  const step = { x: BOX.width + BOX.gapX, y: BOX.height + BOX.gapY };
  const width = columns * step.x - BOX.gapX;
  const boxes = new Map<string, Box>();
  rows.forEach((row, rank) => {
    const left = (width - (row.length * step.x - BOX.gapX)) / 2;
    row.forEach((name, place) => boxes.set(name, { name, x: left + place * step.x, y: rank * step.y, aside: false }));
  });
  [...aside].forEach((name, place) => boxes.set(name, { name, x: width + 2 * BOX.gapX, y: (place + 1) * step.y, aside: true }));
  return {
    boxes,
    width: aside.size > 0 ? width + 2 * BOX.gapX + BOX.width : width,
    height: Math.max(rows.length, aside.size + 1) * step.y - BOX.gapY,
  };
}

/**
 * The edges that a turn went along, as `source target`: between nodes that ran one after the other, unless it went there
 * by way of others. Branches that ran beside each other are both among them.
 */
export function takenEdges(graph: GraphDrawing, ran: readonly string[]): ReadonlySet<string> {
  const forward = graph.edges.filter(({ source, target }) => ran.includes(source) && ran.indexOf(source) < ran.indexOf(target));
  const leads = (from: string, to: string): boolean => forward.some(({ source, target }) => source === from && (target === to || leads(target, to)));
  const roundabout = ({ source, target }: GraphDrawing["edges"][number]): boolean =>
    forward.some((first) => first.source === source && first.target !== target && leads(first.target, target));
  return new Set(forward.filter((edge) => !roundabout(edge)).map(({ source, target }) => `${source} ${target}`));
}

/** Nothing follows but the end of the turn, and something had to decide for it. */
function isAside(graph: GraphDrawing, node: string): boolean {
  const after = graph.edges.filter(({ source }) => source === node);
  const before = graph.edges.filter(({ target }) => target === node);
  return after.length > 0 && after.every(({ target }) => target === END) && before.length > 0 && before.every(({ conditional }) => conditional);
}

function rowsOf(graph: GraphDrawing, aside: ReadonlySet<string>): string[][] {
  const main = graph.nodes.filter((node) => !aside.has(node));
  const depths = new Map<string, number>();
  const depth = (node: string): number => {
    const known = depths.get(node);
    if (known !== undefined) return known;
    depths.set(node, 0); // A circle ends here.
    const after = graph.edges.filter(({ source, target }) => source === node && !aside.has(target));
    const found = Math.max(-1, ...after.map(({ target }) => depth(target))) + 1;
    depths.set(node, found);
    return found;
  };
  const deepest = Math.max(...main.map(depth));
  const rows = Array.from({ length: deepest + 1 }, (): string[] => []);
  for (const node of main) rows[node === START ? 0 : deepest - depth(node)]?.push(node);
  const filled = rows.filter((row) => row.length > 0);
  filled.forEach((row, rank) => rank > 0 && arrange(row, filled.slice(0, rank).flat(), graph));
  return filled;
}

/** Below what leads to them: each row in the order of the middles of its boxes' predecessors. */
function arrange(row: string[], above: readonly string[], graph: GraphDrawing): void {
  const middle = new Map(
    row.map((node, place) => {
      const before = graph.edges.filter(({ source, target }) => target === node && above.includes(source));
      const places = before.map(({ source }) => above.indexOf(source));
      return [node, places.length > 0 ? Math.max(...places) : place] as const;
    }),
  );
  row.sort((one, other) => (middle.get(one) ?? 0) - (middle.get(other) ?? 0));
}
