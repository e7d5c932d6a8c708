/**
 * What Viva's server takes and answers, by the names that the pages have for it. The types are made from the server's
 * own description; what each field means stands there.
 */

import type { Schemas } from "../generated/api";

/** Nobody changes what came from the server. */
type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T;
type Served<Name extends keyof Schemas> = Immutable<Schemas[Name]>;

export type Pack = Served<"PackInfo">;
/** The start page leaves nothing to the server's own choice. */
export type InterviewRequest = Required<Served<"NewInterview">>;
export type Admission = Served<"Admission">;
export type PhoneInfo = Served<"PhoneInfo">;
export type NewPin = Served<"NewPin">;
export type IssuedPin = Served<"IssuedPin">;
export type NewBooking = Served<"NewBooking">;
export type BookedCall = Served<"BookedCall">;
export type CreatedInterview = Served<"CreatedInterview">;
export type Health = Served<"Health">;
export type InterviewSummary = Served<"Summary">;
export type InterviewDetail = Served<"Details">;

/** An event with its number in its interview, counted from 1. */
export type Stored = Served<"Stored">;
export type InterviewEvent = Stored["event"];
export type EndReason = Served<"InterviewEnded">["reason"];
export type Intent = Served<"IntentDetected">["intent"];
export type Difficulty = Served<"InterviewCreated">["difficulty"];
export type FeedbackMode = Served<"InterviewCreated">["feedback"];

/** What a résumé says of a person, as it is read and as it is sent back. */
export type Profile = Served<"CandidateProfile">;
export type Project = Profile["projects"][number];
export type Position = Profile["experience"][number];
export type Degree = Profile["education"][number];
export type ReadResume = Served<"ReadResume">;
export type ReadJob = Served<"ReadJob">;
export type Person = Served<"Person">;

export type Transcript = Served<"Transcript">;
export type Entry = Served<"Entry">;
export type EntryKind = Entry["kind"];
export type TranscriptWord = Served<"TranscriptWord">;
export type Note = Served<"Note">;

export type Report = Served<"Report">;
export type ReportedCall = Served<"ReportedCall">;
export type ReportedAnswer = Served<"ReportedAnswer">;
export type SaidPart = Served<"SaidPart">;
export type PlacedVerdict = Served<"PlacedVerdict">;
export type PointKind = PlacedVerdict["kind"];
export type VerdictStatus = PlacedVerdict["status"];
export type HumanReview = Served<"HumanReview">;
export type Contest = Served<"Contest">;
export type FirstJudgement = Served<"FirstJudgement">;
export type HeardAgain = Served<"HeardAgain">;
export type ChangedVerdict = Served<"ChangedVerdict">;
export type Finding = Served<"Finding">;
export type Practice = Served<"Practice">;

export type MonitorSnapshot = Served<"MonitorSnapshot">;
export type MonitoredInterview = Served<"MonitoredInterview">;
export type RuntimeState = Served<"RuntimeState">;
export type NodeRun = Served<"NodeRun">;
export type GraphDrawing = Served<"GraphDrawing">;
export type ActivityLine = Served<"ActivityLine">;
export type TurnLatency = Served<"TurnLatency">;
export type ReviewRelease = Served<"Release">;
export type AskableTopic = Served<"AskableTopic">;
export type WishedTopic = MonitoredInterview["wishes"][number];
export type TakenNote = MonitoredInterview["notes"][number];
export type TopicRequest = Served<"TopicRequest">;
export type NoteRequest = Served<"NoteRequest">;

/** An interview by text. */
export type TextInterviewRequest = Served<"StartRequest">;
export type BegunTextInterview = Served<"StartResponse">;
export type TextTurn = Served<"TurnResponse">;
export type TextSession = Served<"SessionState">;
