/** What a browser remembers: the interview that this tab is in, and what was chosen last time. */

import { DIFFICULTIES, FEEDBACK_MODES } from "./api";
import type { Difficulty, FeedbackMode } from "./schema";

export interface OpenInterview {
  readonly id: string;
  /** Proves that this tab may join the interview; it stays in the tab and never goes into an address. */
  readonly key: string;
}

export interface Choices {
  readonly name: string;
  readonly pack: string;
  readonly minutes: number;
  readonly feedback: FeedbackMode | null;
  readonly difficulty: Difficulty;
}

const INTERVIEW = "viva.interview";
const TEXT_INTERVIEW = "viva.text-interview";
const MICROPHONE = "viva.microphone";
const CHOICES = "viva.choices";
const TIME_HIDDEN = "viva.time-hidden";

export function rememberInterview(interview: OpenInterview): void {
  remember(INTERVIEW, interview);
}

export function openInterview(): OpenInterview | null {
  return remembered(INTERVIEW);
}

export function forgetInterview(): void {
  sessionStorage.removeItem(INTERVIEW);
}

/** An interview by text that this tab holds. */
export function rememberTextInterview(interview: OpenInterview): void {
  remember(TEXT_INTERVIEW, interview);
}

export function openTextInterview(): OpenInterview | null {
  return remembered(TEXT_INTERVIEW);
}

export function rememberMicrophone(deviceId: string): void {
  localStorage.setItem(MICROPHONE, deviceId);
}

/** The device chosen last, or `undefined` for the browser's own choice. */
export function chosenMicrophone(): string | undefined {
  return localStorage.getItem(MICROPHONE) ?? undefined;
}

/** Documents are not remembered: others may use the browser. */
export function rememberChoices({ name, pack, minutes, feedback, difficulty }: Choices): void {
  localStorage.setItem(CHOICES, JSON.stringify({ name, pack, minutes, feedback, difficulty }));
}

export function lastChoices(): Partial<Choices> {
  const { name, pack, minutes, feedback, difficulty } = parsed(localStorage.getItem(CHOICES));
  return {
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof pack === "string" ? { pack } : {}),
    ...(typeof minutes === "number" ? { minutes } : {}),
    ...(isFeedbackMode(feedback) ? { feedback } : {}),
    ...(isDifficulty(difficulty) ? { difficulty } : {}),
  };
}

export function timeIsHidden(): boolean {
  return localStorage.getItem(TIME_HIDDEN) === "yes";
}

export function hideTime(hidden: boolean): void {
  localStorage.setItem(TIME_HIDDEN, hidden ? "yes" : "no");
}

function remember(name: string, interview: OpenInterview): void {
  sessionStorage.setItem(name, JSON.stringify(interview));
}

function remembered(name: string): OpenInterview | null {
  const { id, key } = parsed(sessionStorage.getItem(name));
  return typeof id === "string" && typeof key === "string" ? { id, key } : null;
}

function isDifficulty(value: unknown): value is Difficulty {
  return DIFFICULTIES.some((each) => each === value);
}

function isFeedbackMode(value: unknown): value is FeedbackMode {
  return FEEDBACK_MODES.some((each) => each === value);
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // What somebody else left under our name is no reason not to start.
  }
}
