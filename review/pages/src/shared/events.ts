/**
 * The events of an interview as `GET /api/interviews/{id}/events` sends them; `domain/events.py` says what each
 * one means. Every `at` and `*_at` is in seconds since the epoch, by the server's clock.
 */

export type VerdictStatus = "covered" | "partly" | "missing" | "contradicted";
export type SpeechKind = "greeting" | "acknowledgement" | "feedback" | "question" | "reply" | "closing";
export type EndReason = "completed" | "time_up" | "stopped" | "candidate_left" | "silence" | "failed";
export type Feedback = "practice" | "exam";
export type Medium = "voice" | "text";

/** What the candidate wanted with a turn. */
export type Intent =
  | "answer"
  | "repeat"
  | "rephrase"
  | "clarify"
  | "hint"
  | "skip"
  | "change_topic"
  | "easier"
  | "harder"
  | "technical_assessment"
  | "hold"
  | "go_on"
  | "correct_myself"
  | "how_am_i_doing"
  | "time_left"
  | "slower"
  | "faster"
  | "feedback_now"
  | "feedback_later"
  | "stop"
  | "distress"
  | "abuse"
  | "unintelligible";

interface At<K extends string> {
  readonly kind: K;
  readonly at: number;
}

/** A recognised word; confidence from 0 to 1. */
export interface SpokenWord {
  readonly text: string;
  readonly start_at: number;
  readonly end_at: number;
  readonly confidence: number;
}

export interface VerdictRecord {
  readonly point: string;
  readonly kind: "key_point" | "misconception";
  readonly status: VerdictStatus;
  readonly quote: string;
  readonly first_word: number | null;
  readonly last_word: number | null;
  readonly probability: number;
  readonly rule: string;
}

/** Scores of one answer, 0 to 10. */
export interface Scores {
  readonly technical_accuracy: number;
  readonly completeness: number;
  readonly depth: number;
  readonly clarity: number;
  readonly overall: number;
  readonly low: number;
  readonly high: number;
}

export interface InterviewCreated extends At<"interview_created"> {
  readonly candidate_name: string;
  readonly pack: string;
  readonly pack_title: string;
  readonly minutes: number;
  readonly feedback: Feedback;
  /** Empty for an interview by text. */
  readonly room: string;
  readonly medium: Medium;
  readonly difficulty: string;
  /** Topics the candidate asked for, by id. */
  readonly focus_topics: readonly string[];
  /** Empty before the end to all but the host. */
  readonly resume: string;
  readonly job_description: string;
}

export interface InterviewStarted extends At<"interview_started"> {
  readonly judge: string;
  readonly resumed: boolean;
}

export interface CandidateCame extends At<"candidate_joined" | "candidate_left"> {
  readonly identity: string;
}

export interface RecordingStarted extends At<"recording_started"> {
  readonly path: string;
}

export interface RecordingFinished extends At<"recording_finished"> {
  readonly path: string;
  readonly started_at: number;
  readonly duration_s: number;
}

export interface SpeechStarted extends At<"speech_started"> {
  readonly speech: SpeechKind;
  readonly text: string;
  readonly turn: number;
  readonly question_id: string;
}

export interface SpeechEnded extends At<"speech_ended"> {
  readonly speech: SpeechKind;
  readonly heard: string;
  readonly interrupted: boolean;
  readonly turn: number;
  readonly question_id: string;
  /** The words of `heard` with their times; empty where the voice tells none. */
  readonly words: readonly { readonly text: string; readonly start_at: number; readonly end_at: number }[];
}

export interface UtteranceHeard extends At<"utterance_heard"> {
  readonly text: string;
  readonly words: readonly SpokenWord[];
}

export interface AnswerTaken extends At<"answer_taken"> {
  readonly turn: number;
  readonly question_id: string;
  readonly text: string;
  readonly words: readonly SpokenWord[];
  readonly speech_ended_at: number;
  readonly continues: boolean;
}

export interface IntentDetected extends At<"intent_detected"> {
  readonly turn: number;
  readonly intent: Intent;
  readonly confidence: number;
  readonly detector: string;
  /** The topic named, the term to clarify; else empty. */
  readonly detail: string;
}

