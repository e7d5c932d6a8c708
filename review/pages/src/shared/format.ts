/** Words and numbers as people read them. Every duration comes in as seconds. */

/** `83.4` → `1:23`, `3723` → `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor((whole % 3600) / 60);
  const pad = (value: number): string => String(value).padStart(2, "0");
  const tail = `${pad(whole % 60)}`;
  return hours > 0 ? `${hours}:${pad(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** A duration for a screen reader: `83` → `1 minute 23 seconds`. */
export function spokenTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [
    [Math.floor(whole / 3600), "hour"],
    [Math.floor((whole % 3600) / 60), "minute"],
    [whole % 60, "second"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, unit]) => plural(count, unit));
  return said.length > 0 ? said.join(" ") : "0 seconds";
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * How much of the interview is left, in steps of a minute: a ticking clock makes people nervous and tells them
 * nothing that they could act on.
 */
export function remainingText(seconds: number): string {
  if (seconds <= 0) return "Time is up";
  if (seconds <= 60) return "Less than a minute left";
  return `About ${plural(Math.ceil(seconds / 60), "minute")} left`;
}

/** A score from 0 to 10 with one decimal; `null` is no score, which is not the same as zero. */
export function scoreText(score: number | null): string {
  return score === null ? "not scored" : score.toFixed(1);
}

/** Seconds since the epoch as a date and time in the reader's own language and zone. */
export function dateText(epochSeconds: number, locale?: string, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(new Date(epochSeconds * 1000));
}

/** `time_up` → `time up`, `machine-learning` → `machine learning`: a name from the record as words. */
export function words(name: string): string {
  return name.replaceAll(/[_-]+/g, " ").trim();
}

/** The first letter as a capital, the rest as it is. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
