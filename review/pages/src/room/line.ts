/** The line into the room: sound both ways, captions, and what the interviewer is doing. */

import {
  createLocalAudioTrack,
  LogLevel,
  Room,
  RoomEvent,
  setLogLevel,
  Track,
  TrackEvent,
  type LocalAudioTrack,
  type Participant,
  type RemoteTrack,
  type TextStreamReader,
} from "livekit-client";
import { LevelMeter } from "../shared/meter";
import { captureSettings, requireDevices } from "../shared/microphone";
import type { Admission } from "../shared/schema";
import type { CaptionEvent } from "./captions";
import { lossOf, type Loss } from "./connection";
import { stateOfAgent, type RoomState } from "./state";

const CAPTIONS_TOPIC = "lk.transcription";
const SEGMENT_ATTRIBUTE = "lk.segment_id";
const FINAL_ATTRIBUTE = "lk.transcription_final";
const STATE_ATTRIBUTE = "lk.agent.state";
/** The interviewer's procedure that closes the interview as if the candidate had asked for it by voice. */
const END_PROCEDURE = "viva.end";

setLogLevel(LogLevel.warn);

/** What the page wants to hear about. */
export interface LineListener {
  stateChanged(state: RoomState): void;
  caption(event: CaptionEvent): void;
  /** True while the browser refuses to play sound before somebody clicks. */
  playbackBlocked(blocked: boolean): void;
  reconnecting(): void;
  reconnected(): void;
  interviewerGone(): void;
  microphoneStopped(): void;
  lost(loss: Loss): void;
}

export class Line {
  readonly #room = new Room({ publishDefaults: { red: true, dtx: true } });
  readonly #listener: LineListener;
  /** Made once the microphone is open: browsers let a page that records run it without a click. */
  #sounds: AudioContext | null = null;
  #microphone: LocalAudioTrack | null = null;
  #ownMeter: LevelMeter | null = null;
  #interviewerMeter: LevelMeter | null = null;

  constructor(listener: LineListener) {
    this.#listener = listener;
    this.#listen();
  }

  get hasInterviewer(): boolean {
    return this.#interviewer() !== undefined;
  }

  /** Opens the microphone; before joining, so that nobody is greeted who cannot answer. */
  async openMicrophone(deviceId: string | undefined): Promise<void> {
    requireDevices();
    const microphone = await createLocalAudioTrack(captureSettings(deviceId));
    this.#microphone = microphone;
    this.#sounds = new AudioContext();
    this.#ownMeter = this.#meter(microphone.mediaStreamTrack);
    microphone.on(TrackEvent.Ended, () => this.#listener.microphoneStopped());
    microphone.on(TrackEvent.Restarted, () => {
      this.#ownMeter?.close();
      this.#ownMeter = this.#meter(microphone.mediaStreamTrack);
    });
  }

  async join(admission: Admission, muted: boolean): Promise<void> {
    await this.#room.connect(admission.livekit_url, admission.token);
    if (this.#microphone !== null) {
      await this.#room.localParticipant.publishTrack(this.#microphone, { source: Track.Source.Microphone });
    }
    await this.setMuted(muted);
    this.#tellState();
    this.#listener.playbackBlocked(!this.#room.canPlaybackAudio);
  }

  async setMuted(muted: boolean): Promise<void> {
    await (muted ? this.#microphone?.mute() : this.#microphone?.unmute());
  }

  /** Must be called from a click or a key press. */
  async unlockSound(): Promise<void> {
    await Promise.all([this.#room.startAudio(), this.#sounds?.resume()]);
  }

  /** Asks the interviewer to close the interview; false when there is nobody who could. */
  async askToEnd(): Promise<boolean> {
    const interviewer = this.#interviewer();
    if (interviewer === undefined) return false;
    try {
      await this.#room.localParticipant.performRpc({
        destinationIdentity: interviewer.identity,
        method: END_PROCEDURE,
        payload: "",
      });
      return true;
    } catch {
      return false; // Leaving ends the interview too, only later.
    }
  }

  /** Closes the line and the microphone. */
  leave(): void {
    void this.#room.disconnect();
    this.#microphone?.stop();
    this.#ownMeter?.close();
    this.#interviewerMeter?.close();
    void this.#sounds?.close();
    this.#sounds = null;
  }

  ownLevel(): number {
    return this.#ownMeter?.level() ?? 0;
  }

  interviewerLevel(): number {
    return this.#interviewerMeter?.level() ?? 0;
  }

  #listen(): void {
    const listener = this.#listener;
    this.#room
      .on(RoomEvent.TrackSubscribed, (track) => this.#play(track))
      .on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((element) => element.remove()))
      .on(RoomEvent.ParticipantConnected, () => this.#tellState())
      .on(RoomEvent.ParticipantAttributesChanged, () => this.#tellState())
      .on(RoomEvent.ParticipantDisconnected, (participant) => {
        if (!participant.isAgent || this.hasInterviewer) return;
        this.#tellState();
        listener.interviewerGone();
      })
      .on(RoomEvent.AudioPlaybackStatusChanged, () => listener.playbackBlocked(!this.#room.canPlaybackAudio))
      // The signal breaks first; the sound may follow only after some ten seconds.
      .on(RoomEvent.SignalReconnecting, () => listener.reconnecting())
      .on(RoomEvent.Reconnecting, () => listener.reconnecting())
      .on(RoomEvent.Reconnected, () => {
        listener.reconnected();
        this.#tellState();
      })
      .on(RoomEvent.Disconnected, (reason) => listener.lost(lossOf(reason)));
    this.#room.registerTextStreamHandler(CAPTIONS_TOPIC, (reader, { identity }) => void this.#read(reader, identity));
  }

  #interviewer(): Participant | undefined {
    return [...this.#room.remoteParticipants.values()].find((participant) => participant.isAgent);
  }

  #tellState(): void {
    this.#listener.stateChanged(stateOfAgent(this.#interviewer()?.attributes[STATE_ATTRIBUTE]));
  }

  #play(track: RemoteTrack): void {
    if (track.kind !== Track.Kind.Audio) return;
    document.body.append(track.attach());
    // Its listening signals come on a track of their own, beside the voice.
    if (track.source !== Track.Source.Microphone) return;
    this.#interviewerMeter?.close();
    this.#interviewerMeter = this.#meter(track.mediaStreamTrack);
  }

  #meter(track: MediaStreamTrack): LevelMeter | null {
    return this.#sounds === null ? null : new LevelMeter(this.#sounds, track);
  }

  async #read(reader: TextStreamReader, identity: string): Promise<void> {
    const speaker = identity === this.#room.localParticipant.identity ? "candidate" : "interviewer";
    const stream = reader.info.id;
    const segment = reader.info.attributes?.[SEGMENT_ATTRIBUTE] ?? stream;
    this.#listener.caption({ kind: "opened", segment, stream, speaker });
    try {
      for await (const text of reader) this.#listener.caption({ kind: "chunk", segment, stream, text });
    } catch {
      // The sender died in mid-sentence. What came is what was said.
    }
    // Only the trailer, read by now, tells whether an interviewer's segment is complete.
    const final = reader.info.attributes?.[FINAL_ATTRIBUTE] === "true";
    this.#listener.caption({ kind: "closed", segment, stream, final });
  }
}
