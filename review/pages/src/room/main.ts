/** The room's page: joins the interview that this tab started, and leads to the replay when it is over. */

import { way } from "../shared/notices";
import { openInterview } from "../shared/session";
import { Interview } from "./interview";
import { RoomView } from "./view";

const view = new RoomView();
const open = openInterview();
if (open === null) {
  view.showProblem("No interview was started in this tab.", way("Go to the start page", "/"));
} else {
  void new Interview(open, view).run();
}
