import type { JsonValue } from '@bufbuild/protobuf';
import { parseTimestamp } from '@survey/runtime/rest/timestamp';
import type { UnreadValue } from '../shared/file-response.ts';
import type { WarnOnce } from '../shared/warn-once.ts';
import { IDS, SUBMITTED, type SubmissionColumns } from './submission-columns.ts';

interface SubmissionDetails {
  /** Empty if the submission has none. */
  readonly id: string;
  readonly startedAt: Date | undefined;
  readonly completedAt: Date | undefined;
  /** Values that are no times. */
  readonly unread: readonly UnreadValue[];
}

interface Options {
  readonly columns: Pick<SubmissionColumns, 'isOfTool'>;
  readonly warnOnce: WarnOnce;
  readonly path: string;
}

const NO_ZONE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)$/;

/** Reads the id and the times of a submission. */
export function readSubmissionDetails(
  cells: ReadonlyMap<string, JsonValue>,
  { columns, warnOnce, path }: Options,
): SubmissionDetails {
  const unread: UnreadValue[] = [];

  function timeOf(name: string): Date | undefined {
    const value = columns.isOfTool(name) ? cells.get(name) : undefined;
    const time = typeof value === 'string' ? parseTime(value) : undefined;
    if (typeof value === 'string' && NO_ZONE.test(value)) {
      const detail = `Times without a zone, such as in ${name}, are read as UTC`;
      warnOnce('zone', { path, code: 'TIME_ZONE_ASSUMED', detail });
    }
    if (value !== undefined && time === undefined) {
      unread.push({ kind: 'response', name, code: 'BAD_TIME', detail: 'the value is not a time', value });
    }
    return time;
  }

  const [idName] = IDS.filter((name) => cells.has(name) && columns.isOfTool(name));
  const submitted = SUBMITTED.map(timeOf).find((time) => time !== undefined);
  const completedAt = timeOf('end') ?? submitted;
  return {
    id: idName === undefined ? '' : String(cells.get(idName)).replace(/^uuid:/, ''),
    startedAt: timeOf('start') ?? completedAt,
    completedAt,
    unread,
  };
}

/** Parses RFC 3339 times, even with a space, without a colon in the zone, or without a zone. */
function parseTime(text: string): Date | undefined {
  const [, date, time] = NO_ZONE.exec(text) ?? [];
  if (date !== undefined) return parseTimestamp(`${date}T${time ?? ''}Z`);
  return parseTimestamp(
    text
      .replace(' ', 'T')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
      .replace(/([+-]\d{2})$/, '$1:00'),
  );
}
