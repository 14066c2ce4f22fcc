import type { Omission } from '@survey/formats/core/responses/response';
import { locationOf, type RejectedResponse, type RowLocation } from '@survey/formats/core/responses/response';
import { shorten } from '@survey/questionnaire/shorten';
import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { MAX_REJECTED } from '../reading/read-import.ts';
import type { SentBatch } from '../responses/response-sender.ts';
import type { Failure, Import, Progress } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import type { RenewedLease } from './lease-renewal.ts';
import type { ImportMetrics } from './module.ts';

/**
 * The result of an import, for the user: in the reply, in the import's record and in its event. While the import runs,
 * `createTally` counts responses, `createOmissions` counts values that are not stored as answers, and `createWarnings`
 * keeps warnings. `toReport` combines them, and cuts the report to the size of an event.
 */
export interface Report {
  readonly id: string;
  readonly source: string;
  readonly format: string;
  readonly status: 'completed' | 'failed' | 'cancelled';
  /** Responses that were read: the sum of imported, skipped, failed and left out ones. */
  readonly total: number;
  readonly imported: number;
  /** Imported responses with an omission. */
  readonly importedInPart: number;
  /** Responses that were stored before this import. */
  readonly skipped: number;
  /** Rejected responses. Each has an error. */
  readonly failed: number;
  /** Responses that the options leave out, such as tests. */
  readonly leftOut: number;
  readonly questions: number;
  readonly warnings: readonly FieldProblem[];
  /** The first errors, at most 100. */
  readonly errors: readonly ReportedError[];
  readonly omissions: readonly ReportedOmission[];
}

export type ReportedError = RejectedResponse;

/** With these limits and up to 130,000 bytes of omissions, each report is small enough for an event. */
export const MAX_WARNINGS = 100;
export const MAX_ERRORS = 100;
const MAX_WARNING_BYTES = 140_000;
const MAX_ERROR_BYTES = 190_000;
const MAX_PATH_LENGTH = 150;
const MAX_WARNING_LENGTH = 400;
const MAX_DETAIL_LENGTH = 500;
/** The list of all errors has longer details than a report. */
const MAX_LISTED_DETAIL_LENGTH = 2_000;
const MAX_ID_LENGTH = 256;
const MAX_COLUMN_LENGTH = 200;

/**
 * The end of an import: its file was read to the end, a user cancelled it, or a failure broke it off. After an error of
 * storing, the file is still read to its end, and its remaining responses are reported as rejected.
 */
export type Ending =
  | { readonly kind: 'read' | 'cancelled'; readonly failure: Failure | undefined }
  | { readonly kind: 'broken'; readonly failure: Failure };

export interface ReportContents {
  readonly questions: number;
  readonly progress: Progress;
  /** The first warnings. `moreWarnings` is the number of further ones. */
  readonly warnings: readonly FieldProblem[];
  readonly moreWarnings: number;
  /** In the order of the file. */
  readonly errors: readonly ReportedError[];
  readonly omissions: readonly ReportedOmission[];
  readonly ending: Ending;
}

export function toReport(
  { id, source, format }: Pick<Import, 'id' | 'source' | 'format'>,
  contents: ReportContents,
): Report {
  const { questions, progress, errors, omissions } = contents;
  const { rows: total, imported, importedInPart, skipped, failed, leftOut } = progress;
  return {
    id,
    source,
    format,
    status: statusOf(contents),
    total,
    imported,
    importedInPart,
    skipped,
    failed,
    leftOut,
    questions,
    warnings: boundWarnings(contents),
    errors: firstWithin(
      MAX_ERROR_BYTES,
      errors.slice(0, MAX_ERRORS).map((error) => ({ ...error, detail: shorten(error.detail, MAX_DETAIL_LENGTH) })),
    ),
    omissions,
  };
}

function statusOf({ ending, progress: { rows: total, failed, leftOut } }: ReportContents): Report['status'] {
  if (ending.kind === 'cancelled') return 'cancelled';
  if (ending.kind === 'broken') return 'failed';
  // An import is completed if the survey has at least one of its responses. An import without responses to store is
  // completed, too, unless there was a failure.
  const hasNoneStored = failed === total - leftOut;
  return hasNoneStored && (failed > 0 || ending.failure !== undefined) ? 'failed' : 'completed';
}

