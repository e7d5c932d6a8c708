/** How long an interview is, and what that means. */

export const MINUTES = { least: 5, most: 60, step: 5, usual: 20 } as const;

/** How many questions are planned for an interview of so many minutes: one for every four, from 5 to 12. */
export function questionsForMinutes(minutes: number): number {
  return Math.max(5, Math.min(12, Math.floor(minutes / 4)));
}
