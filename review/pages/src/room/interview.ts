/** One interview as this page lives through it: joining, losing the line, coming back, ending. */

import { api, ApiError, sentence, serverNow } from "../shared/api";
import { confirmed } from "../shared/dialog";
import { microphoneProblem } from "../shared/microphone";
import { action, notice, way, withdraw } from "../shared/notices";
import { questionsForMinutes } from "../shared/plan";
import type { Admission, EndReason, InterviewEvent } from "../shared/schema";
import { chosenMicrophone, forgetInterview, type OpenInterview } from "../shared/session";
import { recordedCaptions } from "./captions";
import { CaptionsView } from "./captions-view";
import { retryDelay, type Loss } from "./connection";
import { Follower } from "./follower";
import { Line } from "./line";
import { progressOf, progressText } from "./progress";
import type { RoomView } from "./view";

/** Lets the last words ring out, and the page be read, before the replay takes its place. */
const FAREWELL_MS = 2500;
/** Long enough to read a sentence that needs no answer. */
const READ_MS = 8000;
/** How long the server may take to write down that an interview is over whose room is closed already. */
const SETTLE_S = 10;
/** How long the interviewer may take to say goodbye after being asked to end. */
const GOODBYE_MS = 30_000;

export class Interview {
  readonly #id: string;
  readonly #key: string;
  readonly #view: RoomView;
  readonly #captions: CaptionsView;
  readonly #follower: Follower;
  #line: Line | null = null;
  #minutes = 0;
  #deadline: number | null = null;
  #muted = false;
  #attempt = 0;
  #over = false;

  constructor(open: OpenInterview, view: RoomView) {
    this.#id = open.id;
    this.#key = open.key;
    this.#view = view;
    this.#captions = new CaptionsView(view.captions);
    this.#follower = new Follower(open.id, (events, news) => this.#follow(events, news));
  }