/** Shortens the texts of an error, because they can quote the file. */
export function shortenError({ index, id, code, detail, row, column }: ReportedError): ReportedError {
  return {
    index,
    id: shorten(id, MAX_ID_LENGTH),
    code,
    detail: shorten(detail, MAX_LISTED_DETAIL_LENGTH),
    ...(row !== undefined && { row }),
    ...(column !== undefined && { column: shorten(column, MAX_COLUMN_LENGTH) }),
  };
}

/** Returns the warnings that fit into a report. A failure comes first. */
function boundWarnings({ ending, warnings, moreWarnings }: ReportContents): readonly FieldProblem[] {
  const { failure } = ending;
  const failures =
    failure === undefined ? [] : [{ path: '', code: failure.code, detail: failure.detail }, ...failure.errors];
  const all = [...failures, ...warnings];
  const shown = all.length + moreWarnings > MAX_WARNINGS ? all.slice(0, MAX_WARNINGS - 1) : all;
  const bounded = firstWithin(
    MAX_WARNING_BYTES,
    shown.map(({ path, code, detail }) => ({
      path: shorten(path, MAX_PATH_LENGTH),
      code,
      detail: shorten(detail, MAX_WARNING_LENGTH),
    })),
  );
  const hidden = all.length + moreWarnings - bounded.length;
  return hidden === 0 ? bounded : [...bounded, { path: '', code: 'MORE_WARNINGS', detail: `and ${hidden} more` }];
}

/** Returns the first items whose JSON fits into `maxBytes` together. */
function firstWithin<T>(maxBytes: number, items: readonly T[]): readonly T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item));
    return bytes > maxBytes;
  });
  return end === -1 ? items : items.slice(0, end);
}

interface Position extends RowLocation {
  readonly index: number;
}

/**
 * Values of one column that are not stored as answers for the same reason. Depending on `action`, they are kept in the
 * metadata, dropped, or missing in the file although the question is required.
 */
export interface ReportedOmission extends Omission {
  /** Number of responses. */
  readonly count: number;
  readonly examples: readonly Position[];
}

/** These limits keep each report small enough for an event. */
const MAX_OMISSIONS = 100;
const ACTIONS = ['kept', 'dropped', 'missing'] as const satisfies readonly Omission['action'][];
const MAX_EXAMPLES = 5;
const MORE_OMISSIONS = 'MORE_OMISSIONS';
const MAX_OMITTED_COLUMN_LENGTH = 80;
const MAX_OMITTED_DETAIL_LENGTH = 100;

export type Omissions = ReturnType<typeof createOmissions>;

/**
 * Counts the values of a file that are not stored as answers.
 *
 * @param earlier those that an earlier process has counted, in its list
 */
export function createOmissions(earlier: readonly ReportedOmission[] = []) {
  const found = new Map<string, { readonly omission: Omission; count: number; readonly examples: Position[] }>();
  const unlisted = new Map<Omission['action'], number>();
  const keyOf = ({ action, code, column }: Omission) => JSON.stringify([action, code, column]);
  for (const { count, examples, ...omission } of earlier) {
    if (omission.code === MORE_OMISSIONS) unlisted.set(omission.action, count);
    else found.set(keyOf(omission), { omission, count, examples: [...examples] });
  }
  return {
    add(position: Position, omissions: readonly Omission[]): void {
      for (const { column: given, code, detail, action } of omissions) {
        const column = shorten(given, MAX_OMITTED_COLUMN_LENGTH);
        const key = keyOf({ column, code, detail, action });
        const entry = found.get(key);
        if (entry !== undefined) {
          entry.count += 1;
          if (entry.examples.length < MAX_EXAMPLES) entry.examples.push(toPosition(position));
        } else if (found.size < MAX_OMISSIONS - ACTIONS.length) {
          const omission = { column, code, detail: shorten(detail, MAX_OMITTED_DETAIL_LENGTH), action };
          found.set(key, { omission, count: 1, examples: [toPosition(position)] });
        } else unlisted.set(action, (unlisted.get(action) ?? 0) + 1);
      }
    },

    /** Returns omissions in the order of the file, then one entry per action that counts the unlisted omissions. */
    list(): readonly ReportedOmission[] {
      const listed = [...found.values()].map(({ omission, count, examples }) => ({ ...omission, count, examples }));
      const detail = 'further omissions, which the report does not list one by one';
      const more = ACTIONS.flatMap((action): readonly ReportedOmission[] => {
        const count = unlisted.get(action);
        return count === undefined ? [] : [{ column: '', code: MORE_OMISSIONS, detail, action, count, examples: [] }];
      });
      return [...listed, ...more];
    },
  };
}

