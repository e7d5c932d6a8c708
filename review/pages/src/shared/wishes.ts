/** What an address asks the start page to have chosen: "Practise this again" leads from a report to such an address. */

import { DIFFICULTIES } from "./api";
import type { Difficulty } from "./schema";

export interface Wishes {
  readonly pack?: string;
  /** By id. */
  readonly topics: readonly string[];
  readonly difficulty?: Difficulty;
}

/** The wishes in an address's query; what is not understood is left out. */
export function wishesOf(query: string): Wishes {
  const given = new URLSearchParams(query);
  const pack = given.get("pack");
  const difficulty = DIFFICULTIES.find((each) => each === given.get("difficulty"));
  return {
    topics: given.getAll("topic"),
    ...(pack === null ? {} : { pack }),
    ...(difficulty === undefined ? {} : { difficulty }),
  };
}

/** The address that asks for a pack and topics of it. */
export function addressOf({ pack, topics }: { readonly pack: string; readonly topics: readonly string[] }): string {
  return `/?${new URLSearchParams([["pack", pack], ...topics.map((topic): [string, string] => ["topic", topic])])}`;
}
