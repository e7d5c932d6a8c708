/** Opening the microphone, and saying what is wrong when that fails. */

export interface CaptureSettings {
  readonly echoCancellation: boolean;
  readonly noiseSuppression: boolean;
  readonly autoGainControl: boolean;
  readonly deviceId?: { readonly ideal: string };
}

/** What the browser is asked for; an interview is one voice in a room with a loudspeaker. */
export function captureSettings(deviceId: string | undefined): CaptureSettings {
  return {
    echoCancellation: true,
    noiseSuppression: true,
    autoGainControl: true,
    // "ideal": a device that was unplugged since must not keep anybody out.
    ...(deviceId === undefined ? {} : { deviceId: { ideal: deviceId } }),
  };
}

/** The sentence for a failed `getUserMedia`, by the names that the Media Capture specification gives the failures. */
export function microphoneProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  switch (name) {
    case "NotAllowedError":
    case "SecurityError":
      return "The browser does not allow this page to use the microphone. Click the microphone or lock symbol beside the address, allow the microphone, and try again.";
    case "NotFoundError":
    case "OverconstrainedError":
      return "No microphone was found. Plug one in or switch it on, and try again.";
    case "NotReadableError":
    case "AbortError":
      return "The microphone is there but cannot be opened; another program may be using it. Close that program and try again.";
    case "InsecureContextError":
      return "Browsers give the microphone only to pages on this computer (http://127.0.0.1) or over https. Open this page at one of these.";
    default:
      return `The microphone could not be opened (${error instanceof Error ? error.message : String(error)}). Check it in the system's sound settings and try again.`;
  }
}

/** Fails outside of a secure context, where there is no `mediaDevices` at all, whatever the type says. */
export function requireDevices(): void {
  if ((navigator.mediaDevices as MediaDevices | undefined) !== undefined) return;
  throw Object.assign(new Error("no media devices"), { name: "InsecureContextError" });
}

/** Opens the microphone; the caller stops its tracks. Fails with what `microphoneProblem` explains. */
export async function openMicrophone(deviceId: string | undefined): Promise<MediaStream> {
  requireDevices();
  return await navigator.mediaDevices.getUserMedia({ audio: captureSettings(deviceId) });
}

/** The microphones that the browser names; names are known only once permission was given. */
export async function microphones(): Promise<MediaDeviceInfo[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter((device) => device.kind === "audioinput" && device.deviceId !== "");
}
