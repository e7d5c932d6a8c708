import { describe, expect, it } from "vitest";
import { BOX, layOut, takenEdges } from "../src/monitor/graph-layout";
import { captionOf } from "../src/monitor/graph-view";
import { partsOf, verdictOn } from "../src/monitor/latency-view";
import { EventParser } from "../src/monitor/stream";
import { clockText, durationText, phaseText, timeOfDay } from "../src/monitor/words";
import type { GraphDrawing, RuntimeState, TurnLatency } from "../src/shared/schema";

const STREAM = ": hello\n\nevent: activity\ndata: {\"seq\":1}\nid: 1\n\n: ping\n\nevent: state\ndata: {}\n\nevent: activity\ndata: {\"seq\":2}\nid: 2\n\n";

describe("server-sent events", () => {
  it("are the same wherever the pieces are broken", () => {
    const whole = new EventParser().push(STREAM);
    expect(whole).toEqual([
      { event: "activity", data: '{"seq":1}', id: "1" },
      { event: "state", data: "{}", id: "1" },
      { event: "activity", data: '{"seq":2}', id: "2" },
    ]);
    for (let place = 0; place <= STREAM.length; place += 1) {
      const parser = new EventParser();
      expect([...parser.push(STREAM.slice(0, place)), ...parser.push(STREAM.slice(place))]).toEqual(whole);
    }
  });

  it("may have several lines of data, and what is cut off is none", () => {
    expect(new EventParser().push("data: a\ndata: b\n\ndata: c")).toEqual([{ event: "message", data: "a\nb", id: "" }]);
  });
});

const edge = (source: string, target: string, conditional = false): GraphDrawing["edges"][number] => ({ source, target, conditional });
const GRAPH: GraphDrawing = {
  nodes: ["__start__", "hear", "judge", "feedback", "choose", "check", "reply", "tidy", "__end__"],
  edges: [
    edge("__start__", "hear"),
    edge("hear", "judge", true),
    edge("hear", "reply", true),
    edge("judge", "feedback"),
    edge("judge", "choose"),
    edge("feedback", "check"),
    edge("choose", "check"),
    edge("check", "tidy"),
    edge("tidy", "__end__"),
    edge("reply", "__end__"),
  ],
};

describe("the graph", () => {
  const { boxes, width, height } = layOut(GRAPH);
  const at = (name: string) => boxes.get(name) ?? { x: NaN, y: NaN, aside: false };

  it("has branches that run beside each other side by side", () => {
    expect(at("feedback").y).toBe(at("choose").y);
    expect(at("feedback").x).not.toBe(at("choose").x);
  });

  it("goes down along every edge, and short replies stand aside", () => {
    for (const { source, target } of GRAPH.edges.filter((one) => one.source !== "reply" && one.target !== "reply")) expect(at(source).y).toBeLessThan(at(target).y);
    expect([...boxes.values()].filter(({ aside }) => aside).map(({ name }) => name)).toEqual(["reply"]);
  });

  it("has a place of its own for every node, within the picture", () => {
    const places = [...boxes.values()];
    expect(places.length).toBe(GRAPH.nodes.length);
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(places.length);
    for (const { x, y } of places) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + BOX.width).toBeLessThanOrEqual(width);
      expect(y + BOX.height).toBeLessThanOrEqual(height);
    }
  });

  it("lights the way that was taken, through both branches, and no short cut past it", () => {
    const cut: GraphDrawing = { ...GRAPH, edges: [...GRAPH.edges, edge("hear", "check", true)] };
    const taken = takenEdges(cut, ["hear", "judge", "choose", "feedback", "check"]);
    expect([...taken].sort()).toEqual(["choose check", "feedback check", "hear judge", "judge choose", "judge feedback"]);
    expect([...takenEdges(cut, ["hear", "check"])]).toEqual(["hear check"]);
    expect(takenEdges(cut, []).size).toBe(0);
  });

  it("is told in words as well", () => {
    expect(captionOf([], 3)).toBe("Nothing has run in this turn yet.");
    expect(captionOf([{ node: "judge", seconds: 0.0121, at: 1 }], 3)).toBe("In turn 3 ran 1 node: judge (12 ms).");
    expect(captionOf([{ node: "greet", seconds: 1.25, at: 1 }], 0)).toBe("Before the first answer ran 1 node: greet (1.3 s).");
  });
});

const LATENCY: TurnLatency = { turn: 1, over_s: 0.5, judged_s: 0.7, first_sound_s: 1, first_sound: "feedback", question_s: 4, budget_s: 1 };

describe("waiting", () => {
  it("is within its budget, late, or not over", () => {
    expect([1, 1.001, null].map((first_sound_s) => verdictOn({ ...LATENCY, first_sound_s }))).toEqual(["within", "late", "pending"]);
  });

  it("has parts that follow each other and stay in the bar", () => {
    expect(partsOf({ ...LATENCY, budget_s: 0.5 })).toEqual({ over: 0.5 / 1.5, judged: 0.7 / 1.5, rest: 1 / 1.5 });
    expect(partsOf({ ...LATENCY, over_s: 9, judged_s: 12, first_sound_s: 10 })).toEqual({ over: 1, judged: 1, rest: 1 });
    expect(partsOf({ ...LATENCY, judged_s: null, first_sound_s: null, budget_s: 0.5 })).toEqual({ over: 0.5 / 1.5, judged: 0.5 / 1.5, rest: 0.5 / 1.5 });
  });
});

const STATE = {
  phase: "listening",
  end_reason: null,
  clock: { as_of: 100, elapsed_s: 60, remaining_s: 120, runs: true },
} as RuntimeState;

describe("words", () => {
  it("count the time on, unless it stands still", () => {
    expect(clockText(STATE, 130)).toEqual({ elapsed: "1:30", remaining: "1:30 (about 2 minutes left)" });
    expect(clockText({ ...STATE, clock: { ...STATE.clock, runs: false } }, 130).elapsed).toBe("1:00");
    expect(clockText(STATE, 900).remaining).toBe("0:00 (time is up)");
    expect(clockText({ ...STATE, phase: "ended" }, 130).remaining).toBe("none, it is over");
  });

  it("say why an interview is over", () => {
    expect(phaseText({ ...STATE, phase: "ended", end_reason: "time_up" })).toBe("Over: time up");
    expect(phaseText(STATE)).toContain("candidate has the word");
  });

  it("are short for what is short", () => {
    expect([0.0004, 0.0123, 0.9994, 1.25].map(durationText)).toEqual(["0 ms", "12 ms", "999 ms", "1.3 s"]);
    expect(timeOfDay(1_700_000_000, "en-GB", "UTC")).toBe("22:13:20");
  });
});
