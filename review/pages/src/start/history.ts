/** The list of earlier interviews. */

import { api, sentence } from "../shared/api";
import { confirmed } from "../shared/dialog";
import { byId, el } from "../shared/dom";
import { dateText, plural, scoreText } from "../shared/format";
import { askForToken, HostCalls } from "../shared/host";
import type { InterviewSummary } from "../shared/schema";

const STATUS: Record<InterviewSummary["status"], string> = {
  created: "not started",
  running: "running",
  ended: "finished",
  unreadable: "cannot be read: another version of Viva probably wrote it",
};

export class History {
  readonly #list = byId("history", HTMLElement);
  readonly #host = new HostCalls(askForToken("delete interviews", "Delete", "Keep it"));

  async refresh(): Promise<void> {
    try {
      this.#draw(await api.interviews());
    } catch (error) {
      this.#list.replaceChildren(el("p", { class: "problem", role: "alert" }, sentence(error)));
    }
  }

  #draw(interviews: readonly InterviewSummary[]): void {
    if (interviews.length === 0) {
      this.#list.replaceChildren(el("p", { class: "muted" }, "None yet. Your interviews will be listed here, to replay and compare."));
      return;
    }
    this.#list.replaceChildren(el("ul", { class: "interviews" }, ...interviews.map((one) => this.#row(one))));
  }

  #row(interview: InterviewSummary): HTMLElement {
    const label = `Delete: ${titleOf(interview)}`;
    const remove = el("button", { class: "button quiet small", type: "button", "aria-label": label }, "Delete");
    const row = el(
      "li",
      { class: "interview card", "data-testid": `interview-${interview.id}` },
      scoreBadge(interview),
      el(
        "div",
        { class: "interview-text" },
        nameOf(interview),
        el("span", {}, interview.pack_title),
        el(
          "span",
          { class: "muted" },
          `${dateText(interview.created_at)} · `,
          interview.minutes > 0 && `${plural(interview.minutes, "minute")} · `,
          el("span", { class: `status ${interview.status}` }, STATUS[interview.status]),
          interview.medium !== "voice" && el("span", {}, ` · by ${interview.medium}`),
        ),
      ),
      el("div", { class: "interview-actions" }, watchLink(interview), remove),
    );
    remove.addEventListener("click", () => void this.#remove(interview, row));
    return row;
  }

  async #remove(interview: InterviewSummary, row: HTMLElement): Promise<void> {
    const sure = await confirmed({
      title: "Delete this interview?",
      text: whatGoes(interview),
      confirm: "Delete",
      cancel: "Keep it",
    });
    if (!sure) return;
    try {
      if (await this.#host.make((token) => api.remove(interview.id, token))) await this.refresh();
    } catch (error) {
      row.querySelector(".problem")?.remove();
      row.append(el("p", { class: "problem", role: "alert" }, sentence(error)));
    }
  }
}

/** The interview in a few words; of what cannot be read nobody may be known. */
export function titleOf(interview: InterviewSummary): string {
  return interview.candidate_name === "" ? "an interview" : `${interview.candidate_name}, ${interview.pack_title}`;
}

export function whatGoes(interview: InterviewSummary): string {
  const whose = interview.candidate_name === "" ? "this interview" : `${interview.candidate_name}'s interview “${interview.pack_title}”`;
  return `The record, ${interview.medium === "text" ? "" : "the recording "}and the report of ${whose} will be gone for good.`;
}

/** The name leads to the replay, if there can be one. */
function nameOf(interview: InterviewSummary): HTMLElement {
  if (interview.status === "unreadable") return el("strong", {}, interview.candidate_name || "An interview");
  return el("a", { class: "interview-link", href: `/replay/${encodeURIComponent(interview.id)}` }, interview.candidate_name);
}

/** To the monitor, which only the host gets to see. */
function watchLink(interview: InterviewSummary): HTMLElement | null {
  if (interview.status !== "created" && interview.status !== "running") return null;
  const label = `Watch: ${titleOf(interview)} (only for the host)`;
  return el("a", { class: "button quiet small", href: `/monitor/interview/${encodeURIComponent(interview.id)}`, "aria-label": label }, "Watch");
}

function scoreBadge(interview: InterviewSummary): HTMLElement {
  // While it runs a score is neither final nor, in an exam, the candidate's to know.
  const scored = interview.status === "ended" && interview.overall !== null;
  return el(
    "div",
    { class: scored ? "score-badge" : "score-badge none" },
    el("strong", {}, scored ? scoreText(interview.overall) : "–"),
    el("span", { class: "score-badge-unit" }, scored ? "of 10" : "no score"),
  );
}
