/** A time range of responses, by the time of storage. Without `since` or `until` it is unbounded. */
export interface TimeRange {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

const DAY_MS = 24 * 60 * 60_000;

/** Whether the ranges have times in common. */
export function overlap(one: TimeRange, other: TimeRange): boolean {
  return isOrdered(one.since, other.until) && isOrdered(other.since, one.until);
}

/** Whether a range with these limits contains times. */
function isOrdered(since: Date | undefined, until: Date | undefined): boolean {
  return since === undefined || until === undefined || since < until;
}

/** Whether the first range includes the other. */
export function contains(range: TimeRange, { since, until }: TimeRange): boolean {
  return latest(since, range.since) === since && earliest(until, range.until) === until;
}

/** The later of two starts; the first one if they are equal. */
export function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return other === undefined || (one !== undefined && one >= other) ? one : other;
}

/** The earlier of two ends; the first one if they are equal. */
export function earliest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return other === undefined || (one !== undefined && one <= other) ? one : other;
}

/**
 * Returns the time at which to split a slice that is only partly in the range: the beginning of the range's first day,
 * or the end of its last day. Returns undefined if neither is within the slice.
 */
export function splittingDay(slice: TimeRange, range: TimeRange): Date | undefined {
  const isWithin = (day: Date) =>
    (slice.since === undefined || slice.since < day) && (slice.until === undefined || day < slice.until);
  const firstDayStart = range.since && new Date(Math.floor(range.since.getTime() / DAY_MS) * DAY_MS);
  const lastDayEnd = range.until && new Date(Math.ceil(range.until.getTime() / DAY_MS) * DAY_MS);
  return [firstDayStart, lastDayEnd].find((day) => day !== undefined && isWithin(day));
}