  async run(): Promise<void> {
    this.#view.leave.addEventListener("click", () => void this.#end());
    this.#view.onMute(() => void this.#toggleMute());
    this.#view.drawLevels(() => ({
      own: this.#muted ? 0 : (this.#line?.ownLevel() ?? 0),
      interviewer: this.#line?.interviewerLevel() ?? 0,
    }));
    setInterval(() => this.#showRemaining(), 1000);
    await this.#join();
  }

  async #join(): Promise<void> {
    if (this.#over) return;
    withdraw("line");
    this.#view.showState(this.#attempt === 0 ? "connecting" : "reconnecting");
    const admission = await this.#admission();
    if (admission === null) return;
    const line = this.#newLine();
    try {
      await line.openMicrophone(chosenMicrophone());
    } catch (error) {
      line.leave();
      return this.#askForMicrophone(microphoneProblem(error));
    }
    withdraw("microphone");
    this.#line = line;
    try {
      await line.join(admission, this.#muted);
      this.#attempt = 0;
    } catch {
      if (this.#line === line) this.#comeBack();
    }
  }

  /** Admission to the room, or `null` after dealing with why there is none. */
  async #admission(): Promise<Admission | null> {
    try {
      if (this.#minutes === 0) await this.#readInterview();
      return await api.rejoin(this.#id, this.#key);
    } catch (error) {
      const status = error instanceof ApiError ? error.status : 0;
      if (status === 409) this.#finish();
      else if (status === 401 || status === 403 || status === 404) {
        forgetInterview();
        this.#follower.stop();
        this.#view.showProblem(sentence(error), way("Go to the start page", "/"));
      } else this.#comeBack(sentence(error));
      return null;
    }
  }

  async #readInterview(): Promise<void> {
    const interview = await api.interview(this.#id);
    this.#minutes = interview.minutes;
    this.#view.showTitle(interview.pack_title);
    await this.#follower.start();
  }

  #newLine(): Line {
    const view = this.#view;
    const line: Line = new Line({
      stateChanged: (state) => {
        if (state !== "waiting") withdraw("interviewer");
        if (!this.#over) view.showState(state);
      },
      caption: (event) => this.#captions.take(event),
      playbackBlocked: (blocked) => {
        withdraw("sound");
        if (!blocked) return;
        const unlock = action("Turn the sound on", () => void line.unlockSound());
        notice("sound", "warning", "The browser keeps the interviewer silent until you click.", unlock);
      },
      reconnecting: () => {
        view.showState("reconnecting");
        notice("line", "warning", "The connection is interrupted; Viva is reconnecting.");
      },
      reconnected: () => {
        withdraw("line");
        notice("connected", "info", "Connected again. If you were speaking just now, please say it once more.");
        setTimeout(() => withdraw("connected"), READ_MS);
      },
      interviewerGone: () => void this.#missInterviewer(),
      microphoneStopped: () => this.#askForMicrophone("The microphone stopped delivering sound. Was it unplugged?"),
      lost: (loss) => {
        if (this.#line === line) void this.#lose(loss);
      },
    });
    return line;
  }

  #askForMicrophone(text: string): void {
    const again = action("Try again", () => {
      this.#hangUp();
      void this.#join();
    });
    notice("microphone", "error", text, again);
  }

  async #missInterviewer(): Promise<void> {
    if (await this.#isOver(3)) return this.#finish();
    if (this.#over || this.#line === null || this.#line.hasInterviewer) return;
    notice(
      "interviewer",
      "warning",
      "The interviewer was cut off and comes back in a few seconds. What you answered is kept.",
    );
  }

  async #lose(loss: Loss): Promise<void> {
    if (this.#over || loss === "left") return;
    this.#hangUp();
    if (loss === "elsewhere") {
      const back = action("Use this page instead", () => location.reload());
      return this.#view.showProblem("This interview is now open in another tab or window.", back);
    }
    if (loss === "closed" && (await this.#isOver(SETTLE_S))) return this.#finish();
    this.#comeBack();
  }

  #comeBack(why = "The connection was lost."): void {
    if (this.#over) return;
    this.#hangUp();
    this.#attempt += 1;
    const delay = retryDelay(this.#attempt);
    this.#view.showState("reconnecting");
    notice("line", "warning", `${why} Viva tries again by itself.`);
    setTimeout(() => void this.#join(), delay * 1000);
  }

  #hangUp(): void {
    const line = this.#line;
    this.#line = null;
    line?.leave();
  }

  /** Asks the record whether the interview is over, once a second, at most so many times. */
  async #isOver(times: number): Promise<boolean> {
    for (let count = 0; count < times && !this.#over; count += 1) {
      const interview = await api.interview(this.#id).catch(() => null);
      if (interview?.status === "ended") return true;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    return false;
  }

  #follow(events: readonly InterviewEvent[], news: readonly InterviewEvent[]): void {
    if (events.length === news.length) this.#captions.begin(recordedCaptions(events));
    else this.#tellProblems(news);
    const progress = progressOf(events, this.#minutes);
    this.#view.showQuestion(progress.question);
    this.#view.showProgress(progressText(progress.asked, questionsForMinutes(this.#minutes)));
    this.#deadline = progress.deadline;
    this.#showRemaining();
    if (progress.ended !== null) this.#finish(progress.ended);
  }

  #tellProblems(news: readonly InterviewEvent[]): void {
    const problem = news.findLast((event) => event.kind === "problem_noticed");
    if (problem !== undefined) notice("problem", "warning", `${problem.what} ${problem.advice}`.trim());
  }

  #showRemaining(): void {
    if (this.#deadline === null) return this.#view.showRemaining(null);
    // The clocks agree to a second only: never promise more than was asked for.
    this.#view.showRemaining(Math.min(this.#minutes * 60, this.#deadline - serverNow()));
  }

  async #toggleMute(): Promise<void> {
    this.#muted = !this.#muted;
    this.#view.showMuted(this.#muted);
    await this.#line?.setMuted(this.#muted);
  }

  async #end(): Promise<void> {
    const sure = await confirmed({
      title: "End the interview?",
      text: "The interviewer says goodbye, and the report is made from what you have answered so far.",
      confirm: "End interview",
      cancel: "Go on talking",
    });
    if (!sure || this.#over) return;
    this.#view.leave.disabled = true;
    const closing = (await this.#line?.askToEnd()) ?? false;
    if (!closing) return this.#finish("stopped");
    notice("end", "info", "The interviewer closes the interview.");
    setTimeout(() => this.#finish("stopped"), GOODBYE_MS);
  }

  #finish(reason?: EndReason): void {
    if (this.#over) return;
    this.#over = true;
    this.#follower.stop();
    this.#view.showState("ended");
    withdraw("line");
    withdraw("interviewer");
    if (reason === "failed") notice("problem", "error", "The interview had to stop early. What was said until then is kept.");
    setTimeout(() => {
      this.#hangUp();
      forgetInterview();
      location.replace(`/replay/${encodeURIComponent(this.#id)}`);
    }, FAREWELL_MS);
  }
}
