import { afterEach, describe, expect, it, vi } from "vitest";
import { api, ApiError, DIFFICULTIES, sentence, serverNow } from "../src/shared/api";

/** A server that answers everything in this way; it keeps what it was asked. */
function serving(answer: () => Response): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(async () => answer());
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("calls", () => {
  it("ask for what is new only, at an address that no name breaks", async () => {
    const fetched = serving(() => Response.json([]));
    expect(await api.events("a/b", 7)).toEqual([]);
    expect(fetched).toHaveBeenCalledWith("/api/interviews/a%2Fb/events?after=7", undefined);
  });

  it("send what was chosen as JSON", async () => {
    const created = { room: "r", livekit_url: "ws://x", token: "t", interview_id: "1", key: "k", report_url: "/replay/1" };
    const fetched = serving(() => Response.json(created, { status: 201 }));
    const request = {
      name: "Ada", pack: "backend", minutes: 20, feedback: "exam", difficulty: "hard", mode: "plan", focus_topics: [],
      resume: "", job_description: "", user_id: "", profile: null, pace: 1,
    } as const;
    expect(await api.create(request)).toEqual(created);
    const [path, { method, body }] = fetched.mock.calls[0] as unknown as [string, { method: string; body: string }];
    expect([path, method, JSON.parse(body)]).toEqual(["/api/interviews", "POST", request]);
  });

  it("let a tab back in with its key in a header, never in the address", async () => {
    const fetched = serving(() => Response.json({ room: "r", livekit_url: "ws://x", token: "t" }));
    await api.rejoin("1", "secret");
    expect(fetched).toHaveBeenCalledWith("/api/interviews/1/token", { method: "POST", headers: { Authorization: "Bearer secret" } });
  });

  it("fail with the server's sentence and its status", async () => {
    serving(() => Response.json({ detail: "The interview is not over yet." }, { status: 409 }));
    const error = await api.report("1").catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(ApiError);
    expect([(error as ApiError).status, sentence(error)]).toEqual([409, "The interview is not over yet."]);
  });

  it("say that nobody answers where nobody does", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("failed to fetch")));
    const error = await api.health().catch((failure: unknown) => failure);
    expect((error as ApiError).status).toBe(0);
    expect(sentence(error)).toContain("does not answer");
  });
});

describe("the server's clock", () => {
  it("is the one that interviews go by, however wrong the browser's is", async () => {
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1, 12, 0, 0) });
    serving(() => Response.json([], { headers: { Date: "Tue, 01 Jan 2030 12:05:00 GMT" } }));
    await api.packs();
    expect(serverNow()).toBe(Date.UTC(2030, 0, 1, 12, 5, 0) / 1000);
  });
});

describe("difficulties", () => {
  it("go from easy to hard", () => expect(DIFFICULTIES).toEqual(["easy", "medium", "hard"]));
});

describe("the monitor", () => {
  it("asks with the host's token in a header, at an address that no name breaks", async () => {
    const fetched = serving(() => Response.json({}));
    await api.monitor("ada é", "a/b", "secret");
    expect(fetched).toHaveBeenCalledWith("/monitor/api/ada%20%C3%A9.json?interview=a%2Fb", { headers: { Authorization: "Bearer secret" } });
    await api.monitor("ada", undefined, "");
    expect(fetched).toHaveBeenLastCalledWith("/monitor/api/ada.json", { headers: {} });
    expect(api.monitorStreamUrl("ada", "x")).toBe("/monitor/stream/ada?interview=x");
  });
});
