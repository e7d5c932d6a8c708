/** Everything the pages ask of Viva's server: one function for each call. */

import type {
  Admission,
  BegunTextInterview,
  BookedCall,
  CreatedInterview,
  Difficulty,
  FeedbackMode,
  Health,
  InterviewDetail,
  InterviewRequest,
  InterviewSummary,
  IssuedPin,
  MonitorSnapshot,
  NoteRequest,
  NewBooking,
  NewPin,
  Pack,
  Person,
  PhoneInfo,
  ReadJob,
  ReadResume,
  Report,
  ReviewRelease,
  Stored,
  TextInterviewRequest,
  TextSession,
  TextTurn,
  TopicRequest,
  Transcript,
} from "./schema";

export const DIFFICULTIES = ["easy", "medium", "hard"] as const satisfies readonly Difficulty[];
export const FEEDBACK_MODES = ["coach", "interviewer", "exam"] as const satisfies readonly FeedbackMode[];

/** A call that failed. The message is a sentence for the person at the page. */
export class ApiError extends Error {
  /** The HTTP status, or 0 when no answer came at all. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

export const api = {
  packs: () => json<Pack[]>("/api/packs"),
  health: () => json<Health>("/api/health"),
  interviews: () => json<InterviewSummary[]>("/api/interviews"),
  interview: (id: string) => json<InterviewDetail>(address(id)),
  events: (id: string, after: number) => json<Stored[]>(`${address(id)}/events?after=${after}`),
  transcript: (id: string) => json<Transcript>(`${address(id)}/transcript`),
  report: (id: string) => json<Report>(`${address(id)}/report`),
  recordingUrl: (id: string) => `${address(id)}/recording`,

  create: (request: InterviewRequest) => json<CreatedInterview>("/api/interviews", sent(request)),

  /** Whether Viva can be called, and where; a PIN for an interview by phone. */
  phone: () => json<PhoneInfo>("/api/v1/phone"),
  makePin: (wanted: NewPin) => json<IssuedPin>("/api/v1/phone/pins", sent(wanted)),

  /** Calls that Viva makes: only the host may book, see and cancel them. */
  bookCall: (wanted: NewBooking, token: string) => json<BookedCall>("/api/v1/phone/bookings", sent(wanted, token)),
  bookedCalls: (token: string) => json<BookedCall[]>("/api/v1/phone/bookings", { headers: bearer(token) }),
  cancelCall: (id: string, token: string) => remove(`/api/v1/phone/bookings/${encodeURIComponent(id)}`, token),

  /** What the server reads in a file; nothing is kept. */
  readResume: (file: Blob, name: string) => json<ReadResume>(...upload("resume", file, name)),
  readJob: (file: Blob, name: string) => json<ReadJob>(...upload("job", file, name)),

  /** What is kept of somebody, by name; 404 when nothing is, 401 or 403 for whoever does not host Viva. */
  person: (name: string) => json<Person>(`/api/v1/profiles/${encodeURIComponent(name)}`),

  /** Admission for a tab that was in the interview before; 409 when the interview is over. */
  rejoin: (id: string, key: string) => json<Admission>(`${address(id)}/token`, { method: "POST", headers: bearer(key) }),

  /** What only the host sees of a person and one of their interviews, or the one that is running. */
  monitor: (person: string, interview: string | undefined, token: string) =>
    json<MonitorSnapshot>(`/monitor/api/${encodeURIComponent(person)}.json${oneInterview(interview)}`, { headers: bearer(token) }),
  monitorStreamUrl: (person: string, interview: string) => `/monitor/stream/${encodeURIComponent(person)}${oneInterview(interview)}`,

  /** Lets a turn go on that waits for a person. */
  release: async (id: string, turn: number, word: ReviewRelease, token: string): Promise<void> => {
    await answer(`/api/v1/reviews/${encodeURIComponent(id)}/${turn}/release`, sent(word, token));
  },

