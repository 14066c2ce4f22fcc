import type { ImportFile } from '@survey/formats/files/import-file';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ImportOptions, ReadItem } from '../reading/read-import.ts';
import { type SentBatch, sendResponses } from '../responses/response-sender.ts';
import { createRetry, isTransient } from '../retries/retry-policy.ts';
import type { NewSurvey, StoredSurvey, SurveyClient } from '../surveys/survey-client.ts';
import type { Failure } from './import.ts';
import type { ImportErrorStore } from './import-error-store.ts';
import { endEvents } from './import-events.ts';
import type { ImportStore } from './import-store.ts';
import type { RenewedLease } from './lease-renewal.ts';
import type { ImportMetrics } from './module.ts';
import type { PreparedImport } from './prepare-import.ts';
import {
  createOmissions,
  createTally,
  type Ending,
  MAX_ERRORS,
  MAX_KEPT_ERRORS,
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

interface RunningImport extends LeasedImport {
  readonly options: ImportOptions;
  /** Bytes of the file read so far. */
  readonly bytes: () => number;
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
 * Stores the survey and the responses of a prepared file, and ends the import with a report for the user. The progress
 * is stored while the import runs. If the process of a job dies, another process continues after the stored progress.
 * Each write checks that this process still has the lease, so only one process can end an import.
 */
export function createImportRun({ store, errors, surveys, metrics, clock, now }: Dependencies) {
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
    const hasEnded = await store.end(item, claim, { report, bytes: progress.bytes, time, events });
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
    { toRequestError }: PreparedImport,
    { item }: RenewedLease,
  ): Promise<StoredSurvey> {
    try {
      return await surveys.store(item, survey);
    } catch (error) {
      throw toRequestError(error);
    }
  }

  return {
    /**
     * Runs the import. If storing the survey or a batch fails, the remaining responses are reported as rejected with
     * that error. Transient errors are retried first. Throws transient and unexpected errors of reading the file or
     * storing counts, so that the import can run again.
     */
    async run(running: RunningImport, prepared: PreparedImport): Promise<RunResult> {
      const { lease, options, bytes, retryForMs, isStopped } = running;
      const { questions, responses, toPayload } = prepared;
      // True after the counts of a batch could not be stored. This run stops, and the next run sends the batch again.
      let hasFailedToCount = false;
      const shouldContinue = () => lease.state() === 'running' && !isStopped() && !hasFailedToCount;
      const retry = createRetry({ retryForMs, shouldContinue, now });
      // Only a job can have errors of an earlier process.
      if (lease.item.job !== undefined) await discardLaterErrors(lease);
      const omissions = createOmissions();
      const tally = createTally({ lease, omissions, errors, metrics, questions, bytes, now });
      const newSurvey = options.dryRun ? undefined : prepared.survey;
      // `retry` returns undefined if this process should not continue the import.
      const storeResult = newSurvey && (await retry(() => storeSurvey(newSurvey, prepared, lease)));
      const isGivenUp = newSurvey !== undefined && storeResult === undefined;
      const rejection = storeResult instanceof AppError ? storeResult : undefined;
      const survey = storeResult instanceof AppError ? undefined : storeResult;
      const sending = {
        // If the survey is not stored, the file is still read, so that each response is reported as rejected.
        client: rejection === undefined ? prepared.client : { store: () => Promise.reject(rejection) },
        caller: lease.item,
        surveyId: lease.item.surveyId,
        emitEvents: options.emitEvents,
        begunAt: options.requestedAt ?? lease.item.createdAt,
        wasSentBefore: lease.item.deaths > 0 || lease.item.failingSince !== undefined,
        toPayload,
        skip: lease.item.progress.rows,
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
      const toSend = withEarlierOmissions(responses, lease.item.progress.rows, omissions);
      const sendResult = isGivenUp ? STOPPED : await sendResponses(sending, toSend).catch(toSendResult);
      // If the import may continue, sending has stopped because of very many rejected responses.
      const hasTooManyErrors = sendResult.kind === 'stopped' && shouldContinue() && tally.hasFailedEntirely();
      const result = hasTooManyErrors ? tooManyErrors() : sendResult;
      const failure = rejection ?? result.failure;
      const ending = endingOf(result, failure, lease);
      if (ending === undefined) return { report: undefined, survey, failure };
      const counted = { questions, progress: tally.progress(), omissions: omissions.list() };
      const report = await end(running, counted, ending);
      return { report, survey, failure };
    },

    /** Ends an import as failed, without reading its file further. */
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

/**
 * Adds the omissions of the first `sent` responses. An earlier process has sent them, and the stored progress has no
 * omissions. Responses that the response service rejected count, too, because the progress does not say which ones they
 * are.
 */
async function* withEarlierOmissions(
  responses: PreparedImport['responses'],
  sent: number,
  omissions: Omissions,
): AsyncGenerator<ReadItem> {
  let position = 0;
  for await (const response of responses) {
    position += 1;
    // Responses that were rejected or left out while the file was read have no omissions.
    if (position <= sent && 'omissions' in response) omissions.add(response, response.omissions);
    yield response;
  }
}

const STOPPED = { kind: 'stopped', failure: undefined } as const;

/** The result of sending if the first `MAX_KEPT_ERRORS` responses were all rejected. */
function tooManyErrors() {
  const detail = `All of the first ${MAX_KEPT_ERRORS} responses were rejected. Check the format of the file and the survey`;
  return { kind: 'broken', failure: new AppError('INVALID_IMPORT', { detail }) } as const;
}

export function toFailure({ code, message, errors }: AppError): Failure {
  return { code, detail: message, errors };
}

/** Converts an error of reading the file to a result of sending. Rethrows transient and unexpected errors. */
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

/** Wraps a file to count the bytes of its latest reading. Readers of some formats open a file several times. */
export function countReading(file: ImportFile): { readonly file: ImportFile; readonly bytes: () => number } {
  let bytes = 0;
  return {
    bytes: () => bytes,
    file: {
      size: file.size,
      async *open() {
        bytes = 0;
        for await (const piece of file.open()) {
          bytes += piece.length;
          yield piece;
        }
      },
    },
  };
}

/** Thrown when reading was stopped. The file itself is fine. */
export class ReadingStopped extends Error {
  override readonly name = 'ReadingStopped';
}

/** Wraps a file: reading throws `ReadingStopped` as soon as `shouldContinue` returns false. */
export function stoppable(file: ImportFile, shouldContinue: () => Promise<boolean>): ImportFile {
  return {
    size: file.size,
    async *open() {
      for await (const piece of file.open()) {
        if (!(await shouldContinue())) throw new ReadingStopped();
        yield piece;
      }
    },
  };
}
