import { type OffsetAt, parseTimestamp } from '@survey/runtime/rest/timestamp';
import type { WarnOnce } from '../../files/report.ts';
import { offsetsOf } from '../../tables/column-values.ts';

const LOCAL = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;

/** Parses a time of a response. Returns undefined if the text is not a time. */
export type ReadTime = (text: string) => Date | undefined;

/**
 * Creates a reader of RFC 3339 times and of local times, such as `2024-02-29 09:30:00`. Local times are of the given
 * zone (IANA name), or of UTC with a warning. Throws `INVALID_IMPORT` if the zone is unknown.
 */
export function createTimeReader(timeZone: string | undefined, warnOnce: WarnOnce): ReadTime {
  const offsetAt = offsetsOf(timeZone ?? 'UTC');
  return (text) => {
    const given = text.trim();
    const exact = parseTimestamp(given);
    if (exact !== undefined) return exact;
    const asUtc = parseAsUtc(given);
    if (asUtc === undefined) return undefined;
    if (timeZone === undefined) warnOnce('zone', ZONE_ASSUMED);
    return fromLocal(asUtc, offsetAt);
  };
}

const ZONE_ASSUMED = {
  path: '',
  code: 'TIME_ZONE_ASSUMED',
  detail: 'The file has no time zone, so its times are read as UTC; set time_zone, such as Europe/Berlin',
};

/** Parses a local time as if it were UTC. */
function parseAsUtc(text: string): Date | undefined {
  const parts = LOCAL.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = parts;
  return parseTimestamp(`${year}-${pad(month)}-${pad(day)}T${pad(hour)}:${pad(minute)}:${pad(second)}Z`);
}

/** Converts a local time, parsed as if it were UTC, to the real time. */
function fromLocal(asUtc: Date, offsetAt: OffsetAt): Date {
  const guess = offsetAt(asUtc.getTime());
  return new Date(asUtc.getTime() - offsetAt(asUtc.getTime() - guess));
}

function pad(part: string | undefined): string {
  return (part ?? '').padStart(2, '0');
}

const DATE_WITH_TIME = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}/;

/** The date of an ISO time, such as `2024-05-01T00:00:00Z`. Other texts are unchanged: validation reports them. */
export function dateOfTime(text: string): string {
  return DATE_WITH_TIME.exec(text)?.[1] ?? text;
}

/** Returns a text `YYYY-MM-DD` if the day exists. Undefined for `2024-02-30` and for other texts. */
export function existingDay(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString() === `${day}T00:00:00.000Z` ? day : undefined;
}
