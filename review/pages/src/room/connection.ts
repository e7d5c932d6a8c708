/** What a page does about a connection that is gone. */

import { DisconnectReason } from "livekit-client";

/**
 * - `left`: this page closed it.
 * - `elsewhere`: the same interview was opened in another tab or window, which has it now.
 * - `closed`: the server closed the room or put the candidate out; the interview may be over.
 * - `lost`: the line broke; try again.
 */
export type Loss = "left" | "elsewhere" | "closed" | "lost";

export function lossOf(reason: DisconnectReason | undefined): Loss {
  switch (reason) {
    case DisconnectReason.CLIENT_INITIATED:
      return "left";
    case DisconnectReason.DUPLICATE_IDENTITY:
      return "elsewhere";
    case DisconnectReason.ROOM_DELETED:
    case DisconnectReason.ROOM_CLOSED:
    case DisconnectReason.PARTICIPANT_REMOVED:
      return "closed";
    default:
      return "lost";
  }
}

/** Seconds to wait before the nth attempt to come back (from 1). */
export function retryDelay(attempt: number): number {
  return Math.min(15, 2 ** (attempt - 1));
}
