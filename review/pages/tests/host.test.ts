import { afterEach, describe, expect, it, vi } from "vitest";
import { api, ApiError } from "../src/shared/api";
import { HostCalls } from "../src/shared/host";

function never(): Promise<string | null> {
  throw new Error("nobody was to be asked");
}

/** A server that wants this token. */
function guarded(wanted: string): (token: string) => Promise<void> {
  return async (token) => {
    if (token === "") throw new ApiError(401, "Send the token.");
    if (token !== wanted) throw new ApiError(403, "This is not the token.");
  };
}

afterEach(() => vi.unstubAllGlobals());

describe("what only the host may do", () => {
  it("asks for nothing where no token is needed", async () => {
    expect(await new HostCalls(never).make(async () => undefined)).toBe(true);
  });

  it("asks for the token until it is right, says what was wrong, and asks once only", async () => {
    const asked: string[] = [];
    const given = ["wrong", "right"];
    const host = new HostCalls(async (problem) => {
      asked.push(problem);
      return given.shift() ?? null;
    });
    expect(await host.make(guarded("right"))).toBe(true);
    expect(await host.make(guarded("right"))).toBe(true);
    expect(asked).toEqual(["", "This is not the token."]);
  });

  it("gives up when the person does", async () => {
    expect(await new HostCalls(async () => null).make(guarded("right"))).toBe(false);
  });

  it.each([403, 409, 503])("leaves what no token helps against (%i) to be shown", async (status) => {
    const refused = new HostCalls(never).make(async () => {
      throw new ApiError(status, "No.");
    });
    await expect(refused).rejects.toThrow("No.");
  });

  it.each([
    ["", {}],
    ["right", { Authorization: "Bearer right" }],
  ])("deletes with the token %j", async (token, headers) => {
    const fetched = vi.fn(async () => new Response(null, { status: 204 }));
    vi.stubGlobal("fetch", fetched);
    await api.remove("a/b", token);
    expect(fetched).toHaveBeenCalledWith("/api/interviews/a%2Fb", { method: "DELETE", headers });
  });
});
