/** The start page: choose an interview, check the microphone, begin; below it the interviews of before. */

import { api, ApiError, sentence } from "../shared/api";
import { notice, way } from "../shared/notices";
import { forgetInterview, openInterview } from "../shared/session";
import { watchHealth } from "./health";
import { History } from "./history";
import { MicrophoneCheck } from "./microphone-check";
import { PhoneCard } from "./phone";
import { SetupForm } from "./setup-form";

const microphone = new MicrophoneCheck();
const form = new SetupForm(microphone);
const history = new History();

void showPacks();
void history.refresh();
void offerReturn();
void new PhoneCard(form).showIfThereIsOne();
watchHealth();
// "Back" from the room brings this page as it was left, in the middle of starting.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

async function showPacks(): Promise<void> {
  try {
    form.showPacks(await api.packs());
  } catch (error) {
    form.showPackProblem(sentence(error));
  }
}

/** A tab that is still in an interview gets the way back to it. */
async function offerReturn(): Promise<void> {
  const open = openInterview();
  if (open === null) return;
  try {
    const interview = await api.interview(open.id);
    if (interview.status === "ended") return forgetInterview();
    notice("return", "info", `Your interview “${interview.pack_title}” is still open.`, way("Back to the room", "/room"));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) forgetInterview(); // Deleted meanwhile.
  }
}
