import { findOffsets, type OffsetAt } from '@survey/runtime/rest/timestamp';
import { invalidImport } from '../files/report.ts';

/** The offsets of the option `time_zone`. Throws `INVALID_IMPORT` if the zone is unknown. */
export function offsetsOf(timeZone: string): OffsetAt {
  const offsetAt = findOffsets(timeZone);
  if (offsetAt !== undefined) return offsetAt;
  const detail = 'time_zone must be the name of an IANA time zone, such as Europe/Berlin';
  throw invalidImport([{ path: '', code: 'UNKNOWN_TIME_ZONE', detail }]);
}