  /** Has the next question be about a topic; the candidate hears nothing of it. */
  wishTopic: (id: string, word: TopicRequest, token: string) => json(`/monitor/api/interviews/${encodeURIComponent(id)}/topic`, sent(word, token)),
  /** Writes a note for the report. */
  takeNote: (id: string, word: NoteRequest, token: string) => json(`/monitor/api/interviews/${encodeURIComponent(id)}/notes`, sent(word, token)),

  /** Begins an interview by text; the host's token, if there is one, lets it go by what is kept of the candidate. */
  beginByText: (request: TextInterviewRequest, token: string) => json<BegunTextInterview>("/api/v1/interview/start", sent(request, token)),
  /** What the candidate says, in an interview whose own key this is; also what comes of it. */
  sayByText: (id: string, response: string, key: string) => json<TextTurn>("/api/v1/interview/submit_response", sent({ session_id: id, response }, key)),
  /** Finishes a turn that was cut off, and tells what came of the last one. */
  resumeByText: (id: string, key: string) => json<TextTurn>(`/api/v1/interview/${encodeURIComponent(id)}/resume`, sent(null, key)),
  endByText: (id: string, key: string) => json<{ readonly closing: string }>("/api/v1/interview/end", sent({ session_id: id }, key)),
  byText: (id: string, key: string) => json<TextSession>(`/api/v1/interview/${encodeURIComponent(id)}`, { headers: bearer(key) }),

  /** Deletes a person with everything that is kept of them; 409 while an interview of theirs runs. */
  removePerson: (user: string, token: string) => remove(`/api/v1/profiles/${encodeURIComponent(user)}`, token),
  /** Removes one proof of a strength or weakness. */
  removeEvidence: (user: string, evidence: number, token: string) => remove(`/api/v1/profiles/${encodeURIComponent(user)}/evidence/${evidence}`, token),

  /** Deletes everything that is kept of an interview, for good; 409 while it runs. The token is the host's, if it has one. */
  remove: (id: string, token: string) => remove(address(id), token),
};

let serverAhead_ms = 0;

/** Seconds since the epoch by the server's clock, as near as its last answer's `Date` tells (one second). */
export function serverNow(): number {
  return (Date.now() + serverAhead_ms) / 1000;
}

function address(id: string): string {
  return `/api/interviews/${encodeURIComponent(id)}`;
}

/** A POST; `null` has no body. */
function sent(body: unknown, token = ""): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json", ...bearer(token) }, body: body === null ? null : JSON.stringify(body) };
}

function upload(what: "resume" | "job", file: Blob, name: string): [string, RequestInit] {
  const headers = { "Content-Type": "application/octet-stream" };
  return [`/api/v1/documents/${what}?name=${encodeURIComponent(name)}`, { method: "POST", headers, body: file }];
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await answer(path, init)).json()) as T;
}

async function remove(path: string, token: string): Promise<void> {
  await answer(path, { method: "DELETE", headers: bearer(token) });
}

async function answer(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError(0, "Viva's server does not answer. See whether it still runs, then try again.");
  }
  const date = Date.parse(response.headers.get("Date") ?? "");
  if (!Number.isNaN(date)) serverAhead_ms = date - Date.now();
  if (response.ok) return response;
  throw new ApiError(response.status, problemOf(response.status, await response.text()));
}

/** The sentence in an error's body, which is problem details (RFC 9457): `detail` is for people. */
export function problemOf(status: number, body: string): string {
  const fallback = `The server answered with an error (HTTP ${status}). Its log says more.`;
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    return typeof detail === "string" && detail !== "" ? detail : fallback;
  } catch {
    return fallback;
  }
}

/** The sentence of any failure, for showing. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function oneInterview(id: string | undefined): string {
  return id === undefined ? "" : `?interview=${encodeURIComponent(id)}`;
}

/** A token, if there is one. */
function bearer(token: string): Record<string, string> {
  return token === "" ? {} : { Authorization: `Bearer ${token}` };
}
