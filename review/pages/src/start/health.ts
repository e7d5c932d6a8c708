/** Says when Viva's other processes are not there yet, and takes it back when they are. */

import { api } from "../shared/api";
import { notice, withdraw } from "../shared/notices";
import type { Health } from "../shared/schema";

const AGAIN_MS = 3000;

/** What is not ready, as a sentence, or `null` when an interview can start. */
export function unreadiness(health: Health | null): string | null {
  if (health === null) return "Viva's server does not answer. See whether it still runs.";
  if (!health.livekit) return "The call server is not running yet. It usually takes a few seconds after the start of Viva.";
  if (!health.worker) return "The interviewer is still getting ready: it loads its voice and its hearing, usually for less than a minute.";
  return null;
}

/** Asks until everything is ready. */
export function watchHealth(): void {
  void api
    .health()
    .catch(() => null)
    .then((health) => {
      const problem = unreadiness(health);
      if (problem === null) return withdraw("health");
      notice("health", "warning", problem);
      setTimeout(watchHealth, AGAIN_MS);
    });
}
