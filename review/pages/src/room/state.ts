/** What the interviewer does, as the page shows it. */

export type RoomState = "connecting" | "waiting" | "speaking" | "listening" | "thinking" | "reconnecting" | "ended" | "closed";

interface Wording {
  readonly title: string;
  readonly hint: string;
}

export const WORDING: Record<RoomState, Wording> = {
  connecting: { title: "Connecting", hint: "Opening your microphone and the line." },
  waiting: { title: "Waiting for the interviewer", hint: "They will be with you in a few seconds." },
  speaking: { title: "Speaking", hint: "You may interrupt at any time." },
  listening: { title: "Listening", hint: "Take your time. Pauses to think are fine." },
  thinking: { title: "Thinking", hint: "The interviewer considers your answer." },
  reconnecting: { title: "Reconnecting", hint: "What you have said so far is kept." },
  closed: { title: "Not connected", hint: "" },
  ended: { title: "The interview is over", hint: "Your replay and report are coming up." },
};

/** From the participant attribute `lk.agent.state`; what comes before the first word counts as waiting. */
export function stateOfAgent(attribute: string | undefined): RoomState {
  switch (attribute) {
    case "speaking":
    case "listening":
    case "thinking":
      return attribute;
    default:
      return "waiting";
  }
}