function toPosition(position: Position): Position {
  return { index: position.index, ...locationOf(position) };
}

export type Warnings = ReturnType<typeof createWarnings>;

/** Keeps the first warnings, if possible one of each code, and counts the others. Prefixes paths with `location`. */
export function createWarnings(location: string) {
  const first: FieldProblem[] = [];
  let more = 0;
  return {
    warn(problem: FieldProblem): void {
      const warning = toRequestProblem(problem, location);
      if (first.length < MAX_WARNINGS) {
        first.push(warning);
        return;
      }
      more += 1;
      if (first.some(({ code }) => code === problem.code)) return;
      // A warning with a new code replaces the last warning whose code is listed twice.
      const repeated = first.findLastIndex(
        ({ code }, index) => first.findIndex((other) => other.code === code) < index,
      );
      if (repeated === -1) return;
      first.splice(repeated, 1);
      // Insert it at the front, because `boundWarnings` cuts the end.
      first.unshift(warning);
    },
    /** Adds warnings that an earlier process has kept and counted. */
    addEarlier(kept: readonly FieldProblem[], others: number): void {
      first.push(...kept);
      more += others;
    },
    first: (): readonly FieldProblem[] => first,
    more: (): number => more,
  };
}

/** Converts the location of a problem in the file to one in the request. */
export function toRequestProblem(problem: FieldProblem, location: string): FieldProblem {
  return { ...problem, path: location + problem.path };
}

interface Options {
  readonly lease: RenewedLease;
  /** Number of the responses in the file. */
  readonly rows: number;
  readonly omissions: Pick<Omissions, 'add' | 'list'>;
  readonly errors: Pick<ImportErrorStore, 'keep'>;
  readonly metrics: Pick<ImportMetrics, 'addRows'>;
  readonly questions: number;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Minimum time between writes of the progress while all responses are rejected or left out. */
const WRITE_EVERY_MS = 1_000;

/**
 * Counts the responses of an import by outcome, beginning with the stored progress. Stores the progress after each
 * batch with imported or skipped responses, and after other batches about once a second. If this process dies, the next
 * one sends batches after the stored progress again (`wasSentBefore`), and counts them as if they were sent once.
 */
export function createTally({ lease, rows: read, omissions, errors, metrics, questions, now }: Options) {
  const { tenantId, id, dryRun, job, size } = lease.item;
  // The file was read to its end.
  let progress: Progress = { ...lease.item.progress, bytes: size, read };
  let lastWriteAt = now();
  return {
    progress: () => progress,

    /** Whether very many responses were rejected and none was stored: probably the file or format is wrong. */
    hasFailedEntirely: () => progress.failed >= MAX_REJECTED && progress.imported + progress.skipped === 0,

    async add(batch: SentBatch): Promise<void> {
      const { first, batches, rows, imported, importedInPart, skipped, leftOut, rejected, storedResponses } = batch;
      // About so many errors are stored. All of them are counted.
      if (rejected.length > 0 && progress.failed < MAX_REJECTED)
        await errors.keep(tenantId, id, first, rejected.map(shortenError));
      progress = {
        rows: first + rows,
        imported: progress.imported + imported,
        importedInPart: progress.importedInPart + importedInPart,
        skipped: progress.skipped + skipped,
        failed: progress.failed + rejected.length,
        leftOut: progress.leftOut + leftOut,
        bytes: size,
        read,
      };
      for (const response of storedResponses) omissions.add(response, response.omissions);
      if (!dryRun) metrics.addRows({ imported, skipped, failed: rejected.length, left_out: leftOut });
      if (imported + skipped === 0 && now() - lastWriteAt < WRITE_EVERY_MS) return;
      lastWriteAt = now();
      const sent = job && { batches, rows: progress.rows, omissions: omissions.list() };
      await lease.advance({ progress, questions, ...(sent && { sent }) });
    },
  };
}
