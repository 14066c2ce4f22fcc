import { AppError } from '@survey/runtime/errors/app-error';
import { itemsOf } from '../reading/batches.ts';
import { type ImportOptions, MAX_REJECTED, type ReadSurvey } from '../reading/read-import.ts';
import { createDryRunForExisting, dryRunForNewSurvey, type ResponseClient } from '../responses/response-client.ts';
import { type SentBatch, sendResponses, type UnsentBatch } from '../responses/response-sender.ts';
import { createRetry, isTransient } from '../retries/retry-policy.ts';
import type { NewSurvey, StoredSurvey, SurveyClient } from '../surveys/survey-client.ts';
import type { Failure, Import, Sent } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import { endEvents } from './import-events.ts';
import type { ImportStore } from './import-store.ts';
import type { RenewedLease } from './lease-renewal.ts';
import type { ImportMetrics } from './module.ts';
import { toRequestError } from './prepare-import.ts';
import {
  createOmissions,
  createTally,
  type Ending,
  MAX_ERRORS,
  type Omissions,
  type Report,
  type ReportContents,
  toReport,
  type Warnings,
} from './report.ts';

interface Dependencies {
  readonly store: Pick<ImportStore, 'end' | 'find'>;
  readonly errors: ImportErrorStore;
  readonly surveys: Pick<SurveyClient, 'store'>;
  readonly responses: ResponseClient;
  readonly metrics: Pick<ImportMetrics, 'addRows' | 'ended'>;
  readonly clock: () => Date;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** An import on which this process has a lease: the right to write it until the lease ends. */
export interface LeasedImport {
  readonly lease: RenewedLease;
  /** Warnings about the file of the import. */
  readonly warnings: Warnings;
}

/** A file that was read to its end. */
export interface ReadFile {
  readonly read: ReadSurvey;
  /** Number of its responses. */
  readonly rows: number;
  /** Its batches of responses, without those in `sent` of the job. */
  readonly batches: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

interface RunningImport extends LeasedImport {
  readonly options: ImportOptions;
  /** Time to retry calls to unavailable services, in milliseconds. */
  readonly retryForMs: number;
  /** Whether this process must stop, and leave the import to another process. */
  readonly isStopped: () => boolean;
}

interface Counted extends Pick<ReportContents, 'questions' | 'progress'> {
  /** Values of the file that are not stored as answers. Unknown if this process has not read the file. */
  readonly omissions?: ReportContents['omissions'];
}

/** The result of a run. Without a report, this process has not ended the import. */
export interface RunResult {
  readonly report: Report | undefined;
  readonly survey: StoredSurvey | undefined;
  /** The error because of which the survey or responses are not stored. */
  readonly failure: AppError | undefined;
}

export type ImportRun = ReturnType<typeof createImportRun>;

/**
 * Stores the survey and the responses of a file, and ends the import with a report for the user. The progress is stored
 * while the import runs. If the process of a job dies, another process continues after the stored progress.
 * Each write checks that this process still has the lease, so only one process can end an import.
 */
export function createImportRun({ store, errors, surveys, responses, metrics, clock, now }: Dependencies) {
  const dryRunForExisting = createDryRunForExisting(responses);

  function clientFor({ dryRun, kind }: ImportOptions): Pick<ResponseClient, 'store'> {
    if (!dryRun) return responses;
    return kind === 'survey' ? dryRunForNewSurvey : dryRunForExisting;
  }

  async function end(
    { lease, warnings }: LeasedImport,
    { questions, progress, omissions = [] }: Counted,
    ending: Ending,
  ): Promise<Report | undefined> {
    const { item, claim } = lease;
    const report = toReport(item, {
      questions,
      progress,
      warnings: warnings.first(),
      moreWarnings: warnings.more(),
      errors: await errors.findFirst(item.tenantId, item.id, MAX_ERRORS),
      omissions,
      ending,
    });
    const time = clock();
    // Read the import again, because the lease's copy may lack the user who cancelled it.
    const current = ending.kind === 'cancelled' ? await store.find(item.tenantId, item.id) : undefined;
    const events = endEvents(current ?? item, report, time);
    const hasEnded = await store.end(item, claim, { report, progress, time, events });
    if (!hasEnded) return undefined;
    metrics.ended(report.status);
    return report;
  }

  /**
   * Deletes the errors of responses after the stored progress, because these responses are handled again. An earlier
   * process stored the errors, and died before it stored its progress. Does nothing if the lease is lost.
   */
  async function discardLaterErrors({ item, renew }: RenewedLease): Promise<void> {
    if (await renew()) await errors.discardFrom(item.tenantId, item.id, item.progress.rows);
  }

  /** Stores the survey. Paths in errors are locations in the request that had the file. */
  async function storeSurvey(
    survey: NewSurvey,
    read: ReadSurvey,
    item: Import,
    options: ImportOptions,
  ): Promise<StoredSurvey> {
    try {
      return await surveys.store(item, survey);
    } catch (error) {
      throw toRequestError(error, read, options);
    }
  }

  return {
    /**
     * Runs the import. If storing the survey or a batch fails, the remaining responses are reported as rejected with
     * that error. Transient errors are retried first. Throws transient and unexpected errors of reading the spool or
     * storing counts, so that the import can run again.
     */
    async run(running: RunningImport, { read, rows, batches }: ReadFile): Promise<RunResult> {
      const { lease, options, retryForMs, isStopped } = running;
      const { questions } = read;
      const { item } = lease;
      const sent = item.job?.sent ?? NOTHING_SENT;
      // True after the counts of a batch could not be stored. This run stops, and the next run sends the batch again.
      let hasFailedToCount = false;
      const shouldContinue = () => lease.state() === 'running' && !isStopped() && !hasFailedToCount;
      const retry = createRetry({ retryForMs, shouldContinue, now });
      // Only a job can have errors of an earlier process.
      if (item.job !== undefined) await discardLaterErrors(lease);
      const omissions = createOmissions(sent.omissions);
      const tally = createTally({ lease, rows, omissions, errors, metrics, questions, now });
      const newSurvey = options.dryRun ? undefined : read.survey;
      // `retry` returns undefined if this process should not continue the import.
      const storeResult = newSurvey && (await retry(() => storeSurvey(newSurvey, read, item, options)));
      const isGivenUp = newSurvey !== undefined && storeResult === undefined;
      const rejection = storeResult instanceof AppError ? storeResult : undefined;
      const survey = storeResult instanceof AppError ? undefined : storeResult;
      const sending = {
        // If the survey is not stored, each response is reported as rejected.
        client: rejection === undefined ? clientFor(options) : { store: () => Promise.reject(rejection) },
        caller: item,
        surveyId: item.surveyId,
        emitEvents: options.emitEvents,
        begunAt: options.requestedAt ?? item.createdAt,
        wasSentBefore: item.deaths > 0 || item.failingSince !== undefined,
        // `storeSurvey` was already retried, so its error is final.
        retry: rejection === undefined ? retry : createRetry({ retryForMs: 0, shouldContinue, now }),
        shouldContinue: () => shouldContinue() && !tally.hasFailedEntirely(),
        async onBatch(batch: SentBatch) {
          await tally.add(batch).catch((error: unknown) => {
            hasFailedToCount = true;
            throw error;
          });
        },
      };
      const unsent = unsentOf(batches, sent, item.progress.rows, omissions);
      const sendResult = isGivenUp ? STOPPED : await sendResponses(sending, unsent).catch(toSendResult);
      // If the import may continue, nothing else has ended it.
      const hasTooManyErrors = shouldContinue() && tally.hasFailedEntirely();
      const result = hasTooManyErrors ? tooManyErrors(sendResult.failure) : sendResult;
      const failure = rejection ?? result.failure;
      const ending = endingOf(result, failure, lease);
      if (ending === undefined) return { report: undefined, survey, failure };
      const counted = { questions, progress: tally.progress(), omissions: omissions.list() };
      const report = await end(running, counted, ending);
      return { report, survey, failure };
    },

    /** Ends an import as failed, without storing more. */
    async endFailed(leased: LeasedImport, failure: Failure) {
      const { progress, questions } = leased.lease.item;
      await discardLaterErrors(leased.lease);
      return end(leased, { questions, progress }, { kind: 'broken', failure });
    },

    /** Ends an import that a user cancelled before it ran. */
    async endCancelled(leased: LeasedImport) {
      const { progress, questions } = leased.lease.item;
      await discardLaterErrors(leased.lease);
      return end(leased, { questions, progress }, { kind: 'cancelled', failure: undefined });
    },
  };
}

const NOTHING_SENT: Sent = { batches: 0, rows: 0, omissions: [] };

/**
 * The batches to send, which are those after `sent`. Of the first `handled` responses of the file, only the omissions are
 * counted. There are more than in `sent` if a process of the previous release has handled some: it knows no `sent`.
 */
async function* unsentOf(
  batches: ReadFile['batches'],
  sent: Sent,
  handled: number,
  omissions: Omissions,
): AsyncGenerator<UnsentBatch> {
  let count = sent.batches;
  let first = sent.rows;
  for await (const bytes of batches) {
    const items = itemsOf(bytes);
    const skipped = Math.min(items.length, Math.max(0, handled - first));
    for (const item of items.slice(0, skipped)) if ('omissions' in item) omissions.add(item, item.omissions);
    count += 1;
    if (skipped < items.length) yield { first: first + skipped, items: items.slice(skipped), batches: count };
    first += items.length;
  }
}

const STOPPED = { kind: 'stopped', failure: undefined } as const;

/**
 * The result of sending if the first `MAX_REJECTED` responses were all rejected.
 *
 * @param failure because of which they could not be stored
 */
function tooManyErrors(failure: AppError | undefined) {
  const detail = `All of the first ${MAX_REJECTED} responses were rejected. Check the format of the file and the survey`;
  return { kind: 'broken', failure: failure ?? new AppError('INVALID_IMPORT', { detail }) } as const;
}

export function toFailure({ code, message, errors }: AppError): Failure {
  return { code, detail: message, errors };
}

/** Converts an error of reading the spool to a result of sending. Rethrows transient and unexpected errors. */
function toSendResult(error: unknown) {
  if (error instanceof ReadingStopped) return STOPPED;
  if (error instanceof AppError && !isTransient(error)) return { kind: 'broken', failure: error } as const;
  throw error;
}

/** Returns the ending of an import. Undefined if another process continues it, after a stop or a lost lease. */
function endingOf(
  { kind }: { readonly kind: 'complete' | 'stopped' | 'broken' },
  failure: AppError | undefined,
  lease: RenewedLease,
): Ending | undefined {
  const reported = failure && toFailure(failure);
  if (lease.state() === 'lost') return undefined;
  if (kind === 'broken' && reported !== undefined) return { kind, failure: reported };
  if (kind === 'complete') return { kind: 'read', failure: reported };
  return lease.state() === 'cancelling' ? { kind: 'cancelled', failure: undefined } : undefined;
}

/** Thrown when an import was stopped while its file or spool was read. Both are fine. */
export class ReadingStopped extends Error {
  override readonly name = 'ReadingStopped';
}
