import { describe, expect, it } from "vitest";
import { BOX, layOut, takenEdges } from "../src/monitor/graph-layout";
import { noteText, wishText } from "../src/monitor/coach-view";
import { captionOf } from "../src/monitor/graph-view";
import { partsOf, verdictOn } from "../src/monitor/latency-view";
import { placeText, whatGoes } from "../src/monitor/profile-actions";
import { broughtAlong, greetingText } from "../src/monitor/start-form";
import { EventParser } from "../src/monitor/stream";
import { forThePage, linesOf } from "../src/monitor/text-interview";
import { clockText, durationText, phaseText, timeOfDay } from "../src/monitor/words";
import type { GraphDrawing, MonitorSnapshot, Person, Profile, ReadResume, RuntimeState, TextTurn, TurnLatency, WishedTopic } from "../src/shared/schema";

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

const QUESTION = { id: "q", text: "Why?", topic: "t", estimated_time_minutes: 3, kind: "retrieved", as_asked: "Let's go on. Why?" };
const TURN: TextTurn = {
  session_id: "a",
  turn: 1,
  feedback: "Well said.",
  replies: [],
  next_question: QUESTION,
  progress: { questions_completed: 1, target_questions: 5, time_elapsed_minutes: 1, time_remaining_minutes: 9 },
  continue_interview: true,
  end_reason: null,
  waits_for_review: false,
};
const texts = (turn: TextTurn, last: string): string[] => linesOf(turn, last).map(({ text }) => text);

describe("an interview by text", () => {
  it("has what was said in its order", () => {
    expect(linesOf(TURN, "")).toEqual([
      { who: "Interviewer", text: "Well said.", kind: "feedback" },
      { who: "Interviewer", text: "Let's go on. Why?", kind: "question" },
    ]);
  });

  it("says what went wrong in words of the page", () => {
    expect(forThePage("Nothing is lost: POST /api/v1/interview/3286/resume tries again.")).toBe("Nothing is lost: “Finish the last turn” tries again.");
  });

  it("repeats the open question only when nothing else is said", () => {
    const hint = { ...TURN, feedback: "", replies: [{ kind: "reply", text: "A hint." }] } as TextTurn;
    expect(texts(hint, QUESTION.as_asked)).toEqual(["A hint."]);
    expect(texts({ ...TURN, feedback: "" }, QUESTION.as_asked)).toEqual([QUESTION.as_asked]);
    expect(texts({ ...TURN, next_question: null }, "")).toEqual(["Well said."]);
  });
});

const PROFILE = { name: "Ada", domain: "", skills: ["Python"] } as unknown as Profile;
const PERSON = { user_id: "ada", profile: PROFILE, evidence: [], achievement: { interviews: 2 } } as unknown as Person;
const READ = { text: "CV", notes: [], profile: { ...PROFILE, skills: ["Rust"] } } as unknown as ReadResume;

describe("a new interview", () => {
  it("brings along what was typed, with all else as it is known", () => {
    expect(broughtAlong(PERSON, null, "")).toEqual({});
    expect(broughtAlong(null, READ, "")).toEqual({ resume: "CV" });
    expect(broughtAlong(PERSON, null, "Backend")).toEqual({ profile: { ...PROFILE, domain: "Backend" } });
    expect(broughtAlong(PERSON, READ, "Backend")).toEqual({ resume: "CV", profile: { ...PROFILE, skills: ["Rust"], domain: "Backend" } });
  });

  it("asks nobody again for what is known", () => {
    expect(greetingText({ userId: "ada", person: PERSON, toAsk: [] })).toContain("not asked for again");
    expect(greetingText({ userId: "ada", person: PERSON, toAsk: ["domain"] })).toBe("They have been here for 2 interviews, and are welcomed back. Only what is not known yet is asked for.");
    expect(greetingText({ userId: "ada", person: null, toAsk: ["domain", "resume"] })).toContain("Nothing is known");
  });
});

const WISH: WishedTopic = { number: 4, topic: "t", title: "Caching", by: "Grace", at: 1, status: "waits", turn: 0, why: "" };

describe("coaching", () => {
  it("says what came of a topic, and why not", () => {
    expect(wishText(WISH)).toBe("Caching (Grace): waits for the next question.");
    expect(wishText({ ...WISH, by: "", status: "asked", turn: 3 })).toBe("Caching: asked about after turn 3.");
    expect(wishText({ ...WISH, status: "not_asked", why: "Everything about it was asked." })).toBe("Caching (Grace): not asked about. Everything about it was asked.");
  });

  it("says what a note is about", () => {
    expect(noteText({ by: "Grace", note: "Calm.", turn: 0, at: 1 })).toBe("Grace on the interview: “Calm.”");
    expect(noteText({ by: "Grace", note: "Calm.", turn: 2, at: 1 })).toBe("Grace on turn 2: “Calm.”");
  });
});

describe("deleting a person", () => {
  it("lists what goes, and nothing that is not there", () => {
    const voice = { medium: "voice" } as MonitorSnapshot["interviews"][number];
    const all = whatGoes({ person: PERSON, vector: null, interviews: [voice, voice], user_id: "ada" });
    expect(all).toHaveLength(3);
    expect(all[2]).toContain("2 interviews with record, report, checkpoints and recording");
    expect(whatGoes({ person: null, vector: null, interviews: [{ ...voice, medium: "phone" }], user_id: "ada" })[0]).toContain("and recording");
    expect(whatGoes({ person: null, vector: null, interviews: [{ ...voice, medium: "text" }], user_id: "ada" })).toEqual(["1 interview with record, report, checkpoints, and every note about them"]);
  });

  it("tells where a proof was said", () => {
    expect(placeText({ turn: 2, start_s: 61 })).toBe("Turn 2, at 1:01");
    expect(placeText({ turn: 2, start_s: null })).toBe("Turn 2, in writing");
  });
});
