/** The replay's page: the recording, the transcript and the report of one interview. */

import { api, ApiError, sentence, serverNow } from "../shared/api";
import { byId, el, show } from "../shared/dom";
import { dateText, plural } from "../shared/format";
import { notice, way, withdraw } from "../shared/notices";
import type { InterviewDetail, Transcript } from "../shared/schema";
import { openInterview } from "../shared/session";
import { Lanes } from "./lanes";
import { Player } from "./player";
import { showReport } from "./report-view";
import { TranscriptView } from "./transcript-view";

const RUNNING_AGAIN_MS = 3000;
const RECORDING_AGAIN_MS = 2000;
/** How long after the end a recording may still be on its way: the server finishes it after a minute if nobody did. */
const RECORDING_PATIENCE_S = 75;

const id = decodeURIComponent(location.pathname.split("/").filter(Boolean).at(-1) ?? "");
const player = new Player();
const lanes = new Lanes(player);
const transcriptView = new TranscriptView(player);
let shown: "" | "running" | "ended" = "";

player.onFailure(() => notice("sound", "error", "This browser cannot play the recording (Opus in an Ogg file), or the file is damaged. The transcript and the report do not need it."));
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-show]")) {
  button.addEventListener("click", () => showPanel(button.dataset["show"] ?? "report"));
}
void refresh();

async function refresh(): Promise<void> {
  try {
    const [interview, transcript] = await Promise.all([api.interview(id), api.transcript(id)]);
    showHead(interview);
    if (interview.status === "ended") await showEnded(interview, transcript);
    else showRunning(interview, transcript);
  } catch (error) {
    const gone = error instanceof ApiError && error.status === 404;
    if (gone) return notice("status", "error", "There is no such interview here. It may have been deleted.", way("All interviews", "/"));
    notice("status", "error", sentence(error));
    setTimeout(() => void refresh(), RUNNING_AGAIN_MS);
  }
}

function showRunning(interview: InterviewDetail, transcript: Transcript): void {
  notice("status", "info", runningText(interview), ...(openInterview()?.id === id ? [way("Back to the room", "/room")] : []));
  if (shown !== "running") showPanel("transcript");
  shown = "running";
  show(byId("panel-switch", HTMLElement), false);
  showTranscript(interview, transcript, false);
  setTimeout(() => void refresh(), RUNNING_AGAIN_MS);
}

function runningText(interview: InterviewDetail): string {
  if (interview.status === "created") return "This interview has not begun yet. This page follows it when it does.";
  if (interview.medium === "text") return "This interview by text is still running. The conversation grows here; the report comes when it is over.";
  if (interview.medium === "phone") return "This interview by phone is still running. The transcript grows here; the report and the recording come when it is over. Whoever loses the line is waited for a while.";
  return "This interview is still running. The transcript grows here; the report and the recording come when it is over. Whoever leaves the room is waited for a little while.";
}

async function showEnded(interview: InterviewDetail, transcript: Transcript): Promise<void> {
  const playable = interview.recording && transcript.duration_s > 0;
  showTranscript(interview, transcript, playable);
  showReport(await api.report(id), playable ? (time) => player.playFrom(time) : null);
  if (shown !== "ended") showPanel("report");
  shown = "ended";
  show(byId("panel-switch", HTMLElement), true);
  show(byId("player", HTMLElement), playable);
  document.body.classList.toggle("with-player", playable);
  showDownloads(interview, playable);
  if (playable) {
    player.load(api.recordingUrl(id), transcript.duration_s);
    lanes.draw(transcript);
    return withdraw("status");
  }
  if (interview.medium === "text") return withdraw("status");
  const endedAgo_s = serverNow() - (transcript.started_at + transcript.duration_s);
  const waiting = transcript.recorded && endedAgo_s < RECORDING_PATIENCE_S;
  notice("status", "info", waiting ? "The recording is being finished…" : "There is no recording of this interview. The transcript and the report do not need one.");
  if (waiting) setTimeout(() => void refresh(), RECORDING_AGAIN_MS);
}

function showHead(interview: InterviewDetail): void {
  const title = `${interview.candidate_name}: ${interview.pack_title}`;
  byId("title", HTMLElement).textContent = title;
  byId("lane-candidate", HTMLElement).textContent = interview.candidate_name;
  const byText = interview.medium === "text";
  byId("subtitle", HTMLElement).textContent = `${dateText(interview.created_at)} · planned for ${plural(interview.minutes, "minute")}${interview.medium === "voice" ? "" : ` · by ${interview.medium}`}`;
  const transcriptName = byText ? "Conversation" : "Transcript";
  byId("transcript-title", HTMLElement).textContent = transcriptName;
  byId("show-transcript", HTMLElement).textContent = transcriptName;
  document.title = `${title} · Viva`;
}

function showTranscript(interview: InterviewDetail, transcript: Transcript, playable: boolean): void {
  transcriptView.draw(transcript, playable, interview.candidate_name);
}

function showDownloads(interview: InterviewDetail, recording: boolean): void {
  const address = `/api/interviews/${encodeURIComponent(id)}`;
  const byText = interview.medium === "text";
  const files: [string, string][] = [
    ["Report (Markdown)", `${address}/report.md`],
    [`${byText ? "Conversation" : "Transcript"} (Markdown)`, `${address}/transcript.md`],
  ];
  if (!byText) files.push(["Captions (WebVTT)", `${address}/transcript.vtt`]);
  if (recording) files.unshift(["Recording (Ogg)", api.recordingUrl(id)]);
  const place = byId("downloads", HTMLElement);
  place.replaceChildren(el("span", { class: "muted" }, "Download:"), ...files.map(([name, href]) => el("a", { href, download: true }, name)));
  show(place, true);
}

/** On narrow screens either the report or the transcript is on the page. */
function showPanel(panel: string): void {
  byId("main", HTMLElement).dataset["panel"] = panel;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-show]")) {
    button.setAttribute("aria-pressed", String(button.dataset["show"] === panel));
  }
}
