/** The monitor's page: a person and their interview, live, for whoever hosts Viva. */

import { api, ApiError, sentence, serverNow } from "../shared/api";
import { byId, el, show } from "../shared/dom";
import { dateText, plural } from "../shared/format";
import { askForToken, HostCalls } from "../shared/host";
import { notice, way, withdraw } from "../shared/notices";
import type { ActivityLine, MonitoredInterview, MonitorSnapshot, Pack } from "../shared/schema";
import { ActivityView } from "./activity-view";
import { CoachView } from "./coach-view";
import { GraphView } from "./graph-view";
import { latencyPanel } from "./latency-view";
import { profilePanel, scoresPanel, statePanel, tick, vectorPanel } from "./panels";
import { deletePerson, evidenceList } from "./profile-actions";
import { reviewForm } from "./review-form";
import { EVERYTHING } from "./start-form";
import { follow, type SentEvent } from "./stream";
import { TextInterview } from "./text-interview";
import { kindText, phaseText } from "./words";

const AGAIN_MS = 3000;
/** The profile is changed a moment after the end. */
const COUNTED_MS = 1500;
/** How often is looked whether somebody begins a new interview. */
const NEXT_INTERVIEW_MS = 15_000;

const path = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
const host = new HostCalls(askForToken("watch", "Watch", "Leave"));
const activity = new ActivityView(byId("activity", HTMLElement));
/** The one interview that the address names; else it is the running one. */
const wanted = path[1] === "interview" ? path[2] : undefined;
const textPlace = byId("text-place", HTMLElement);
const text = new TextInterview(textPlace, () => host.token, followNew);
const coach = new CoachView(byId("coach-place", HTMLElement), {
  wish: (id, word) => api.wishTopic(id, word, host.token),
  note: async (id, word) => {
    await api.takeNote(id, word, host.token);
    if (snapshot?.interview?.state.phase === "ended") await refresh();
  },
});
let packs: readonly Pack[] = [];
let snapshot: MonitorSnapshot | null = null;
let graph: GraphView | null = null;
let watching: AbortController | null = null;
let next: ReturnType<typeof setTimeout> | undefined;

void begin();
setInterval(() => snapshot?.interview && tick(snapshot.interview.state, serverNow()), 1000);

async function begin(): Promise<void> {
  let person = path[1] ?? "";
  try {
    packs = await api.packs();
    if (wanted !== undefined) person = (await api.interview(wanted)).user_id;
    const allowed = await host.make(async (token) => {
      snapshot = await api.monitor(person, wanted, token);
    });
    if (!allowed || snapshot === null) return notice("status", "warning", "Nothing is shown without the host's token.", way("All interviews", "/"));
    withdraw("status");
    draw(snapshot);
  } catch (error) {
    const unknown = error instanceof ApiError && error.status === 404 && wanted === undefined;
    notice("status", unknown ? "info" : "error", sentence(error), way("All interviews", "/"));
    if (unknown) return offerToBegin(person);
    // What the server says of the person stands until they do something about it.
    if (error instanceof ApiError && error.status !== 0 && error.status < 500) return connection("");
    setTimeout(() => void begin(), AGAIN_MS);
  }
}

/** An address that names one interview shows no other. */
function followNew(): void {
  if (wanted === undefined || snapshot === null) void begin();
  else location.assign(`/monitor/${encodeURIComponent(snapshot.user_id)}`);
}

/** Nobody here is known by that name: an interview makes them known. */
function offerToBegin(person: string): void {
  connection("");
  byId("title", HTMLElement).textContent = person;
  moveText(byId("begin-card", HTMLElement));
  show(byId("begin-card", HTMLElement), true);
  text.follow({ userId: person, person: null, toAsk: EVERYTHING }, null, packs);
}

/** Whoever writes goes on writing. */
function moveText(card: HTMLElement): void {
  if (textPlace.parentElement === card) return;
  const focused = textPlace.contains(document.activeElement) && document.activeElement instanceof HTMLElement ? document.activeElement : null;
  card.append(textPlace);
  focused?.focus();
}

function draw(now: MonitorSnapshot): void {
  clearTimeout(next);
  show(byId("panels", HTMLElement), true);
  show(byId("begin-card", HTMLElement), false);
  moveText(byId("text-card", HTMLElement));
  graph = new GraphView(byId("graph", HTMLElement), now.graph);
  drawProfile(now);
  activity.clear();
  activity.add(now.activity);
  drawInterview(now);
  if (now.interview === null) return waitForTheNext();
  if (now.interview.state.phase === "ended") {
    connection("Ended");
    return waitForTheNext();
  }
  void watch(now.user_id, now.interview.interview_id);
}

