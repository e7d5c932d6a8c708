/** Drawings of the room's buttons. */

import { svg } from "../shared/dom";

export function microphoneIcon(muted: boolean): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("rect", { x: 9, y: 3, width: 6, height: 11, rx: 3 }),
    svg("path", { d: "M5 11a7 7 0 0 0 14 0M12 18v3" }),
    muted && svg("path", { d: "M4 4l16 16" }),
  );
}
