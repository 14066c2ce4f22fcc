import type { JsonValue } from '@bufbuild/protobuf';
import type { UnreadValue } from '../core/responses/response.ts';
import type { ReadTime } from '../core/responses/times.ts';
import { ID_COLUMNS, SUBMISSION_TIME_COLUMNS, type SubmissionColumns } from './submission-columns.ts';

interface SubmissionDetails {
  /** Empty if the submission has none. */
  readonly id: string;
  readonly startedAt: Date | undefined;
  readonly completedAt: Date | undefined;
  /** Values that are no times. */
  readonly unread: readonly UnreadValue[];
}

interface Options {
  readonly columns: Pick<SubmissionColumns, 'isToolColumn'>;
  readonly readTime: ReadTime;
}

const ZONED = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)([+-]\d{2}):?(\d{2})?$/;

/** Reads the id and the times of a submission. */
export function readSubmissionDetails(
  cells: ReadonlyMap<string, JsonValue>,
  { columns, readTime }: Options,
): SubmissionDetails {
  const unread: UnreadValue[] = [];

  function timeOf(name: string): Date | undefined {
    const value = columns.isToolColumn(name) ? cells.get(name) : undefined;
    const time = typeof value === 'string' ? readTime(toTimestamp(value)) : undefined;
    if (value !== undefined && time === undefined) {
      unread.push({ kind: 'response', name, code: 'BAD_TIME', detail: 'the value is not a time', value });
    }
    return time;
  }

  const [idName] = ID_COLUMNS.filter((name) => cells.has(name) && columns.isToolColumn(name));
  const submitted = SUBMISSION_TIME_COLUMNS.map(timeOf).find((time) => time !== undefined);
  const completedAt = timeOf('end') ?? submitted;
  return {
    id: idName === undefined ? '' : String(cells.get(idName)).replace(/^uuid:/, ''),
    startedAt: timeOf('start'),
    completedAt,
    unread,
  };
}

/** Converts a time with a zone to RFC 3339. It can have a space, or no colon in the zone. Other texts are unchanged. */
function toTimestamp(text: string): string {
  const [, day, time, hours, minutes = '00'] = ZONED.exec(text.trim()) ?? [];
  return day === undefined ? text : `${day}T${time}${hours}:${minutes}`;
}