function drawProfile(now: MonitorSnapshot): void {
  const person = now.person;
  const shown: (HTMLElement | null)[] = [
    ...profilePanel(now),
    person === null ? null : evidenceList(person, () => host.token, () => void refresh()),
    deletePerson(() => snapshot ?? now, () => host.token, gone),
  ];
  byId("profile", HTMLElement).replaceChildren(...shown.filter((part) => part !== null));
  byId("vector", HTMLElement).replaceChildren(...vectorPanel(now));
}

function gone(): void {
  watching?.abort();
  clearTimeout(next);
  snapshot = null;
  show(byId("panels", HTMLElement), false);
  connection("");
  byId("subtitle", HTMLElement).replaceChildren();
  notice("status", "info", "Everything that was kept of this person is deleted.", way("All interviews", "/"));
}

function drawInterview(now: MonitorSnapshot): void {
  const { interview } = now;
  const title = now.person?.profile.name || interview?.candidate_name || now.user_id;
  byId("title", HTMLElement).textContent = interview === null ? title : `${title}: ${interview.pack_title}`;
  document.title = `${title} · Monitor · Viva`;
  const phase = interview === null ? "No interview yet. This page follows it when it begins." : phaseText(interview.state);
  const place = byId("phase", HTMLElement);
  if (place.textContent !== phase) place.textContent = phase; // Screen readers would say it again.
  place.dataset["phase"] = interview?.state.phase ?? "created";
  byId("scores", HTMLElement).replaceChildren(...scoresPanel(now));
  graph?.draw(interview?.state.nodes ?? [], interview?.state.turn ?? 0);
  text.follow({ userId: now.user_id, person: now.person, toAsk: now.to_ask }, interview, packs);
  show(byId("coach-card", HTMLElement), interview !== null);
  if (interview === null) return;
  byId("subtitle", HTMLElement).replaceChildren(subtitle(interview), " · ", el("a", { href: `/replay/${encodeURIComponent(interview.interview_id)}` }, "Replay"));
  byId("state", HTMLElement).replaceChildren(...statePanel(interview, serverNow()));
  byId("latency", HTMLElement).replaceChildren(...latencyPanel(interview.latencies, interview.medium === "text"));
  coach.draw(interview, now.topics);
  reviewForm(byId("review-place", HTMLElement), interview, (by, note) => api.release(interview.interview_id, interview.state.turn, { by, note }, host.token));
}

function subtitle(interview: MonitoredInterview): string {
  return `${dateText(interview.created_at)} · ${plural(interview.minutes, "minute")}, ${kindText(interview)}`;
}

/** Follows an interview until it ends, through every break of the line. */
async function watch(person: string, interview: string): Promise<void> {
  watching?.abort();
  const { signal } = (watching = new AbortController());
  const address = api.monitorStreamUrl(person, interview);
  let over = false;
  while (!over && !signal.aborted) {
    try {
      connection("Live");
      await follow(address, { token: host.token, after: activity.last, signal, take: (event) => (over = take(event) || over) });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return notice("status", "warning", sentence(error), way("All interviews", "/"));
    }
    if (signal.aborted) return; // Another interview is followed.
    if (over) break;
    connection("The line is broken, trying again…");
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
  connection("Ended");
  setTimeout(() => void refresh(), COUNTED_MS);
}

/** True when nothing follows. */
function take({ event, data }: SentEvent): boolean {
  if (event === "activity") activity.add([JSON.parse(data) as ActivityLine]);
  if (event === "state" && snapshot !== null) {
    snapshot = { ...snapshot, interview: JSON.parse(data) as MonitoredInterview };
    drawInterview(snapshot);
  }
  if (event === "problem") notice("stream", "warning", (JSON.parse(data) as { detail: string }).detail);
  return event === "ended" || event === "problem";
}

/** After the end: the profile as it is now, and the next interview when there is one. */
async function refresh(): Promise<void> {
  if (snapshot === null) return;
  const before = snapshot.interview?.interview_id;
  try {
    snapshot = await api.monitor(snapshot.user_id, wanted, host.token);
  } catch {
    return waitForTheNext(); // The next look says whether it was for a moment.
  }
  if (snapshot.interview?.interview_id !== before) return draw(snapshot);
  drawProfile(snapshot);
  drawInterview(snapshot);
  waitForTheNext();
}

function waitForTheNext(): void {
  clearTimeout(next);
  next = setTimeout(() => void refresh(), NEXT_INTERVIEW_MS);
}

function connection(text: string): void {
  const place = byId("connection", HTMLElement);
  if (place.textContent !== text) place.textContent = text;
  place.dataset["state"] = text === "Live" ? "live" : text === "Ended" ? "ended" : "";
}