/** A stretch of the words of one turn's answer; `last_word` is inclusive. */
export interface AnswerSpan {
  readonly turn: number;
  readonly first_word: number;
  readonly last_word: number;
}

export interface AnswerJudged extends At<"answer_judged"> {
  readonly turn: number;
  readonly question_id: string;
  readonly topic: string;
  readonly difficulty: string;
  readonly judge: string;
  readonly verdicts: readonly VerdictRecord[];
  readonly scores: Scores | null;
  readonly not_scored: string;
  readonly fallback: boolean;
  /** The two judges differ on more than half of the key points. */
  readonly drift: boolean;
  readonly second_judge: string;
  readonly second_verdicts: readonly VerdictRecord[];
  /** Where the judged words are; empty: all words of its own turn. */
  readonly spans: readonly AnswerSpan[];
  /** The turn whose judgement this one corrects. */
  readonly replaces_turn: number | null;
  readonly hints: number;
}

/** A person disagreed with a judgement; what was judged before stays in the record. */
export interface VerdictContested extends At<"verdict_contested"> {
  readonly turn: number;
  readonly question_id: string;
  readonly note: string;
  readonly by: string;
  readonly points: readonly string[];
  readonly judge: string;
  readonly verdicts: readonly VerdictRecord[];
  readonly scores: Scores | null;
  readonly not_scored: string;
  readonly fallback: boolean;
}

export interface FeedbackReady extends At<"feedback_ready"> {
  readonly turn: number;
  readonly text: string;
  readonly structure: string;
}

export interface QuestionSelected extends At<"question_selected"> {
  readonly turn: number;
  readonly question_id: string;
  readonly text: string;
  readonly question_kind: "retrieved" | "follow_up" | "clarification";
  readonly topic: string;
  readonly difficulty: string;
  readonly source: string;
  readonly grade: string;
  readonly attempts: number;
  /** The topic as people read it; empty in old records. */
  readonly topic_title: string;
}

export interface Supervised extends At<"supervised"> {
  readonly turn: number;
  readonly goes_on: boolean;
  readonly end_reason: string;
  readonly question_count: number;
  readonly difficulty: string;
  readonly ema: number | null;
  readonly remaining_s: number;
}

export interface PlanMade extends At<"plan_made"> {
  readonly topics: readonly string[];
  readonly difficulty_curve: readonly string[];
  readonly target_questions: number;
  readonly by: string;
  /** In the order of `topics`; may be empty. */
  readonly topic_titles: readonly string[];
}

export interface SettingChanged extends At<"setting_changed"> {
  readonly turn: number;
  readonly what: string;
  readonly value: string;
}

export interface ReviewRequested extends At<"review_requested"> {
  readonly turn: number;
  readonly why: string;
}

export interface ReviewReleased extends At<"review_released"> {
  readonly turn: number;
  readonly by: string;
  readonly note: string;
}

/** A turn failed and was given up: what was recorded of it before is not scored. */
export interface TurnVoided extends At<"turn_voided"> {
  readonly turn: number;
}

export interface FellBack extends At<"fell_back"> {
  readonly turn: number;
  readonly agent: string;
  readonly why: string;
}

export interface StageTimed extends At<"stage_timed"> {
  readonly turn: number;
  readonly stage: string;
  readonly seconds: number;
}

export interface ProblemNoticed extends At<"problem_noticed"> {
  readonly what: string;
  readonly advice: string;
}

export interface InterviewEnded extends At<"interview_ended"> {
  readonly reason: EndReason;
}

export type InterviewEvent =
  | InterviewCreated
  | InterviewStarted
  | CandidateCame
  | RecordingStarted
  | RecordingFinished
  | SpeechStarted
  | SpeechEnded
  | UtteranceHeard
  | AnswerTaken
  | IntentDetected
  | AnswerJudged
  | VerdictContested
  | FeedbackReady
  | QuestionSelected
  | Supervised
  | PlanMade
  | SettingChanged
  | ReviewRequested
  | ReviewReleased
  | TurnVoided
  | FellBack
  | StageTimed
  | ProblemNoticed
  | InterviewEnded;

/** An event with its number in its interview, counted from 1. */
export interface Stored {
  readonly seq: number;
  readonly event: InterviewEvent;
}
